# What a question brings: who asks, what for, and about which book.

variable "member" {
  type = object({ id = string, role = optional(string, "reader") })
}
variable "action" {
  type = string
}
variable "book" {
  type = object({ id = string, lent_to = optional(string), withdrawn = optional(bool, false) })
}
