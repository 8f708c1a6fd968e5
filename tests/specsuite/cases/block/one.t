# One block.

result_type = object({b = object({x = number})})
result      = {
  "b" = {
    "x" = 1
  }
}
