# A config of 200 settings
# A company's services: five that answer requests, five that work on queues, five databases and five caches.

api_image     = "${registry}/api:${lookup(versions, "api", "latest")}"
api_replicas  = env == "prod" ? max(3, lookup(replicas, "api", 0)) : 1
api_port      = 8080
api_host      = env == "prod" ? "api.${domain}" : "api.${env}.${domain}"
api_url       = "https://api.${region}.${domain}:8080/"
api_memory_mb = size == "large" ? 2048 : size == "medium" ? 1024 : 512
api_cpu_m     = env == "prod" ? 1024 : 250
api_public    = contains(public, "api")
api_timeout   = try(timeouts.api, 30)
api_log_level = env == "dev" ? "debug" : lookup(levels, "api", "info")

web_image     = "${registry}/web:${lookup(versions, "web", "latest")}"
web_replicas  = env == "prod" ? max(2, lookup(replicas, "web", 0)) : 1
web_port      = 8081
web_host      = env == "prod" ? "web.${domain}" : "web.${env}.${domain}"
web_url       = "https://web.${region}.${domain}:8081/"
web_memory_mb = size == "large" ? 1024 : size == "medium" ? 512 : 256
web_cpu_m     = env == "prod" ? 512 : 250
web_public    = contains(public, "web")
web_timeout   = try(timeouts.web, 30)
web_log_level = env == "dev" ? "debug" : lookup(levels, "web", "info")

admin_image     = "${registry}/admin:${lookup(versions, "admin", "latest")}"
admin_replicas  = env == "prod" ? max(1, lookup(replicas, "admin", 0)) : 1
admin_port      = 8090
admin_host      = env == "prod" ? "admin.${domain}" : "admin.${env}.${domain}"
admin_url       = "https://admin.${region}.${domain}:8090/"
admin_memory_mb = size == "large" ? 1024 : size == "medium" ? 512 : 256
admin_cpu_m     = env == "prod" ? 512 : 250
admin_public    = contains(public, "admin")
admin_timeout   = try(timeouts.admin, 30)
admin_log_level = env == "dev" ? "debug" : lookup(levels, "admin", "info")

auth_image     = "${registry}/auth:${lookup(versions, "auth", "latest")}"
auth_replicas  = env == "prod" ? max(3, lookup(replicas, "auth", 0)) : 1
auth_port      = 8443
auth_host      = env == "prod" ? "auth.${domain}" : "auth.${env}.${domain}"
auth_url       = "https://auth.${region}.${domain}:8443/"
auth_memory_mb = size == "large" ? 2048 : size == "medium" ? 1024 : 512
auth_cpu_m     = env == "prod" ? 1024 : 250
auth_public    = contains(public, "auth")
auth_timeout   = try(timeouts.auth, 30)
auth_log_level = env == "dev" ? "debug" : lookup(levels, "auth", "info")

search_image     = "${registry}/search:${lookup(versions, "search", "latest")}"
search_replicas  = env == "prod" ? max(2, lookup(replicas, "search", 0)) : 1
search_port      = 9200
search_host      = env == "prod" ? "search.${domain}" : "search.${env}.${domain}"
search_url       = "https://search.${region}.${domain}:9200/"
search_memory_mb = size == "large" ? 4096 : size == "medium" ? 2048 : 1024
search_cpu_m     = env == "prod" ? 2048 : 250
search_public    = contains(public, "search")
search_timeout   = try(timeouts.search, 30)
search_log_level = env == "dev" ? "debug" : lookup(levels, "search", "info")

mailer_image       = "${registry}/mailer:${lookup(versions, "mailer", "latest")}"
mailer_replicas    = env == "prod" ? 2 : 1
mailer_queue       = "${env}-${region}-mailer"
mailer_concurrency = size == "large" ? 32 : 8
mailer_memory_mb   = size == "large" ? 512 : size == "medium" ? 256 : 128
mailer_cpu_m       = 500
mailer_retries     = try(retries.mailer, 3)
mailer_enabled     = !contains(paused, "mailer")
mailer_log_level   = env == "dev" ? "debug" : lookup(levels, "mailer", "info")
mailer_schedule    = env == "prod" ? "*/5 * * * *" : "0 * * * *"

