variable "user" {
  type = object({ name = string, roles = list(string) })
}
variable "action" {
  type = string
}
