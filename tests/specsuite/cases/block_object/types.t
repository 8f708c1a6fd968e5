# In an object each block has its own type.

result_type = object({b = object({p = tuple([string]), q = number})})
result      = {
  "b" = {
    "p" = ["y"]
    "q" = 1
  }
}
