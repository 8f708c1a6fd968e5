locals {
  is_admin  = contains(user.groups, "admin")
  has_token = strlen(token) >= 8
}

function "large" {
  params = [size]
  result = size > 1000
}

decision = [
  for rule in [
    { id = "suspended", allow = false, when = user.suspended },
    { id = "owner", allow = true, when = document.owner == user.name && action == "read" },
    { id = "admin", allow = true, when = local.is_admin && !large(document.size) },
    { id = "default", allow = false, when = true },
  ] : { allow = rule.allow, rule = rule.id } if rule.when
][0]

home   = "/groups/${user.groups[0]}"
tier   = local.is_admin ? "staff" : user.quota >= 100 ? "gold" : "basic"
signed = local.is_admin || (local.has_token && action != "read")
