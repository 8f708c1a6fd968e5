# A null stands for no block.

result_type = object({b = list(object({x = number}))})
result      = {
  "b" = []
}
