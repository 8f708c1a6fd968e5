b "q" {
}
b "q" {
}
