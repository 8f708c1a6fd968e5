locals {
  is_blocked = contains(["10.0.1.4", "10.0.1.5", "10.0.1.6"], request.ip)
  is_first   = startswith(request.path, "v1") && contains(["v1", "v2", "admin"], request.token)
  is_second  = startswith(request.path, "v2") && contains(["v2", "admin"], request.token)
  is_admin   = startswith(request.path, "/admin") && request.token == "admin" && contains(["10.0.1.1", "10.0.1.2", "10.0.1.3"], request.ip)
}
answer = !local.is_blocked && (local.is_first || local.is_second || local.is_admin)
