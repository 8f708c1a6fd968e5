# A set has each value once.

result_type = object({b = set(object({x = number}))})
result      = {
  "b" = [{
    "x" = 1
  }, {
    "x" = 2
  }]
}
