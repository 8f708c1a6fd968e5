# How each release of a web shop is rolled out, per environment.
#
# A release brings: `version` ("MAJOR.MINOR.PATCH" and perhaps "-rcN"), `env` (where it goes now), `regions`,
# `flags` (feature name to "on", "off" or a percentage), `overrides` (settings that the release manager forces), `owners`
# and `replicas` per region. See scopes.ndjson; expected.ndjson has the resulting configuration of each line.

name      = "shop-${env}"
version   = version
candidate = can(regions[0]) && strcontains(version, "-rc")

title = trimspace(<<EOT
  Release ${version} to ${upper(env)}%{if length(regions) > 1} (${length(regions)} regions)%{endif}
EOT
)

settings {
  log_level   = lookup(overrides, "log_level", env == "prod" ? "warn" : "debug")
  image       = "shop/web:${split("-", version)[0]}${strcontains(version, "-rc") ? "-candidate" : ""}"
  major       = tonumber(split(".", version)[0])
  features    = [for name, state in flags : name if state == "on"]
  percentages = { for name, state in flags : name => tonumber(state) if can(tonumber(state)) }
  dark        = !contains(values(flags), "on")
}

environment "dev" {
  enabled  = true
  replicas = 1
  url      = "https://${lower(owners[0].name)}.dev.example.com"
}

environment "stage" {
  enabled  = contains(["stage", "prod"], env)
  replicas = max(1, [for r, n in replicas : n]...)
  url      = "https://stage.example.com"

  check "smoke" {
    path    = "/healthz"
    timeout = "${5 + 5 * length(regions)}s"
  }
}

environment "prod" {
  enabled  = env == "prod" && !strcontains(version, "-rc")
  replicas = merge({ for r in regions : r => 3 }, replicas)
  url      = "https://www.example.com"

  check "smoke" {
    path    = "/healthz"
    timeout = "5s"
  }
  check "latency" {
    path      = "/search?q=%{for i, r in regions}${i > 0 ? "+" : ""}${r}%{endfor}"
    max_ms    = coalesce(try(tonumber(overrides.max_ms), null), 250) * (length(regions) > 2 ? 1.5 : 1)
    frequency = 0.1 + 0.2
  }
  wave "canary" {
    percent = min(10, max(1, abs(length(keys(flags)) - 6)))
    regions = [for r in regions : r if endswith(r, "-1")]
  }
  wave "rest" {
    percent = 100
    regions = concat([for r in regions : r if !endswith(r, "-1")], env == "prod" ? ["edge"] : [])
  }
}

notify "mail" "owners" {
  to      = owners[*].mail
  by_team = { for o in owners : o.team => o.name... }
  body    = <<-EOT
    Hello ${join(", ", [for o in owners : o.name])},

    ${version} is going to ${env}.
      Flags: ${join(" ", [for k in keys(flags) : "${k}=${flags[k]}"])}
    "Quoted", $${literal} and a backslash: \n
  EOT
}

notify "chat" "room" {
  to    = startswith(env, "prod") ? "#releases" : "#builds"
  quiet = tobool(lookup(overrides, "quiet", "false"))
}

notify "chat" "room" {
  to    = "#audit"
  quiet = null
}
