# Addresses normalised
# Mail addresses as a directory keeps them: small letters, no blanks, no part behind a +.
[
  for u in users : {
    domain   = split("@", lower(trimspace(u.email)))[1]
    email    = join("@", [split("+", split("@", lower(trimspace(u.email)))[0])[0], split("@", lower(trimspace(u.email)))[1]])
    internal = endswith(lower(trimspace(u.email)), "@example.com")
    host     = trimsuffix(lower(trimspace(u.host)), ".")
  }
]
