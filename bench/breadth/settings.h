// The breadth workloads B11 to B15 by hand: settings of applications. bench/breadth/B11.hcl and the others say
// what they compute, and bench/breadth/by_hand.h how they are written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_SETTINGS_H_
#define HCLVM_BENCH_BREADTH_SETTINGS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// A config of 10 settings.
struct B11 {
  struct Health {
    std::string path;
    static auto Fields() { return std::make_tuple(Field("path", &Health::path)); }
  };
  struct App {
    std::string name;
    std::string version;
    int64_t replicas;
    std::optional<int64_t> port;
    std::string size;
    std::vector<std::string> labels;
    std::optional<Health> health;
    static auto Fields() {
      return std::make_tuple(Field("name", &App::name), Field("version", &App::version),
                             Field("replicas", &App::replicas), Field("port", &App::port), Field("size", &App::size),
                             Field("labels", &App::labels), Field("health", &App::health));
    }
  };
  struct Labels {
    std::string app;
    std::string env;
    std::string team;
    static auto Fields() {
      return std::make_tuple(Field("app", &Labels::app), Field("env", &Labels::env), Field("team", &Labels::team));
    }
  };
  struct Answer {
    std::string name;
    int64_t replicas;
    std::string image;
    int64_t port;
    std::string host;
    int64_t memory_mb;
    bool is_public;
    std::string health;
    Labels labels;
    std::string log_level;
    static auto Fields() {
      return std::make_tuple(Field("name", &Answer::name), Field("replicas", &Answer::replicas),
                             Field("image", &Answer::image), Field("port", &Answer::port), Field("host", &Answer::host),
                             Field("memory_mb", &Answer::memory_mb), Field("public", &Answer::is_public),
                             Field("health", &Answer::health), Field("labels", &Answer::labels),
                             Field("log_level", &Answer::log_level));
    }
  };
  App app;
  std::string env;
  std::string registry;
  absl::flat_hash_map<std::string, std::string> teams;
  static auto Fields() {
    return std::make_tuple(Field("app", &B11::app), Field("env", &B11::env), Field("registry", &B11::registry),
                           Field("teams", &B11::teams));
  }

  Answer Evaluate() const;
};

// Locals as in Terraform.
struct B13 {
  struct Bucket {
    bool enabled;
    std::optional<std::string> storage;
    std::optional<int64_t> days;
    std::optional<std::map<std::string, std::string>> tags;
    std::optional<bool> versioning;
    static auto Fields() {
      return std::make_tuple(Field("enabled", &Bucket::enabled), Field("class", &Bucket::storage),
                             Field("days", &Bucket::days), Field("tags", &Bucket::tags),
                             Field("versioning", &Bucket::versioning));
    }
  };
  struct Local {
    std::string storage;
    int64_t days;
    std::map<std::string, std::string> tags;
    bool versioning;
    static auto Fields() {
      return std::make_tuple(Field("class", &Local::storage), Field("days", &Local::days), Field("tags", &Local::tags),
                             Field("versioning", &Local::versioning));
    }
  };
  std::string project;
  std::string environment;
  std::map<std::string, Bucket> buckets;
  std::map<std::string, std::string> tags;
  static auto Fields() {
    return std::make_tuple(Field("project", &B13::project), Field("environment", &B13::environment),
                           Field("buckets", &B13::buckets), Field("tags", &B13::tags));
  }

  std::map<std::string, Local> Evaluate() const;
};

