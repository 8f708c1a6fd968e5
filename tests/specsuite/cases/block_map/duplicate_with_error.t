# A block with labels that were there is looked at all the same.

diagnostics {
  error {
    from {
      line   = 3
      column = 1
      byte   = 10
    }
    to {
      line   = 3
      column = 6
      byte   = 15
    }
  }
  error {
    from {
      line   = 4
      column = 3
      byte   = 20
    }
    to {
      line   = 4
      column = 4
      byte   = 21
    }
  }
}
