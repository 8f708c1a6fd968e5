# A required attribute must be set, in the JSON syntax.

diagnostics {
  error {
    from {
      line   = 2
      column = 1
      byte   = 2
    }
    to {
      line   = 2
      column = 2
      byte   = 3
    }
  }
}
