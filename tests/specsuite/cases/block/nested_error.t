# An error in a nested block.

diagnostics {
  error {
    from {
      line   = 3
      column = 5
      byte   = 14
    }
    to {
      line   = 3
      column = 6
      byte   = 15
    }
  }
}
