variable "user" {
  type = string
}
variable "now" {
  type = string
  validation {
    condition     = can(timeadd(now, "0s"))
    error_message = "now is a timestamp such as 2026-01-31T08:00:00Z, and not \"${now}\"."
  }
}
variable "grants" {
  type    = list(object({ user = string, from = string, hours = number }))
  default = []
}
