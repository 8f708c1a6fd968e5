# An object becomes a map.

result_type = object({a = map(string)})
result      = {
  "a" = {
    "x" = "1"
    "y" = "z"
  }
}