billing_image       = "${registry}/billing:${lookup(versions, "billing", "latest")}"
billing_replicas    = env == "prod" ? 4 : 2
billing_queue       = "${env}-${region}-billing"
billing_concurrency = size == "large" ? 32 : 8
billing_memory_mb   = size == "large" ? 1024 : size == "medium" ? 512 : 256
billing_cpu_m       = 500
billing_retries     = try(retries.billing, 3)
billing_enabled     = !contains(paused, "billing")
billing_log_level   = env == "dev" ? "debug" : lookup(levels, "billing", "info")
billing_schedule    = env == "prod" ? "*/5 * * * *" : "0 * * * *"

reports_image       = "${registry}/reports:${lookup(versions, "reports", "latest")}"
reports_replicas    = env == "prod" ? 2 : 1
reports_queue       = "${env}-${region}-reports"
reports_concurrency = size == "large" ? 32 : 8
reports_memory_mb   = size == "large" ? 2048 : size == "medium" ? 1024 : 512
reports_cpu_m       = 500
reports_retries     = try(retries.reports, 3)
reports_enabled     = !contains(paused, "reports")
reports_log_level   = env == "dev" ? "debug" : lookup(levels, "reports", "info")
reports_schedule    = env == "prod" ? "*/5 * * * *" : "0 * * * *"

imports_image       = "${registry}/imports:${lookup(versions, "imports", "latest")}"
imports_replicas    = env == "prod" ? 8 : 4
imports_queue       = "${env}-${region}-imports"
imports_concurrency = size == "large" ? 32 : 8
imports_memory_mb   = size == "large" ? 2048 : size == "medium" ? 1024 : 512
imports_cpu_m       = 500
imports_retries     = try(retries.imports, 3)
imports_enabled     = !contains(paused, "imports")
imports_log_level   = env == "dev" ? "debug" : lookup(levels, "imports", "info")
imports_schedule    = env == "prod" ? "*/5 * * * *" : "0 * * * *"

exports_image       = "${registry}/exports:${lookup(versions, "exports", "latest")}"
exports_replicas    = env == "prod" ? 4 : 2
exports_queue       = "${env}-${region}-exports"
exports_concurrency = size == "large" ? 32 : 8
exports_memory_mb   = size == "large" ? 1024 : size == "medium" ? 512 : 256
exports_cpu_m       = 500
exports_retries     = try(retries.exports, 3)
exports_enabled     = !contains(paused, "exports")
exports_log_level   = env == "dev" ? "debug" : lookup(levels, "exports", "info")
exports_schedule    = env == "prod" ? "*/5 * * * *" : "0 * * * *"

users_size_gb         = env == "prod" ? 50 : 5
users_instance        = "db.${size == "large" ? "r6g.2xlarge" : size == "medium" ? "r6g.large" : "t4g.small"}"
users_version         = "15.4"
users_multi_az        = env == "prod"
users_backup_days     = env == "prod" ? 30 : env == "stage" ? 7 : 1
users_name            = "${env}_users"
users_max_connections = (size == "large" ? 8 : size == "medium" ? 4 : 1) * 100
users_encrypted       = true
users_window          = startswith(region, "eu-") ? "02:00-03:00" : "08:00-09:00"
users_dsn             = "postgres://app@users.${env}.${domain}:5432/${env}_users"

orders_size_gb         = env == "prod" ? 200 : 20
orders_instance        = "db.${size == "large" ? "r6g.2xlarge" : size == "medium" ? "r6g.large" : "t4g.small"}"
orders_version         = "15.4"
orders_multi_az        = env == "prod"
orders_backup_days     = env == "prod" ? 30 : env == "stage" ? 7 : 1
orders_name            = "${env}_orders"
orders_max_connections = (size == "large" ? 8 : size == "medium" ? 4 : 1) * 100
orders_encrypted       = true
orders_window          = startswith(region, "eu-") ? "02:00-03:00" : "08:00-09:00"
orders_dsn             = "postgres://app@orders.${env}.${domain}:5432/${env}_orders"

stock_size_gb         = env == "prod" ? 100 : 10
stock_instance        = "db.${size == "large" ? "r6g.2xlarge" : size == "medium" ? "r6g.large" : "t4g.small"}"
stock_version         = "14.9"
stock_multi_az        = env == "prod"
stock_backup_days     = env == "prod" ? 30 : env == "stage" ? 7 : 1
stock_name            = "${env}_stock"
stock_max_connections = (size == "large" ? 8 : size == "medium" ? 4 : 1) * 100
stock_encrypted       = true
stock_window          = startswith(region, "eu-") ? "02:00-03:00" : "08:00-09:00"
stock_dsn             = "postgres://app@stock.${env}.${domain}:5432/${env}_stock"

