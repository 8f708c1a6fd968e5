b {
  x = "y"
}
