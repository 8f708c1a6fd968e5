# In a tuple each block has its own type.

result_type = object({b = tuple([number, tuple([string])])})
result      = {
  "b" = [1, ["y"]]
}
