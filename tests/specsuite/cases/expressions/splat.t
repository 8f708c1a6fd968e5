# A splat.

result_type = object({a = tuple([number, number])})
result      = {
  "a" = [1, 2]
}
