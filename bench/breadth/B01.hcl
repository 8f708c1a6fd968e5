# Roles that inherit
# May a user do something by one of their roles, or by a role that it inherits from, up to two levels up?
user.active && anytrue([
  for role in user.roles : anytrue([
    for name in concat([role], roles[role].inherits, flatten([for parent in roles[role].inherits : roles[parent].inherits])) :
    contains(roles[name].permissions, request.permission)
  ])
])
