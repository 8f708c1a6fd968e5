# The first value that is not null.

result_type = object({a = number})
result      = {
  "a" = 1
}
