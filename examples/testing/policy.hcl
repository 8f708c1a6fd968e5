locals {
  is_member = contains(user.groups, file.group)
  because = [
    for rule in [
      { id = "group", when = !local.is_member },
      { id = "locked", when = file.locked && action != "read" },
      { id = "night", when = hour < 6 && !user.mfa },
      { id = "abroad", when = country(ip) != "de" },
    ] : rule.id if rule.when
  ]
}

allow   = length(local.because) == 0
because = local.because

policy "audit" {
  record = {
    who    = user.name
    what   = action
    reason = local.because
  }
}
