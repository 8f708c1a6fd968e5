# Each attribute has its own error.

diagnostics {
  error {
    from {
      line   = 1
      column = 5
      byte   = 4
    }
    to {
      line   = 1
      column = 8
      byte   = 7
    }
  }
  error {
    from {
      line   = 2
      column = 5
      byte   = 12
    }
    to {
      line   = 2
      column = 8
      byte   = 15
    }
  }
}
