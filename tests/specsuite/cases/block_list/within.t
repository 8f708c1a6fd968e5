# As many blocks as there may be.

result_type = object({b = list(object({x = number}))})
result      = {
  "b" = [{
    "x" = null
  }, {
    "x" = null
  }]
}
