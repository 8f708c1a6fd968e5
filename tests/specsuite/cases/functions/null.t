# A null argument.

diagnostics {
  error {
    from {
      line   = 1
      column = 12
      byte   = 11
    }
    to {
      line   = 1
      column = 16
      byte   = 15
    }
  }
}
