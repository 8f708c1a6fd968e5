# Blocks by their labels.

result_type = object({b = map(object({x = number}))})
result      = {
  "b" = {
    "p" = {
      "x" = 2
    }
    "q" = {
      "x" = 1
    }
  }
}
