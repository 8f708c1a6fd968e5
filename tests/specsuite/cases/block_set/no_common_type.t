# Values that come to no common type.

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
