# An array of specs.

result_type = tuple([string, number])
result      = ["x", 2]
