# Rules that come as data
# The first rule that matches a request decides; without one, it is refused.
try(
  [
    for rule in rules : { effect = rule.effect, rule = rule.id }
    if contains(rule.actions, request.action) &&
    startswith(request.resource, rule.prefix) &&
    (rule.roles == null ? true : anytrue([for role in request.roles : contains(rule.roles, role)]))
  ][0],
  { effect = "deny", rule = "default" },
)
