# Variables of the spec file.

result_type = object({a = string, b = number})
result      = {
  "a" = "x-eu"
  "b" = 2
}
