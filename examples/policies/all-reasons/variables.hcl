variable "service" {
  type = object({
    name     = string
    owner    = optional(string, "")
    replicas = number
    ports    = list(number)
  })
}
