# A heredoc.

result_type = object({a = string})
result      = {
  "a" = "one\n  two\n"
}
