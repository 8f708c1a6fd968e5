variable "request" {
  type = object({ ip = string, path = string, token = string })
}
