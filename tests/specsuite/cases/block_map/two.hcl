b "q" {
  x = 1
}
b "p" {
  x = 2
}
