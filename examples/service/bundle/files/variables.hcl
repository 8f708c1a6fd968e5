variable "request" {
  type = object({
    method        = string
    path_segments = list(string)
    headers       = any
  })
}
