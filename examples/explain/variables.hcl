variable "user" {
  type = object({
    name      = string
    groups    = list(string)
    quota     = number
    suspended = optional(bool, false)
  })
}
variable "document" {
  type = object({ owner = string, size = number })
}
variable "action" {
  type = string
}
variable "token" {
  type      = string
  default   = ""
  sensitive = true
}
