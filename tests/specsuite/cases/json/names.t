# Names in expressions are templates.

result_type = object({a = object({euy = number})})
result      = {
  "a" = {
    "euy" = 1
  }
}
