variable "account" {
  type = object({
    plan  = optional(string, "free")
    limit = optional(number)
  })
}
variable "limits" {
  description = "Requests a minute, by plan."
  type        = map(number)
  default     = { free = 10, team = 200 }
}
