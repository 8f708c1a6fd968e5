# Objects in objects read one body.

result_type = object({b = string, inner = object({a = string})})
result      = {
  "b" = "y"
  "inner" = {
    "a" = "x"
  }
}
