# The application of todos: fine-grained questions, of which it tells the owner of a todo.

variable "users" {
  type = map(object({ email = string, roles = list(string) }))
}
variable "caller" {
  type = string
}
variable "verb" {
  type = string
}
variable "target" {
  type = object({ ownerID = optional(string) })
}

locals {
  user   = users[caller]
  edits  = length(setintersection(local.user.roles, ["editor", "admin", "evil_genius"])) > 0
  is_own = local.edits && target.ownerID == local.user.email
}

allow = {
  can_read_user   = true
  can_read_todos  = true
  can_create_todo = local.edits
  can_update_todo = local.is_own || contains(local.user.roles, "evil_genius")
  can_delete_todo = local.is_own || contains(local.user.roles, "admin")
}[verb]
