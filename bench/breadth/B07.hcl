# Routing of a path
# The first route that fits a request, with the path that its backend sees.
try(
  [
    for route in routes : {
      backend = route.backend
      path    = "${route.rewrite}${trimprefix(request.path, route.prefix)}"
      timeout = coalesce(route.timeout, 30)
    }
    if (route.host == "*" || route.host == request.host) && startswith(request.path, route.prefix) && contains(route.methods, request.method)
  ][0],
  { backend = "not-found", path = request.path, timeout = 5 },
)
