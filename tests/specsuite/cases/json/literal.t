# Strings are what they say where there are neither variables nor functions.

result_type = object({a = tuple([string, string])})
result      = {
  "a" = ["$${1 + 1}", "$$${a}"]
}
