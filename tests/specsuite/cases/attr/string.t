# An attribute is converted to a string.

result_type = object({a = string})
result      = {
  "a" = "12"
}
