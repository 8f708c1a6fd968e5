# A null is no value.

result_type = object({a = number})
result      = {
  "a" = 7
}
