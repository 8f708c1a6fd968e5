b {
  q = 1
  p = "x"
}
