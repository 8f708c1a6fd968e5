# A property can have another name than its attribute.

result_type = object({result = string})
result      = {
  "result" = "x"
}
