# A tuple with types.

result_type = object({a = tuple([string, number])})
result      = {
  "a" = ["1", 2]
}
