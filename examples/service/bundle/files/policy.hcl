# Who may read which files: all may read what is public, whoever brings a token the rest, nobody writes.

locals {
  is_public = length(request.path_segments) > 0 && try(request.path_segments[0], "") == "public"
  has_token = try(request.headers.authorization, "") == "Bearer open sesame"
}

decision = [
  for rule in [
    { rule = "read-only", allow = false, login = false, when = !contains(["GET", "HEAD"], request.method),
    reason = "files can only be read" },
    { rule = "public", allow = true, login = false, when = local.is_public, reason = "public" },
    { rule = "token", allow = true, login = false, when = local.has_token, reason = "a token" },
    { rule = "default", allow = false, login = true, when = true, reason = "who are you?" },
  ] : { rule = rule.rule, allow = rule.allow, login = rule.login, reason = rule.reason } if rule.when
][0]
