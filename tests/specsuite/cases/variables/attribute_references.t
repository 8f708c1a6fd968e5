# References with steps.

traversals {
  expect {
    ref = v.a.b[0]
    from {
      line   = 1
      column = 5
      byte   = 4
    }
    to {
      line   = 1
      column = 13
      byte   = 12
    }
  }
  expect {
    ref = v["a"].b[0]
    from {
      line   = 1
      column = 16
      byte   = 15
    }
    to {
      line   = 1
      column = 27
      byte   = 26
    }
  }
}
result_type = object({a = number})
result      = {
  "a" = 2
}
