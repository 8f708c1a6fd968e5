# A label as a property.

result_type = object({b = list(object({name = string, x = number}))})
result      = {
  "b" = [{
    "name" = "q"
    "x" = 1
  }, {
    "name" = "q"
    "x" = 2
  }]
}
