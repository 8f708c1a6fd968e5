# A config of 10 settings
# Evaluated as a whole, as an application does when it starts or gets new variables.
name      = "${app.name}-${env}"
replicas  = env == "prod" ? max(3, app.replicas) : 1
image     = "${registry}/${app.name}:${app.version}"
port      = coalesce(app.port, 8080)
host      = env == "prod" ? "${app.name}.example.com" : "${app.name}.${env}.example.com"
memory_mb = app.size == "large" ? 4096 : app.size == "medium" ? 1024 : 256
public    = contains(app.labels, "public") && env != "dev"
health    = try(app.health.path, "/healthz")
labels    = { app = app.name, env = env, team = lookup(teams, app.name, "platform") }
log_level = { prod = "warn", stage = "info", dev = "debug" }[env]
