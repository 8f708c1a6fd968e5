# A for expression.

result_type = object({a = object({x = number, y = number})})
result      = {
  "a" = {
    "x" = 0
    "y" = 1
  }
}
