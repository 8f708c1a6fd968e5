# A string is no block.

diagnostics {
  error {
    from {
      line   = 1
      column = 7
      byte   = 6
    }
    to {
      line   = 1
      column = 10
      byte   = 9
    }
  }
}
