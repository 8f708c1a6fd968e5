# Feature flags
# The features that are on for a user: by name, by plan, or for a percentage of all users.
[
  for flag in flags : flag.name
  if flag.enabled && !contains(flag.blocked, user.id) && (
    contains(flag.users, user.id) ||
    contains(flag.plans, user.plan) ||
    crc32("${flag.name}/${user.id}") % 100 < flag.percent
  )
]
