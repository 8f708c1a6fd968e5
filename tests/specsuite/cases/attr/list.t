# A tuple becomes a list.

result_type = object({a = list(string)})
result      = {
  "a" = ["1", "true", "x"]
}
