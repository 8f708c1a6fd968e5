# A string becomes a bool.

result_type = object({a = bool})
result      = {
  "a" = true
}
