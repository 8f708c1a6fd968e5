b "q" {
}
b "q" {
  y = 1
}
