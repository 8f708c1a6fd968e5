# An attribute of any type keeps its own.

result_type = object({a = number, b = string, c = tuple([bool, string])})
result      = {
  "a" = 1
  "b" = "x"
  "c" = [true, "y"]
}
