# No blocks.

result_type = object({b = map(object({x = number}))})
result      = {
  "b" = {}
}
