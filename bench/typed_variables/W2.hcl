variable "a" {
  type = number
}
variable "b" {
  type = number
}
variable "c" {
  type = number
}
variable "d" {
  type = number
}
