# Who may do what with orders: known users read; they create orders of at most 1000, as JSON that is there whole.

locals {
  amount  = try(order.amount, null)
  is_read = contains(["GET", "HEAD"], method)
  is_good = method == "POST" && join("/", path) == "orders" && !partial && try(local.amount <= 1000, false)

  rule = (
    user == null ? "login" :
    try(path[0], "") != "orders" ? "unknown" :
    local.is_read ? "read" :
    local.is_good ? "create" : "too-much"
  )
}

answer = {
  allow  = contains(["read", "create"], local.rule)
  status = lookup({ login = 401, unknown = 404 }, local.rule, 403)
  body   = "${local.rule}\n"
  headers = {
    "x-rule"   = local.rule
    "x-tenant" = tenant
  }
  headers_to_remove = ["x-debug"]
  dynamic_metadata  = { rule = local.rule }
}
