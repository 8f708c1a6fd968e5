# An array without elements.

result_type = tuple([])
result      = []
