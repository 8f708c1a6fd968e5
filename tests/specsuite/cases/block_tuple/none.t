# No blocks.

result_type = object({b = tuple([])})
result      = {
  "b" = []
}
