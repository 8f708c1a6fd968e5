# Other blocks may stand between.

result_type = object({b = list(object({x = number})), c = list(object({}))})
result      = {
  "b" = [{
    "x" = null
  }, {
    "x" = null
  }]
  "c" = [{}]
}
