variable "user" {
  type = object({ name = string, groups = list(string), mfa = optional(bool, false) })
}
variable "action" {
  type = string
}
variable "file" {
  type = object({ group = string, locked = optional(bool, false), secret = optional(bool, false) })
}
