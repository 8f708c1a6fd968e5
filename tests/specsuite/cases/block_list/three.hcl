b {
  x = 3
}
b {
}
b {
  x = 1
}
