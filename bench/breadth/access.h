// The breadth workloads B01 to B05 by hand: who may do what, and what may run. bench/breadth/B01.hcl and the others say
// what they compute, and bench/breadth/by_hand.h how they are written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_ACCESS_H_
#define HCLVM_BENCH_BREADTH_ACCESS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// Roles that inherit.
struct B01 {
  struct Role {
    std::vector<std::string> inherits;
    std::vector<std::string> permissions;
    static auto Fields() {
      return std::make_tuple(Field("inherits", &Role::inherits), Field("permissions", &Role::permissions));
    }
  };
  struct User {
    bool active;
    std::vector<std::string> roles;
    static auto Fields() { return std::make_tuple(Field("active", &User::active), Field("roles", &User::roles)); }
  };
  struct Request {
    std::string permission;
    static auto Fields() { return std::make_tuple(Field("permission", &Request::permission)); }
  };
  absl::flat_hash_map<std::string, Role> roles;
  User user;
  Request request;
  static auto Fields() {
    return std::make_tuple(Field("roles", &B01::roles), Field("user", &B01::user), Field("request", &B01::request));
  }

  bool Evaluate() const;

 private:
  // By the role or by what it inherits from, so many levels up.
  bool Grants(const std::string& role, int levels) const;
};

// Admission of pods.
struct B02 {
  struct Limits {
    std::optional<int64_t> memory_mb;
    static auto Fields() { return std::make_tuple(Field("memory_mb", &Limits::memory_mb)); }
  };
  struct Security {
    bool privileged;
    static auto Fields() { return std::make_tuple(Field("privileged", &Security::privileged)); }
  };
  struct Container {
    std::string name;
    std::string image;
    std::optional<Limits> limits;
    std::optional<Security> security;
    static auto Fields() {
      return std::make_tuple(Field("name", &Container::name), Field("image", &Container::image),
                             Field("limits", &Container::limits), Field("security", &Container::security));
    }
  };
  struct Pod {
    std::string space;
    std::vector<Container> containers;
    static auto Fields() {
      return std::make_tuple(Field("namespace", &Pod::space), Field("containers", &Pod::containers));
    }
  };
  struct Settings {
    std::vector<std::string> registries;
    int64_t max_memory_mb;
    static auto Fields() {
      return std::make_tuple(Field("registries", &Settings::registries),
                             Field("max_memory_mb", &Settings::max_memory_mb));
    }
  };
  Pod pod;
  Settings settings;
  static auto Fields() { return std::make_tuple(Field("pod", &B02::pod), Field("settings", &B02::settings)); }

  std::vector<std::string> Evaluate() const;
};

// Sets of permissions.
struct B03 {
  struct User {
    std::vector<std::string> groups;
    std::vector<std::string> grants;
    std::vector<std::string> revoked;
    static auto Fields() {
      return std::make_tuple(Field("groups", &User::groups), Field("grants", &User::grants),
                             Field("revoked", &User::revoked));
    }
  };
  struct Task {
    std::vector<std::string> needs;
    static auto Fields() { return std::make_tuple(Field("needs", &Task::needs)); }
  };
  struct Answer {
    ListOf<std::string> granted;
    ListOf<std::string> missing;
    ListOf<std::string> usable;
    static auto Fields() {
      return std::make_tuple(Field("granted", &Answer::granted), Field("missing", &Answer::missing),
                             Field("usable", &Answer::usable));
    }
  };
  absl::flat_hash_map<std::string, std::vector<std::string>> groups;
  User user;
  Task task;
  static auto Fields() {
    return std::make_tuple(Field("groups", &B03::groups), Field("user", &B03::user), Field("task", &B03::task));
  }

  Answer Evaluate() const;
};

// Label selectors.
struct B04 {
  using Labels = absl::flat_hash_map<std::string, std::string>;
  struct Pod {
    std::string name;
    Labels labels;
    static auto Fields() { return std::make_tuple(Field("name", &Pod::name), Field("labels", &Pod::labels)); }
  };
  struct Expression {
    std::string key;
    std::string operation;
    std::vector<std::string> values;
    static auto Fields() {
      return std::make_tuple(Field("key", &Expression::key), Field("operator", &Expression::operation),
                             Field("values", &Expression::values));
    }
    bool Holds(const Labels& labels) const;
  };
  struct Selector {
    std::map<std::string, std::string> labels;
    std::vector<Expression> expressions;
    static auto Fields() {
      return std::make_tuple(Field("labels", &Selector::labels), Field("expressions", &Selector::expressions));
    }
    bool Chooses(const Labels& labels) const;
  };
  std::vector<Pod> pods;
  Selector selector;
  static auto Fields() { return std::make_tuple(Field("pods", &B04::pods), Field("selector", &B04::selector)); }

  std::vector<std::string> Evaluate() const;
};

// Feature flags.
struct B05 {
  struct Flag {
    std::string name;
    bool enabled;
    std::vector<std::string> users;
    std::vector<std::string> blocked;
    std::vector<std::string> plans;
    int64_t percent;
    static auto Fields() {
      return std::make_tuple(Field("name", &Flag::name), Field("enabled", &Flag::enabled), Field("users", &Flag::users),
                             Field("blocked", &Flag::blocked), Field("plans", &Flag::plans),
                             Field("percent", &Flag::percent));
    }
  };
  struct User {
    std::string id;
    std::string plan;
    static auto Fields() { return std::make_tuple(Field("id", &User::id), Field("plan", &User::plan)); }
  };
  std::vector<Flag> flags;
  User user;
  static auto Fields() { return std::make_tuple(Field("flags", &B05::flags), Field("user", &B05::user)); }

  std::vector<std::string> Evaluate() const;

 private:
  bool IsOn(const Flag& flag) const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_ACCESS_H_
