# An attribute can be null.

result_type = object({a = number})
result      = {
  "a" = null
}
