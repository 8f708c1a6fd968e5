# Hours in minutes
# Who is on call, in minutes since Monday: shifts may go over midnight or the end of the week.
[
  for s in shifts : s.who
  if contains(s.teams, team) && (
    s.from <= s.to ? now >= s.from && now < s.to : now >= s.from || now < s.to
  ) && !contains(s.absent, floor(now / 1440))
]
