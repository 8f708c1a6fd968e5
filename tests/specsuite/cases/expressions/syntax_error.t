# An expression is missing.

diagnostics {
  error {
    from {
      line   = 1
      column = 5
      byte   = 4
    }
    to {
      line   = 2
      column = 1
      byte   = 5
    }
  }
}
