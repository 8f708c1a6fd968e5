variable "user" {
  type = object({ name = string, admin = optional(bool, false) })
}

variable "team" {
  type    = list(string)
  default = ["ann"]
}

locals {
  owners = concat(var.team, ["bo"])
}
