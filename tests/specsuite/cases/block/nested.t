# Blocks in blocks.

result_type = object({a = object({b = object({x = string})})})
result      = {
  "a" = {
    "b" = {
      "x" = "1"
    }
  }
}
