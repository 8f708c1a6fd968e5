locals {
  reader = ["list", "read"]
  editor = concat(local.reader, ["create", "update"])
  owner  = concat(local.editor, ["delete", "share"])
  roles  = { reader = local.reader, editor = local.editor, owner = local.owner }
}

allow = anytrue([for role in user.roles : contains(try(local.roles[role], []), action)])
