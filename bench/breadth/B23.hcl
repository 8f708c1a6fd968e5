# Split and joined texts
# A query with its parameters in order, and without those that are not known.
join("&", [
  for p in sort(split("&", trimprefix(request.query, "?"))) : "${lower(split("=", p)[0])}=${try(split("=", p)[1], "")}"
  if contains(known, lower(split("=", p)[0]))
])
