# Versions compared
# The clients that are older than what their platform needs.
[
  for c in clients : c.name
  if(
    tonumber(split(".", c.version)[0]) * 1000000 + tonumber(split(".", c.version)[1]) * 1000 + tonumber(split(".", c.version)[2]) <
    tonumber(split(".", minimum[c.platform])[0]) * 1000000 + tonumber(split(".", minimum[c.platform])[1]) * 1000 + tonumber(split(".", minimum[c.platform])[2])
  )
]
