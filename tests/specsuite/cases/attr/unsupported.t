# An attribute that no spec names is an error.

diagnostics {
  error {
    from {
      line   = 2
      column = 1
      byte   = 9
    }
    to {
      line   = 2
      column = 5
      byte   = 13
    }
  }
}
