# Blocks by two labels.

result_type = object({b = map(map(number))})
result      = {
  "b" = {
    "p" = {
      "r" = 2
    }
    "q" = {
      "r" = 1
      "s" = null
    }
  }
}
