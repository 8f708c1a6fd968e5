# A conditional.

result_type = object({a = string})
result      = {
  "a" = "yes"
}
