// The workloads W0..W9 as a C++ programmer would write them by hand: the bound that the VM is measured against.
//
// Each struct is one workload's scope in plain fields, `Make(i)` builds scope `i` (0 <= i < kScopeCount) with the
// values of generate.cc, and `Evaluate` computes the answer. Values of this file may be used from several threads.
//
// Tested by bench/handwritten_test.cc, against the reference implementation's answers in bench/want.

#ifndef HCLVM_BENCH_HANDWRITTEN_H_
#define HCLVM_BENCH_HANDWRITTEN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace hcl::bench {

// Scopes per workload; a benchmark goes round them.
constexpr int kScopeCount = 16;

// Call overhead: a variable.
struct W0 {
  static W0 Make(int i);
  bool Evaluate() const { return flag; }

  bool flag;
};

// An access policy over a request; all requests take the last, longest way.
struct W1 {
  static W1 Make(int i);
  bool Evaluate() const;

  std::string ip;
  std::string path;
  std::string token;
};

// Arithmetic and comparison.
struct W2 {
  static W2 Make(int i);
  bool Evaluate() const;

  int64_t a;
  int64_t b;
  int64_t c;
  int64_t d;
};

// A template of three variables.
struct W3 {
  static W3 Make(int i);
  std::string Evaluate() const;

  std::string account;
  std::string env;
  std::string name;
};

// The names of those of 100 users that are of age.
struct W4 {
  static W4 Make(int i);
  std::vector<std::string> Evaluate() const;

  struct User {
    std::string name;
    int64_t age;
    std::string email;
  };
  std::vector<User> users;
};

// Nested conditionals.
struct W5 {
  static W5 Make(int i);
  int64_t Evaluate() const;

  std::string env;
  int64_t replicas;
};

// A deep path with an index.
struct W6 {
  static W6 Make(int i);
  bool Evaluate() const;

  struct Tls {
    std::string min_version;
    std::string cert;
  };
  struct Listener {
    int64_t port;
    std::string address;
    Tls tls;
  };
  struct Http {
    std::vector<Listener> listeners;
    int64_t timeout;
    std::string host;
  };
  struct Service {
    std::string name;
    Http http;
  };
  struct Config {
    std::string region;
    Service service;
  };
  Config config;
};

// An object of 20 entries with computed names and templated values.
struct W7 {
  static W7 Make(int i);
  std::map<std::string, std::string> Evaluate() const;

  std::map<std::string, std::string> tags;
  std::string prefix;
};

// Lookups by dynamic keys in a small and in a large map.
struct W8 {
  static W8 Make(int i);
  bool Evaluate() const;

  struct Limit {
    int64_t rps;
    int64_t burst;
  };
  absl::flat_hash_map<std::string, Limit> limits;
  absl::flat_hash_map<std::string, int64_t> quota;
  std::string user_id;
  std::string user_tier;
};

// The policy of W1 over requests that take every branch.
struct W9 : W1 {
  static W9 Make(int i);
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_HANDWRITTEN_H_
