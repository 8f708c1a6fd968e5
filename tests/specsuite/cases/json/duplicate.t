# A property that is given twice.

diagnostics {
  error {
    from {
      line   = 1
      column = 10
      byte   = 9
    }
    to {
      line   = 1
      column = 13
      byte   = 12
    }
  }
}
