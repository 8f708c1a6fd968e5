# Two labels, one of them in a map.

result_type = object({b = map(string)})
result      = {
  "b" = {
    "p" = "s"
    "q" = "r"
  }
}
