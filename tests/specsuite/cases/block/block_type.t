# A property can have another name than its block.

result_type = object({p = number})
result      = {
  "p" = 1
}
