// The breadth workloads B06 to B10 by hand: rules, routes, times, quotas and forms. bench/breadth/B06.hcl and the
// others say what they compute, and bench/breadth/by_hand.h how they are written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_RULES_H_
#define HCLVM_BENCH_BREADTH_RULES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// Rules that come as data.
struct B06 {
  struct Rule {
    std::string id;
    std::string effect;
    std::vector<std::string> actions;
    std::string prefix;
    std::optional<std::vector<std::string>> roles;
    static auto Fields() {
      return std::make_tuple(Field("id", &Rule::id), Field("effect", &Rule::effect), Field("actions", &Rule::actions),
                             Field("prefix", &Rule::prefix), Field("roles", &Rule::roles));
    }
  };
  struct Request {
    std::string action;
    std::string resource;
    std::vector<std::string> roles;
    static auto Fields() {
      return std::make_tuple(Field("action", &Request::action), Field("resource", &Request::resource),
                             Field("roles", &Request::roles));
    }
  };
  struct Answer {
    std::string effect;
    std::string rule;
    static auto Fields() { return std::make_tuple(Field("effect", &Answer::effect), Field("rule", &Answer::rule)); }
  };
  std::vector<Rule> rules;
  Request request;
  static auto Fields() { return std::make_tuple(Field("rules", &B06::rules), Field("request", &B06::request)); }

  Answer Evaluate() const;

 private:
  bool Fits(const Rule& rule) const;
};

// Routing of a path.
struct B07 {
  struct Route {
    std::string host;
    std::string prefix;
    std::string rewrite;
    std::string backend;
    std::vector<std::string> methods;
    std::optional<int64_t> timeout;
    static auto Fields() {
      return std::make_tuple(Field("host", &Route::host), Field("prefix", &Route::prefix),
                             Field("rewrite", &Route::rewrite), Field("backend", &Route::backend),
                             Field("methods", &Route::methods), Field("timeout", &Route::timeout));
    }
  };
  struct Request {
    std::string host;
    std::string path;
    std::string method;
    static auto Fields() {
      return std::make_tuple(Field("host", &Request::host), Field("path", &Request::path),
                             Field("method", &Request::method));
    }
  };
  struct Answer {
    std::string backend;
    std::string path;
    int64_t timeout;
    static auto Fields() {
      return std::make_tuple(Field("backend", &Answer::backend), Field("path", &Answer::path),
                             Field("timeout", &Answer::timeout));
    }
  };
  std::vector<Route> routes;
  Request request;
  static auto Fields() { return std::make_tuple(Field("routes", &B07::routes), Field("request", &B07::request)); }

  Answer Evaluate() const;
};

// Windows of timestamps.
struct B08 {
  struct Window {
    std::string name;
    std::string start;
    std::string duration;
    static auto Fields() {
      return std::make_tuple(Field("name", &Window::name), Field("start", &Window::start),
                             Field("duration", &Window::duration));
    }
  };
  struct Open {
    std::string name;
    std::string until;
    static auto Fields() { return std::make_tuple(Field("name", &Open::name), Field("until", &Open::until)); }
  };
  std::vector<Window> windows;
  std::string now;
  static auto Fields() { return std::make_tuple(Field("windows", &B08::windows), Field("now", &B08::now)); }

  std::vector<Open> Evaluate() const;
};

// Quotas.
struct B09 {
  struct Answer {
    bool allowed;
    std::map<std::string, int64_t> over;
    static auto Fields() { return std::make_tuple(Field("allowed", &Answer::allowed), Field("over", &Answer::over)); }
  };
  absl::flat_hash_map<std::string, std::map<std::string, int64_t>> quotas;
  absl::flat_hash_map<std::string, absl::flat_hash_map<std::string, int64_t>> used;
  std::string team;
  absl::flat_hash_map<std::string, int64_t> request;
  static auto Fields() {
    return std::make_tuple(Field("quotas", &B09::quotas), Field("used", &B09::used), Field("team", &B09::team),
                           Field("request", &B09::request));
  }

  Answer Evaluate() const;
};

// Validation with patterns.
struct B10 {
  struct Form {
    std::string user;
    std::string email;
    std::optional<std::string> phone;
    std::string country;
    std::string password;
    static auto Fields() {
      return std::make_tuple(Field("user", &Form::user), Field("email", &Form::email), Field("phone", &Form::phone),
                             Field("country", &Form::country), Field("password", &Form::password));
    }
  };
  Form form;
  static auto Fields() { return std::make_tuple(Field("form", &B10::form)); }

  ListOf<std::string> Evaluate() const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_RULES_H_
