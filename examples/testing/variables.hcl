variable "user" {
  type = object({
    name   = string
    groups = list(string)
    mfa    = optional(bool, false)
  })
}
variable "file" {
  type = object({
    group  = string
    locked = optional(bool, false)
  })
}
variable "action" {
  type    = string
  default = "read"
}
variable "ip" {
  type    = string
  default = "10.0.0.1"
}
variable "hour" {
  type    = number
  default = 12
  validation {
    condition     = hour >= 0 && hour < 24
    error_message = "The hour is ${hour}."
  }
}
