# A label that no spec wants is an error.

diagnostics {
  error {
    from {
      line   = 1
      column = 3
      byte   = 2
    }
    to {
      line   = 1
      column = 6
      byte   = 5
    }
  }
}
