# No blocks.

result_type = object({b = set(object({x = number}))})
result      = {
  "b" = []
}
