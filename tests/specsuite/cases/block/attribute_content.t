# The content of a block can be one attribute.

result_type = string
result      = "y"
