# A literal can call functions.

result_type = object({a = string, b = number, c = string, d = number})
result      = {
  "a" = "X"
  "b" = 5
  "c" = "cba"
  "d" = 2
}
