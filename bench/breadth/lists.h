// The breadth workloads B26 to B30 by hand: lists looked through. bench/breadth/B26.hcl and the others say
// what they compute, and bench/breadth/by_hand.h how they are written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_LISTS_H_
#define HCLVM_BENCH_BREADTH_LISTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// Sorted, without doubles.
struct B26 {
  struct Resource {
    std::vector<std::string> tags;
    static auto Fields() { return std::make_tuple(Field("tags", &Resource::tags)); }
  };
  std::vector<Resource> resources;
  static auto Fields() { return std::make_tuple(Field("resources", &B26::resources)); }

  ListOf<std::string> Evaluate() const;
};

// A large catalog.
struct B27 {
  struct Item {
    int64_t price;
    int64_t stock;
    static auto Fields() { return std::make_tuple(Field("price", &Item::price), Field("stock", &Item::stock)); }
  };
  struct Line {
    std::string sku;
    int64_t quantity;
    static auto Fields() { return std::make_tuple(Field("sku", &Line::sku), Field("quantity", &Line::quantity)); }
  };
  struct Answer {
    std::vector<std::string> shortage;
    int64_t total;
    std::vector<std::string> unknown;
    static auto Fields() {
      return std::make_tuple(Field("short", &Answer::shortage), Field("total", &Answer::total),
                             Field("unknown", &Answer::unknown));
    }
  };
  absl::flat_hash_map<std::string, Item> catalog;
  std::vector<Line> order;
  static auto Fields() { return std::make_tuple(Field("catalog", &B27::catalog), Field("order", &B27::order)); }

  Answer Evaluate() const;
};

// Gates of all and any.
struct B28 {
  struct Check {
    bool optional;
    std::string status;
    static auto Fields() {
      return std::make_tuple(Field("optional", &Check::optional), Field("status", &Check::status));
    }
  };
  struct Review {
    std::string user;
    std::string state;
    static auto Fields() { return std::make_tuple(Field("user", &Review::user), Field("state", &Review::state)); }
  };
  std::string branch;
  std::vector<Check> checks;
  std::vector<Review> reviews;
  std::vector<std::string> owners;
  static auto Fields() {
    return std::make_tuple(Field("branch", &B28::branch), Field("checks", &B28::checks),
                           Field("reviews", &B28::reviews), Field("owners", &B28::owners));
  }

  bool Evaluate() const;
};

// Objects projected.
struct B29 {
  struct User {
    int64_t id;
    std::string first;
    std::string last;
    std::string email;
    std::optional<std::string> phone;
    std::vector<std::string> roles;
    bool active;
    static auto Fields() {
      return std::make_tuple(Field("id", &User::id), Field("first", &User::first), Field("last", &User::last),
                             Field("email", &User::email), Field("phone", &User::phone), Field("roles", &User::roles),
                             Field("active", &User::active));
    }
  };
  struct Row {
    int64_t id;
    std::string name;
    std::string contact;
    int64_t roles;
    bool admin;
    static auto Fields() {
      return std::make_tuple(Field("id", &Row::id), Field("name", &Row::name), Field("contact", &Row::contact),
                             Field("roles", &Row::roles), Field("admin", &Row::admin));
    }
  };
  std::vector<User> users;
  static auto Fields() { return std::make_tuple(Field("users", &B29::users)); }

  std::vector<Row> Evaluate() const;
};

// Hours in minutes.
struct B30 {
  struct Shift {
    std::string who;
    std::vector<std::string> teams;
    int64_t from;
    int64_t to;
    std::vector<int64_t> absent;
    static auto Fields() {
      return std::make_tuple(Field("who", &Shift::who), Field("teams", &Shift::teams), Field("from", &Shift::from),
                             Field("to", &Shift::to), Field("absent", &Shift::absent));
    }
  };
  std::vector<Shift> shifts;
  std::string team;
  int64_t now;
  static auto Fields() {
    return std::make_tuple(Field("shifts", &B30::shifts), Field("team", &B30::team), Field("now", &B30::now));
  }

  std::vector<std::string> Evaluate() const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_LISTS_H_
