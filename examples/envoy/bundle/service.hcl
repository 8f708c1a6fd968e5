# What the policy gets of what Envoy tells. The policy's result, an object, is the answer.

authz {
  variables = {
    method  = http.method
    path    = http.path_segments
    user    = try(http.headers["x-user"], null)
    tenant  = try(envoy.context_extensions.tenant, "none")
    order   = try(envoy.body.json, null)
    partial = try(envoy.body.truncated, false)
  }
  entry = "orders/answer"
}
