# A string of digits becomes a number.

result_type = object({a = number})
result      = {
  "a" = 12
}
