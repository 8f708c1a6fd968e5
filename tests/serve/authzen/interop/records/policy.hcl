# Records with an owner and a department, of which nothing but their number is told.

variable "people" {
  type = map(object({ role = string, department = string }))
}
variable "records" {
  type = map(object({ owner = string, department = string }))
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
  person     = people[caller]
  record     = records[target.id]
  is_own     = local.record.owner == caller
  is_near    = local.record.department == local.person.department
  is_manager = local.person.role == "manager"
}

allow = {
  view   = local.is_own || local.is_near || local.is_manager
  edit   = local.is_own || (local.is_near && local.is_manager)
  delete = local.is_own
}[verb]
