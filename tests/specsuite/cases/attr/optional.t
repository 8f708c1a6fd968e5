# What an object leaves out has defaults.

result_type = object({a = list(object({n = string, p = number, q = object({z = bool})}))})
result      = {
  "a" = [{
    "n" = "x"
    "p" = 80
    "q" = {
      "z" = true
    }
  }, {
    "n" = "1"
    "p" = 81
    "q" = {
      "z" = true
    }
  }, {
    "n" = "y"
    "p" = 80
    "q" = {
      "z" = false
    }
  }]
}
