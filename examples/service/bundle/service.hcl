# How a request that a proxy asks about becomes a question to the policy, and its answer one to the proxy.

authz {
  variables = { request = http }
  entry     = "files/decision"
  allow     = result.allow
  status    = result.login ? 401 : 403
  headers = {
    "www-authenticate" = result.login ? "Basic realm=\"files\"" : null
    "x-rule"           = result.rule
  }
  body = "${result.reason}\n"
}
