# Who may do what with the documents of a billing service.
#
# Each request brings four variables: `user`, `request`, `resource` and `now` (see requests.ndjson). The answer is
# policy.access.decision; the service also reads the obligations, the cache times and the audit record.

service = "billing"
version = 7

policy "access" {
  # The first rule whose `when` is true decides. Denials that nothing may override come first, the default last.
  decision = [
    for rule in [
      {
        id     = "suspended"
        effect = "deny"
        when   = user.status != "active"
        reason = "user ${user.id} is ${user.status}"
      },
      {
        id     = "blocked-network"
        effect = "deny"
        when   = length([for p in ["203.0.113.", "198.51.100."] : p if startswith(request.ip, p)]) > 0 || contains(["192.0.2.7", "192.0.2.66"], request.ip)
        reason = "address ${request.ip} is blocked"
      },
      {
        id     = "stale-token"
        effect = "deny"
        when   = request.token.age_minutes > (user.mfa ? 720 : 60)
        reason = "token is ${request.token.age_minutes} minutes old, ${request.token.age_minutes - (user.mfa ? 720 : 60)} too many"
      },
      {
        id     = "legal-hold"
        effect = "deny"
        when   = lookup(try(resource.tags, {}), "legal_hold", "false") == "true" && contains(["delete", "update"], request.action)
        reason = "${resource.type} ${resource.id} is on hold${try(" for case ${resource.tags.case}", "")}"
      },
      {
        # An engineer on call opens the glass with a ticket, for some hours.
        id     = "break-glass"
        effect = "allow"
        when   = contains(user.roles, "oncall") && can(user.break_glass.ticket) && try(now.hour < user.break_glass.until_hour, false)
        reason = "ticket ${upper(trimspace(try(user.break_glass.ticket, "none")))}"
      },
      {
        id     = "restricted-needs-mfa"
        effect = "deny"
        when   = resource.classification == "restricted" && !user.mfa
        reason = "restricted ${resource.type} without a second factor"
      },
      {
        id     = "residency"
        effect = "deny"
        when   = resource.region != user.region && resource.classification != "public" && !contains(user.roles, "global")
        reason = "%{if resource.region == "eu"}data of the EU stays there%{else}data of ${upper(resource.region)} is not for ${upper(user.region)}%{endif}"
      },
      {
        id     = "external-hours"
        effect = "deny"
        when   = strcontains(lower(user.email), "+ext@") && (contains(["sat", "sun"], now.weekday) || now.hour < 8 || now.hour >= 18)
        reason = "external staff works on weekdays from 8 to 18, it is ${now.weekday} ${now.hour}:00"
      },
      {
        id     = "admin-inside"
        effect = "allow"
        when   = contains(user.roles, "admin") && (startswith(request.ip, "10.") || startswith(request.ip, "172.16."))
        reason = "administrator from inside"
      },
      {
        id     = "admin-outside"
        effect = "allow"
        when   = contains(user.roles, "admin") && user.mfa && request.action != "delete"
        reason = "administrator with a second factor from ${join(".", [for i, octet in split(".", request.ip) : i < 2 ? octet : "x"])}"
      },
      {
        id     = "own-approval"
        effect = "deny"
        when   = request.action == "approve" && resource.owner == user.id
        reason = "nobody approves what is their own"
      },
      {
        id     = "owner"
        effect = "allow"
        when   = resource.owner == user.id
        reason = "owner of ${resource.id}"
      },
      {
        # Amounts are in cents. A manager's bound grows with the years of service, up to three times the base.
        id     = "manager-approval"
        effect = "allow"
        when   = contains(user.roles, "manager") && request.action == "approve" && resource.department == user.department && resource.amount <= lookup({ finance = 5000000, sales = 1500000, it = 800000 }, user.department, 100000) * min(3, max(1, user.years - 2))
        reason = "manager of ${user.department} approves ${resource.amount} cents"
      },
      {
        id     = "auditor"
        effect = "allow"
        when   = contains(user.roles, "auditor") && contains(["read", "list"], request.action) && user.clearance >= { public = 0, internal = 1, confidential = 2, restricted = 3 }[resource.classification]
        reason = "auditor with clearance ${user.clearance}"
      },
      {
        id     = "shared"
        effect = "allow"
        when   = request.action == "read" && length([for g in user.groups : g if contains(resource.shared_with, g)]) > 0
        reason = "shared with ${join(" and ", [for g in user.groups : g if contains(resource.shared_with, g)])}"
      },
      {
        id     = "service-too-large"
        effect = "deny"
        when   = endswith(user.email, ".svc.example.com") && request.action == "create" && resource.size_mb > 64
        reason = "${resource.size_mb} MB from ${split("@", user.email)[0]}, at most 64"
      },
      {
        id     = "service-scope"
        effect = "allow"
        when   = endswith(user.email, ".svc.example.com") && contains(request.token.scopes, "${resource.type}:${request.action}")
        reason = "scope ${resource.type}:${request.action} of ${split("@", user.email)[0]}"
      },
      {
        id     = "public"
        effect = "allow"
        when   = resource.classification == "public" && (request.action == "read" || request.action == "list")
        reason = "public ${resource.type}"
      },
      {
        id     = "default"
        effect = "deny"
        when   = true
        reason = "no rule lets ${coalesce(user.name, user.id)} ${request.action} a ${resource.type}%{if length(user.roles) > 0} as ${join(", ", user.roles)}%{endif}"
      },
    ] : { allow = rule.effect == "allow", rule = rule.id, reason = rule.reason } if rule.when
  ][0]

  obligations = concat(
    [for tag, value in try(resource.tags, {}) : "tag:${tag}=${value}" if tag != "case"],
    request.action == "delete" ? ["keep-copy"] : [],
    resource.classification == "restricted" || resource.classification == "confidential" ? ["log", "watermark"] : ["log"],
  )

  # How long a caller may keep the decision, in seconds.
  cache "allow" {
    seconds = contains(["read", "list"], request.action) ? abs(now.hour - 12) * 60 + 30 : 0
  }
  cache "deny" {
    seconds = user.status == "active" ? 5 : 3600
    shared  = true
  }

  audit {
    level  = { public = "none", internal = "brief", confidential = "full", restricted = "full" }[resource.classification]
    fields = merge({ id = request.id, roles = length(user.roles) }, resource.amount > 1000000 ? { amount = tostring(resource.amount) } : { amount = "small" })
    record = <<-EOT
      ${request.id}: ${user.email} (${join("/", user.roles)})
        ${upper(request.action)} ${resource.type} ${resource.id}%{for name in keys(try(resource.tags, {}))} ${name}=${resource.tags[name]}%{endfor}
        at ${now.weekday} ${now.hour}:00 from ${request.ip}
    EOT
  }
}

rate_limit "billing" "per_user" {
  requests = contains(user.roles, "admin") ? 1000 : 100 + 50 * length(user.groups)
  burst    = endswith(user.email, ".svc.example.com") ? 500 : 20
}
