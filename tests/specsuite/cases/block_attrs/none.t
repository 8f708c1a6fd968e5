# No block gives null.

result_type = object({b = map(string)})
result      = {
  "b" = null
}
