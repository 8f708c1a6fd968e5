variable "method" {
  type = string
}
variable "path" {
  type = list(string)
}
variable "user" {
  type     = string
  nullable = true
}
variable "tenant" {
  type = string
}
variable "order" {
  type     = any
  nullable = true
}
variable "partial" {
  type = bool
}
