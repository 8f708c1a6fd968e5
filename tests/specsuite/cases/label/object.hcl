b "q" {
  x = 1
}
b "q" {
  x = 2
}
