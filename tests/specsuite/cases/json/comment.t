# A property for comments.

result_type = object({a = number})
result      = {
  "a" = 1
}
