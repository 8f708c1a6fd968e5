# The gateway before that application knows methods and routes only.

variable "users" {
  type = map(object({ roles = list(string) }))
}
variable "caller" {
  type = string
}
variable "verb" {
  type = string
}
variable "target" {
  type = object({ id = string })
}

locals {
  roles = {
    "GET /users/{userId}"    = ["viewer", "editor", "admin", "evil_genius"]
    "GET /todos"             = ["viewer", "editor", "admin", "evil_genius"]
    "POST /todos"            = ["editor", "admin"]
    "PUT /todos/{todoId}"    = ["editor", "evil_genius"]
    "DELETE /todos/{todoId}" = ["editor", "admin"]
  }
}

allow = length(setintersection(users[caller].roles, lookup(local.roles, "${verb} ${target.id}", []))) > 0
