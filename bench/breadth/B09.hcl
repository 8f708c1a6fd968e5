# Quotas
# Whether what is asked for fits into what a team has left, and by how much not.
[
  for over in [{
    for resource, limit in quotas[team] : resource => lookup(used[team], resource, 0) + lookup(request, resource, 0) - limit
    if lookup(request, resource, 0) > 0 && lookup(used[team], resource, 0) + lookup(request, resource, 0) > limit
    }] : {
    allowed = length(keys(over)) == 0
    over    = over
  }
][0]
