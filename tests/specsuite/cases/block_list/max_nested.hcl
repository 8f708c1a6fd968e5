a {
}
a {
  b {
    x = 1
  }
}
