# Objects projected
# What a list of users shows of each.
[
  for u in users : {
    id      = u.id
    name    = "${u.first} ${u.last}"
    contact = u.phone == null ? u.email : u.phone
    roles   = length(u.roles)
    admin   = contains(u.roles, "admin")
  }
  if u.active
]
