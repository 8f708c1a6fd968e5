// The breadth workload B12 by hand: a company's services. bench/breadth/B12.config.hcl says what it computes, and
// bench/breadth/by_hand.h how it is written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_SERVICES_H_
#define HCLVM_BENCH_BREADTH_SERVICES_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// A config of 200 settings.
struct B12 {
  struct Web {
    std::string image;
    int64_t replicas;
    int64_t port;
    std::string host;
    std::string url;
    int64_t memory_mb;
    int64_t cpu_m;
    bool is_public;
    int64_t timeout;
    std::string log_level;
    static auto Fields() {
      return std::make_tuple(Field("image", &Web::image), Field("replicas", &Web::replicas), Field("port", &Web::port),
                             Field("host", &Web::host), Field("url", &Web::url), Field("memory_mb", &Web::memory_mb),
                             Field("cpu_m", &Web::cpu_m), Field("public", &Web::is_public),
                             Field("timeout", &Web::timeout), Field("log_level", &Web::log_level));
    }
  };
  struct Worker {
    std::string image;
    int64_t replicas;
    std::string queue;
    int64_t concurrency;
    int64_t memory_mb;
    int64_t cpu_m;
    int64_t retries;
    bool enabled;
    std::string log_level;
    std::string schedule;
    static auto Fields() {
      return std::make_tuple(Field("image", &Worker::image), Field("replicas", &Worker::replicas),
                             Field("queue", &Worker::queue), Field("concurrency", &Worker::concurrency),
                             Field("memory_mb", &Worker::memory_mb), Field("cpu_m", &Worker::cpu_m),
                             Field("retries", &Worker::retries), Field("enabled", &Worker::enabled),
                             Field("log_level", &Worker::log_level), Field("schedule", &Worker::schedule));
    }
  };
  struct Database {
    int64_t size_gb;
    std::string instance;
    std::string version;
    bool multi_az;
    int64_t backup_days;
    std::string name;
    int64_t max_connections;
    bool encrypted;
    std::string window;
    std::string dsn;
    static auto Fields() {
      return std::make_tuple(Field("size_gb", &Database::size_gb), Field("instance", &Database::instance),
                             Field("version", &Database::version), Field("multi_az", &Database::multi_az),
                             Field("backup_days", &Database::backup_days), Field("name", &Database::name),
                             Field("max_connections", &Database::max_connections),
                             Field("encrypted", &Database::encrypted), Field("window", &Database::window),
                             Field("dsn", &Database::dsn));
    }
  };
  struct Cache {
    int64_t nodes;
    std::string type;
    int64_t ttl;
    int64_t max_memory_mb;
    std::string policy;
    int64_t port;
    std::string endpoint;
    bool persistent;
    std::string prefix;
    bool tls;
    static auto Fields() {
      return std::make_tuple(Field("nodes", &Cache::nodes), Field("type", &Cache::type), Field("ttl", &Cache::ttl),
                             Field("max_memory_mb", &Cache::max_memory_mb), Field("policy", &Cache::policy),
                             Field("port", &Cache::port), Field("endpoint", &Cache::endpoint),
                             Field("persistent", &Cache::persistent), Field("prefix", &Cache::prefix),
                             Field("tls", &Cache::tls));
    }
  };
  struct Answer {
    Prefixed<Web> api;
    Prefixed<Web> web;
    Prefixed<Web> admin;
    Prefixed<Web> auth;
    Prefixed<Web> search;
    Prefixed<Worker> mailer;
    Prefixed<Worker> billing;
    Prefixed<Worker> reports;
    Prefixed<Worker> imports;
    Prefixed<Worker> exports;
    Prefixed<Database> users;
    Prefixed<Database> orders;
    Prefixed<Database> stock;
    Prefixed<Database> events;
    Prefixed<Database> audit;
    Prefixed<Cache> sessions;
    Prefixed<Cache> pages;
    Prefixed<Cache> carts;
    Prefixed<Cache> tokens;
    Prefixed<Cache> rates;
    static auto Fields() {
      return std::make_tuple(
          Field("api", &Answer::api), Field("web", &Answer::web), Field("admin", &Answer::admin),
          Field("auth", &Answer::auth), Field("search", &Answer::search), Field("mailer", &Answer::mailer),
          Field("billing", &Answer::billing), Field("reports", &Answer::reports), Field("imports", &Answer::imports),
          Field("exports", &Answer::exports), Field("users", &Answer::users), Field("orders", &Answer::orders),
          Field("stock", &Answer::stock), Field("events", &Answer::events), Field("audit", &Answer::audit),
          Field("sessions", &Answer::sessions), Field("pages", &Answer::pages), Field("carts", &Answer::carts),
          Field("tokens", &Answer::tokens), Field("rates", &Answer::rates));
    }
  };
  std::string env;
  std::string size;
  std::string region;
  std::string domain;
  std::string registry;
  absl::flat_hash_map<std::string, std::string> versions;
  absl::flat_hash_map<std::string, int64_t> replicas;
  absl::flat_hash_map<std::string, int64_t> timeouts;
  absl::flat_hash_map<std::string, int64_t> retries;
  absl::flat_hash_map<std::string, int64_t> ttls;
  absl::flat_hash_map<std::string, std::string> levels;
  std::vector<std::string> public_names;
  std::vector<std::string> paused;
  static auto Fields() {
    return std::make_tuple(Field("env", &B12::env), Field("size", &B12::size), Field("region", &B12::region),
                           Field("domain", &B12::domain), Field("registry", &B12::registry),
                           Field("versions", &B12::versions), Field("replicas", &B12::replicas),
                           Field("timeouts", &B12::timeouts), Field("retries", &B12::retries),
                           Field("ttls", &B12::ttls), Field("levels", &B12::levels),
                           Field("public", &B12::public_names), Field("paused", &B12::paused));
  }

  Answer Evaluate() const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_SERVICES_H_
