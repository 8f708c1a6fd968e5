# Several fallbacks.

result_type = string
result      = "y"
