# An attribute that is not set is null.

result_type = object({a = number})
result      = {
  "a" = null
}
