# Attributes of any type come to one type.

result_type = object({b = list(string)})
result      = {
  "b" = ["1", "y"]
}
