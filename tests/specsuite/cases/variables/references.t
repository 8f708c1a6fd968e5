# References, and where they are.

traversals {
  expect {
    ref = region
    from {
      line   = 1
      column = 10
      byte   = 9
    }
    to {
      line   = 1
      column = 16
      byte   = 15
    }
  }
  expect {
    ref = sizes
    from {
      line   = 2
      column = 15
      byte   = 32
    }
    to {
      line   = 2
      column = 20
      byte   = 37
    }
  }
  expect {
    ref = sizes[1]
    from {
      line   = 4
      column = 7
      byte   = 53
    }
    to {
      line   = 4
      column = 15
      byte   = 61
    }
  }
}
result_type = object({a = string, b = tuple([number, number]), c = number})
result      = {
  "a" = "x-eu"
  "b" = [1, 2]
  "c" = 2
}
