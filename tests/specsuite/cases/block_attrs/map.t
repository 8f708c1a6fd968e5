# The attributes of a block as a map.

result_type = object({b = map(string)})
result      = {
  "b" = {
    "p" = "x"
    "q" = "1"
  }
}
