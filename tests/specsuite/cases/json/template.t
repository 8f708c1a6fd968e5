# Strings are templates where there are variables.

result_type = object({a = tuple([number, string, string])})
result      = {
  "a" = [2, "x2", "$${a}"]
}
