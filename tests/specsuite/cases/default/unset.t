# The fallback.

result_type = object({a = number})
result      = {
  "a" = 7
}
