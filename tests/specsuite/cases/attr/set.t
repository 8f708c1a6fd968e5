# A tuple becomes a set, without duplicates.

result_type = object({a = set(number)})
result      = {
  "a" = [1, 3]
}
