# A value is computed from another.

result_type = number
result      = 2048
