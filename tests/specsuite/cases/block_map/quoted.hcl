b q {
}
b "a b" {
}
