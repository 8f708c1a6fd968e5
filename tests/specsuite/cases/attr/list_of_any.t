# Elements of a list come to one type.

result_type = object({a = list(string)})
result      = {
  "a" = ["1", "x"]
}
