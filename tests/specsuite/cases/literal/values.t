# Literals of each kind.

result_type = object({a = string, b = tuple([number, bool, any]), c = object({k = number})})
result      = {
  "a" = "x"
  "b" = [1, true, null]
  "c" = {
    "k" = 1.5
  }
}
