locals {
  grants = [
    for rule in [
      { id = "group", when = contains(user.groups, file.group) },
      { id = "admin", when = contains(user.groups, "admin") },
    ] : rule.id if rule.when
  ]
  denials = [
    for rule in [
      { id = "locked", when = file.locked && action != "read" },
      { id = "needs-mfa", when = file.secret && !user.mfa },
    ] : rule.id if rule.when
  ]
}

allow   = length(local.denials) == 0 && length(local.grants) > 0
because = length(local.denials) > 0 ? local.denials : local.grants
