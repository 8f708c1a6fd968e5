# An array of objects is one body.

result_type = object({a = number, b = number})
result      = {
  "a" = 1
  "b" = 2
}
