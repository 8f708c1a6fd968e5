# A variable that does not exist.

diagnostics {
  error {
    from {
      line   = 1
      column = 5
      byte   = 4
    }
    to {
      line   = 1
      column = 11
      byte   = 10
    }
  }
}
