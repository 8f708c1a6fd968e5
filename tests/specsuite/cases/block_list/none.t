# No blocks.

result_type = object({b = list(object({x = number}))})
result      = {
  "b" = []
}