events_size_gb         = env == "prod" ? 500 : 50
events_instance        = "db.${size == "large" ? "r6g.2xlarge" : size == "medium" ? "r6g.large" : "t4g.small"}"
events_version         = "15.4"
events_multi_az        = env == "prod"
events_backup_days     = env == "prod" ? 30 : env == "stage" ? 7 : 1
events_name            = "${env}_events"
events_max_connections = (size == "large" ? 8 : size == "medium" ? 4 : 1) * 100
events_encrypted       = true
events_window          = startswith(region, "eu-") ? "02:00-03:00" : "08:00-09:00"
events_dsn             = "postgres://app@events.${env}.${domain}:5432/${env}_events"

audit_size_gb         = env == "prod" ? 300 : 30
audit_instance        = "db.${size == "large" ? "r6g.2xlarge" : size == "medium" ? "r6g.large" : "t4g.small"}"
audit_version         = "13.12"
audit_multi_az        = env == "prod"
audit_backup_days     = env == "prod" ? 30 : env == "stage" ? 7 : 1
audit_name            = "${env}_audit"
audit_max_connections = (size == "large" ? 8 : size == "medium" ? 4 : 1) * 100
audit_encrypted       = true
audit_window          = startswith(region, "eu-") ? "02:00-03:00" : "08:00-09:00"
audit_dsn             = "postgres://app@audit.${env}.${domain}:5432/${env}_audit"

sessions_nodes         = env == "prod" ? 3 : 1
sessions_type          = "cache.${size == "large" ? "r6g.large" : "t4g.small"}"
sessions_ttl           = try(ttls.sessions, 300)
sessions_max_memory_mb = size == "large" ? 2048 : size == "medium" ? 1024 : 512
sessions_policy        = "volatile-ttl"
sessions_port          = 6379
sessions_endpoint      = "sessions.${env}.${region}.cache.${domain}"
sessions_persistent    = env == "prod" && size != "small"
sessions_prefix        = "${env}:sessions:"
sessions_tls           = env != "dev"

pages_nodes         = env == "prod" ? 3 : 1
pages_type          = "cache.${size == "large" ? "r6g.large" : "t4g.small"}"
pages_ttl           = try(ttls.pages, 300)
pages_max_memory_mb = size == "large" ? 4096 : size == "medium" ? 2048 : 1024
pages_policy        = "allkeys-lru"
pages_port          = 6379
pages_endpoint      = "pages.${env}.${region}.cache.${domain}"
pages_persistent    = env == "prod" && size != "small"
pages_prefix        = "${env}:pages:"
pages_tls           = env != "dev"

carts_nodes         = env == "prod" ? 3 : 1
carts_type          = "cache.${size == "large" ? "r6g.large" : "t4g.small"}"
carts_ttl           = try(ttls.carts, 300)
carts_max_memory_mb = size == "large" ? 1024 : size == "medium" ? 512 : 256
carts_policy        = "noeviction"
carts_port          = 6379
carts_endpoint      = "carts.${env}.${region}.cache.${domain}"
carts_persistent    = env == "prod" && size != "small"
carts_prefix        = "${env}:carts:"
carts_tls           = env != "dev"

tokens_nodes         = env == "prod" ? 3 : 1
tokens_type          = "cache.${size == "large" ? "r6g.large" : "t4g.small"}"
tokens_ttl           = try(ttls.tokens, 300)
tokens_max_memory_mb = size == "large" ? 512 : size == "medium" ? 256 : 128
tokens_policy        = "volatile-ttl"
tokens_port          = 6379
tokens_endpoint      = "tokens.${env}.${region}.cache.${domain}"
tokens_persistent    = env == "prod" && size != "small"
tokens_prefix        = "${env}:tokens:"
tokens_tls           = env != "dev"

rates_nodes         = env == "prod" ? 3 : 1
rates_type          = "cache.${size == "large" ? "r6g.large" : "t4g.small"}"
rates_ttl           = try(ttls.rates, 300)
rates_max_memory_mb = size == "large" ? 256 : size == "medium" ? 128 : 64
rates_policy        = "allkeys-lru"
rates_port          = 6379
rates_endpoint      = "rates.${env}.${region}.cache.${domain}"
rates_persistent    = env == "prod" && size != "small"
rates_prefix        = "${env}:rates:"
rates_tls           = env != "dev"
