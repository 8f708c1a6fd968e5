# Labels may be identifiers or strings.

result_type = object({b = map(object({x = number}))})
result      = {
  "b" = {
    "a b" = {
      "x" = null
    }
    "q" = {
      "x" = null
    }
  }
}
