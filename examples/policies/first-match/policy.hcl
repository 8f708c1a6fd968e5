decision = [
  for rule in [
    { id = "suspended", allow = false, when = user.suspended },
    { id = "owner", allow = true, when = document.owner == user.name },
    { id = "public", allow = true, when = document.public && action == "read" },
    { id = "default", allow = false, when = true },
  ] : { allow = rule.allow, rule = rule.id } if rule.when
][0]
