# An object without properties.

result_type = object({})
result      = {}
