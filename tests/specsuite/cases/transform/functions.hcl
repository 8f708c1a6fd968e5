b {
  x = "p"
}
b {
  x = "q"
}
