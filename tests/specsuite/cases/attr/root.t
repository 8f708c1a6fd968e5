# The root can be an attribute.

result_type = string
result      = "x"
