b "q" "r" {
  x = 1
}
b "p" "r" {
  x = 2
}
b "q" "s" {
}
