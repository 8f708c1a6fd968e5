# An object with types.

result_type = object({a = object({x = string, y = list(bool)})})
result      = {
  "a" = {
    "x" = "1"
    "y" = [true]
  }
}
