// The breadth workloads B21 to B25 by hand: texts made, cut and compared. bench/breadth/B21.hcl and the others say
// what they compute, and bench/breadth/by_hand.h how they are written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_TEXT_H_
#define HCLVM_BENCH_BREADTH_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// A template with loops.
struct B21 {
  struct Server {
    std::string host;
    int64_t port;
    int64_t weight;
    bool backup;
    static auto Fields() {
      return std::make_tuple(Field("host", &Server::host), Field("port", &Server::port),
                             Field("weight", &Server::weight), Field("backup", &Server::backup));
    }
  };
  std::string name;
  std::vector<Server> servers;
  bool sticky;
  static auto Fields() {
    return std::make_tuple(Field("name", &B21::name), Field("servers", &B21::servers), Field("sticky", &B21::sticky));
  }

  std::string Evaluate() const;
};

// JSON made.
struct B22 {
  struct Item {
    std::string sku;
    int64_t quantity;
    static auto Fields() { return std::make_tuple(Field("sku", &Item::sku), Field("quantity", &Item::quantity)); }
  };
  struct Event {
    std::string id;
    std::string kind;
    std::vector<Item> items;
    std::optional<std::string> comment;
    int64_t priority;
    static auto Fields() {
      return std::make_tuple(Field("id", &Event::id), Field("kind", &Event::kind), Field("items", &Event::items),
                             Field("comment", &Event::comment), Field("priority", &Event::priority));
    }
  };
  struct User {
    int64_t id;
    std::string name;
    static auto Fields() { return std::make_tuple(Field("id", &User::id), Field("name", &User::name)); }
  };
  Event event;
  User user;
  static auto Fields() { return std::make_tuple(Field("event", &B22::event), Field("user", &B22::user)); }

  std::string Evaluate() const;
};

// Split and joined texts.
struct B23 {
  struct Request {
    std::string query;
    static auto Fields() { return std::make_tuple(Field("query", &Request::query)); }
  };
  Request request;
  std::vector<std::string> known;
  static auto Fields() { return std::make_tuple(Field("request", &B23::request), Field("known", &B23::known)); }

  std::string Evaluate() const;
};

// Versions compared.
struct B24 {
  struct Client {
    std::string name;
    std::string platform;
    std::string version;
    static auto Fields() {
      return std::make_tuple(Field("name", &Client::name), Field("platform", &Client::platform),
                             Field("version", &Client::version));
    }
  };
  std::vector<Client> clients;
  absl::flat_hash_map<std::string, std::string> minimum;
  static auto Fields() { return std::make_tuple(Field("clients", &B24::clients), Field("minimum", &B24::minimum)); }

  std::vector<std::string> Evaluate() const;
};

// Addresses normalised.
struct B25 {
  struct User {
    std::string email;
    std::string host;
    static auto Fields() { return std::make_tuple(Field("email", &User::email), Field("host", &User::host)); }
  };
  struct Row {
    std::string domain;
    std::string email;
    bool internal;
    std::string host;
    static auto Fields() {
      return std::make_tuple(Field("domain", &Row::domain), Field("email", &Row::email),
                             Field("internal", &Row::internal), Field("host", &Row::host));
    }
  };
  std::vector<User> users;
  static auto Fields() { return std::make_tuple(Field("users", &B25::users)); }

  std::vector<Row> Evaluate() const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_TEXT_H_
