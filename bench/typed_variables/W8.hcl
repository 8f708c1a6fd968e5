variable "limits" {
  type = map(object({ burst = number, rps = number }))
}
variable "quota" {
  type = map(number)
}
variable "user" {
  type = object({ id = string, tier = string })
}
