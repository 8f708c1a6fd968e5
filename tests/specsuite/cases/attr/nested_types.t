# Types in types.

result_type = object({a = map(list(object({n = number})))})
result      = {
  "a" = {
    "k" = [{
      "n" = 1
    }, {
      "n" = 2
    }]
  }
}
