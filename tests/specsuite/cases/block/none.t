# No block gives null.

result_type = object({b = object({x = number})})
result      = {
  "b" = null
}
