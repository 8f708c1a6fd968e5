# A transform can call functions.

result_type = object({all = tuple([string, string]), count = number})
result      = {
  "all" = ["P", "Q"]
  "count" = 2
}
