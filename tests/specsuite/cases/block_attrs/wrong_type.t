# A value that cannot be converted.

diagnostics {
  error {
    from {
      line   = 2
      column = 7
      byte   = 10
    }
    to {
      line   = 2
      column = 8
      byte   = 11
    }
  }
}
