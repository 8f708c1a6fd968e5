variable "env" {
  type = string
}
variable "replicas" {
  type = number
}
