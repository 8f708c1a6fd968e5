#include "hclvm/bench/breadth/services.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/bench/breadth/contains.h"

namespace hcl::bench {
namespace {

// The entry of that name, or the default.
template <typename Map, typename Default>
Default Lookup(const Map& map, absl::string_view name, Default otherwise) {
  const auto found = map.find(name);
  return found == map.end() ? otherwise : Default(found->second);
}

// What several settings depend on, looked at once. Answers are filled in place, as they are large.
class Maker {
 public:
  explicit Maker(const B12& scope)
      : scope_(scope), prod_(scope.env == "prod"), large_(scope.size == "large"), medium_(scope.size == "medium") {}

  void Web(B12::Web* web, absl::string_view name, int64_t port, int64_t replicas, int64_t memory_mb) const {
    web->image = Image(name);
    web->replicas = prod_ ? std::max(replicas, Lookup(scope_.replicas, name, int64_t{0})) : 1;
    web->port = port;
    web->host =
        prod_ ? absl::StrCat(name, ".", scope_.domain) : absl::StrCat(name, ".", scope_.env, ".", scope_.domain);
    web->url = absl::StrCat("https://", name, ".", scope_.region, ".", scope_.domain, ":", port, "/");
    web->memory_mb = BySize(memory_mb);
    web->cpu_m = prod_ ? 2 * memory_mb : 250;
    web->is_public = Contains(scope_.public_names, name);
    web->timeout = Lookup(scope_.timeouts, name, int64_t{30});
    web->log_level = LogLevel(name);
  }

  void Worker(B12::Worker* worker, absl::string_view name, int64_t replicas, int64_t memory_mb) const {
    worker->image = Image(name);
    worker->replicas = prod_ ? 2 * replicas : replicas;
    worker->queue = absl::StrCat(scope_.env, "-", scope_.region, "-", name);
    worker->concurrency = large_ ? 32 : 8;
    worker->memory_mb = BySize(memory_mb);
    worker->cpu_m = 500;
    worker->retries = Lookup(scope_.retries, name, int64_t{3});
    worker->enabled = !Contains(scope_.paused, name);
    worker->log_level = LogLevel(name);
    worker->schedule = prod_ ? "*/5 * * * *" : "0 * * * *";
  }

  void Database(B12::Database* database, absl::string_view name, int64_t size_gb, absl::string_view version) const {
    database->size_gb = prod_ ? size_gb : size_gb / 10;
    database->instance = large_ ? "db.r6g.2xlarge" : medium_ ? "db.r6g.large" : "db.t4g.small";
    database->version = std::string(version);
    database->multi_az = prod_;
    database->backup_days = prod_ ? 30 : scope_.env == "stage" ? 7 : 1;
    database->name = absl::StrCat(scope_.env, "_", name);
    database->max_connections = (large_ ? 8 : medium_ ? 4 : 1) * 100;
    database->encrypted = true;
    database->window = absl::StartsWith(scope_.region, "eu-") ? "02:00-03:00" : "08:00-09:00";
    database->dsn =
        absl::StrCat("postgres://app@", name, ".", scope_.env, ".", scope_.domain, ":5432/", database->name);
  }

  void Cache(B12::Cache* cache, absl::string_view name, int64_t memory_mb, absl::string_view policy) const {
    cache->nodes = prod_ ? 3 : 1;
    cache->type = large_ ? "cache.r6g.large" : "cache.t4g.small";
    cache->ttl = Lookup(scope_.ttls, name, int64_t{300});
    cache->max_memory_mb = BySize(memory_mb);
    cache->policy = std::string(policy);
    cache->port = 6379;
    cache->endpoint = absl::StrCat(name, ".", scope_.env, ".", scope_.region, ".cache.", scope_.domain);
    cache->persistent = prod_ && scope_.size != "small";
    cache->prefix = absl::StrCat(scope_.env, ":", name, ":");
    cache->tls = scope_.env != "dev";
  }

 private:
  std::string Image(absl::string_view name) const {
    return absl::StrCat(scope_.registry, "/", name, ":", Lookup(scope_.versions, name, absl::string_view("latest")));
  }

  std::string LogLevel(absl::string_view name) const {
    return scope_.env == "dev" ? "debug" : std::string(Lookup(scope_.levels, name, absl::string_view("info")));
  }

  int64_t BySize(int64_t memory_mb) const { return large_ ? 4 * memory_mb : medium_ ? 2 * memory_mb : memory_mb; }

  const B12& scope_;
  const bool prod_;
  const bool large_;
  const bool medium_;
};

}  // namespace

B12::Answer B12::Evaluate() const {
  const Maker make(*this);
  Answer answer;
  make.Web(&answer.api.value, "api", 8080, 3, 512);
  make.Web(&answer.web.value, "web", 8081, 2, 256);
  make.Web(&answer.admin.value, "admin", 8090, 1, 256);
  make.Web(&answer.auth.value, "auth", 8443, 3, 512);
  make.Web(&answer.search.value, "search", 9200, 2, 1024);
  make.Worker(&answer.mailer.value, "mailer", 1, 128);
  make.Worker(&answer.billing.value, "billing", 2, 256);
  make.Worker(&answer.reports.value, "reports", 1, 512);
  make.Worker(&answer.imports.value, "imports", 4, 512);
  make.Worker(&answer.exports.value, "exports", 2, 256);
  make.Database(&answer.users.value, "users", 50, "15.4");
  make.Database(&answer.orders.value, "orders", 200, "15.4");
  make.Database(&answer.stock.value, "stock", 100, "14.9");
  make.Database(&answer.events.value, "events", 500, "15.4");
  make.Database(&answer.audit.value, "audit", 300, "13.12");
  make.Cache(&answer.sessions.value, "sessions", 512, "volatile-ttl");
  make.Cache(&answer.pages.value, "pages", 1024, "allkeys-lru");
  make.Cache(&answer.carts.value, "carts", 256, "noeviction");
  make.Cache(&answer.tokens.value, "tokens", 128, "volatile-ttl");
  make.Cache(&answer.rates.value, "rates", 64, "allkeys-lru");
  return answer;
}

}  // namespace hcl::bench