// Optional settings.
struct B14 {
  struct Proxy {
    std::string host;
    std::optional<int64_t> port;
    static auto Fields() { return std::make_tuple(Field("host", &Proxy::host), Field("port", &Proxy::port)); }
  };
  struct Tls {
    bool enabled;
    std::optional<std::string> cert;
    static auto Fields() { return std::make_tuple(Field("enabled", &Tls::enabled), Field("cert", &Tls::cert)); }
  };
  struct Retry {
    int64_t attempts;
    int64_t pause_ms;
    static auto Fields() {
      return std::make_tuple(Field("attempts", &Retry::attempts), Field("pause_ms", &Retry::pause_ms));
    }
  };
  struct Settings {
    std::optional<int64_t> timeout;
    std::optional<int64_t> limit;
    std::optional<std::string> owner;
    std::optional<Proxy> proxy;
    std::optional<Retry> retry;
    std::optional<Tls> tls;
    static auto Fields() {
      return std::make_tuple(Field("timeout", &Settings::timeout), Field("limit", &Settings::limit),
                             Field("owner", &Settings::owner), Field("proxy", &Settings::proxy),
                             Field("retry", &Settings::retry), Field("tls", &Settings::tls));
    }
  };
  struct Profile {
    std::optional<int64_t> timeout;
    std::optional<int64_t> limit;
    std::optional<int64_t> retries;
    std::optional<bool> tls;
    static auto Fields() {
      return std::make_tuple(Field("timeout", &Profile::timeout), Field("limit", &Profile::limit),
                             Field("retries", &Profile::retries), Field("tls", &Profile::tls));
    }
  };
  struct Answer {
    std::optional<int64_t> backoff;
    int64_t limit;
    std::string owner;
    std::optional<std::string> proxy;
    int64_t retries;
    int64_t timeout;
    bool tls;
    static auto Fields() {
      return std::make_tuple(Field("backoff", &Answer::backoff), Field("limit", &Answer::limit),
                             Field("owner", &Answer::owner), Field("proxy", &Answer::proxy),
                             Field("retries", &Answer::retries), Field("timeout", &Answer::timeout),
                             Field("tls", &Answer::tls));
    }
  };
  Settings settings;
  Profile profile;
  static auto Fields() { return std::make_tuple(Field("settings", &B14::settings), Field("profile", &B14::profile)); }

  Answer Evaluate() const;
};

// Defaults deep in a document.
struct B15 {
  struct Sink {
    std::string type;
    std::optional<std::string> format;
    static auto Fields() { return std::make_tuple(Field("type", &Sink::type), Field("format", &Sink::format)); }
  };
  struct Logging {
    std::optional<std::string> level;
    std::optional<std::vector<Sink>> sinks;
    static auto Fields() { return std::make_tuple(Field("level", &Logging::level), Field("sinks", &Logging::sinks)); }
  };
  struct Region {
    std::string name;
    static auto Fields() { return std::make_tuple(Field("name", &Region::name)); }
  };
  struct Site {
    std::optional<Region> region;
    std::optional<bool> debug;
    static auto Fields() { return std::make_tuple(Field("region", &Site::region), Field("debug", &Site::debug)); }
  };
  struct Document {
    std::optional<Logging> logging;
    std::optional<std::string> level;
    absl::flat_hash_map<std::string, int64_t> limits;
    std::optional<std::string> region;
    absl::flat_hash_map<std::string, Site> sites;
    static auto Fields() {
      return std::make_tuple(Field("logging", &Document::logging), Field("level", &Document::level),
                             Field("limits", &Document::limits), Field("region", &Document::region),
                             Field("sites", &Document::sites));
    }
  };
  struct Answer {
    std::string format;
    std::string level;
    int64_t limit;
    std::string region;
    std::vector<std::string> sinks;
    bool verbose;
    static auto Fields() {
      return std::make_tuple(Field("format", &Answer::format), Field("level", &Answer::level),
                             Field("limit", &Answer::limit), Field("region", &Answer::region),
                             Field("sinks", &Answer::sinks), Field("verbose", &Answer::verbose));
    }
  };
  Document doc;
  std::string site;
  std::string plan;
  static auto Fields() {
    return std::make_tuple(Field("doc", &B15::doc), Field("site", &B15::site), Field("plan", &B15::plan));
  }

  Answer Evaluate() const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_SETTINGS_H_
