b "q" "r" {
}
b "p" "s" {
}
