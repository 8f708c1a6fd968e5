# Directives in a template.

result_type = object({a = string})
result      = {
  "a" = "<x><y>"
}
