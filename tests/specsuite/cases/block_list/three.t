# A list of blocks, in order.

result_type = object({b = list(object({x = number}))})
result      = {
  "b" = [{
    "x" = 3
  }, {
    "x" = null
  }, {
    "x" = 1
  }]
}
