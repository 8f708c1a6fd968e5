variable "user" {
  type = object({ name = string, suspended = optional(bool, false) })
}
variable "action" {
  type = string
}
variable "document" {
  type = object({ owner = string, public = optional(bool, false) })
}
