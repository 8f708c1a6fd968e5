# Functions of the spec file.

result_type = object({a = number, b = number})
result      = {
  "a" = 8
  "b" = 5
}
