# What is one too many is where its value comes from.

diagnostics {
  error {
    from {
      line   = 5
      column = 9
      byte   = 24
    }
    to {
      line   = 5
      column = 10
      byte   = 25
    }
  }
}
