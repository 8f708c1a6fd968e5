# More blocks than there may be.

diagnostics {
  error {
    from {
      line   = 3
      column = 3
      byte   = 8
    }
    to {
      line   = 3
      column = 3
      byte   = 8
    }
  }
}
