# What each request brings (see requests.ndjson), and what of it may be missing.

variable "user" {
  type = object({
    id          = string
    name        = optional(string)
    email       = string
    status      = string
    region      = string
    department  = string
    roles       = list(string)
    groups      = list(string)
    mfa         = bool
    clearance   = number
    years       = number
    break_glass = optional(object({ ticket = string, until_hour = number }), { ticket = "none", until_hour = 0 })
  })
}
variable "request" {
  type = object({ id = string, action = string, ip = string, token = object({ age_minutes = number, scopes = list(string) }) })
}
variable "resource" {
  type = object({
    id             = string
    type           = string
    owner          = string
    department     = string
    region         = string
    classification = string
    amount         = number
    size_mb        = number
    shared_with    = list(string)
    tags           = optional(map(string), {})
  })
}
variable "now" {
  type = object({ hour = number, weekday = string })
}
