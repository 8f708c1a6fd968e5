// The breadth workloads B16 to B20 by hand: prices, rates, invoices and orders. bench/breadth/B16.hcl and the others
// say what they compute, and bench/breadth/by_hand.h how they are written.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_MONEY_H_
#define HCLVM_BENCH_BREADTH_MONEY_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hclvm/bench/breadth/fields.h"

namespace hcl::bench {

// Prices in decimals.
struct B16 {
  struct Line {
    int64_t quantity;
    Fixed<2> price;
    Fixed<2> discount;
    std::string rate;
    static auto Fields() {
      return std::make_tuple(Field("quantity", &Line::quantity), Field("price", &Line::price),
                             Field("discount", &Line::discount), Field("class", &Line::rate));
    }
  };
  struct Cart {
    std::vector<Line> lines;
    bool express;
    static auto Fields() { return std::make_tuple(Field("lines", &Cart::lines), Field("express", &Cart::express)); }
  };
  struct Answer {
    Fixed<2> net;
    Fixed<2> tax;
    Fixed<2> total;
    static auto Fields() {
      return std::make_tuple(Field("net", &Answer::net), Field("tax", &Answer::tax), Field("total", &Answer::total));
    }
  };
  Cart cart;
  absl::flat_hash_map<std::string, Fixed<2>> rates;
  static auto Fields() { return std::make_tuple(Field("cart", &B16::cart), Field("rates", &B16::rates)); }

  Answer Evaluate() const;
};

// Rates by tiers.
struct B17 {
  struct Customer {
    std::string kind;
    int64_t years;
    static auto Fields() { return std::make_tuple(Field("kind", &Customer::kind), Field("years", &Customer::years)); }
  };
  struct Use {
    int64_t kwh;
    int64_t hour;
    static auto Fields() { return std::make_tuple(Field("kwh", &Use::kwh), Field("hour", &Use::hour)); }
  };
  Customer customer;
  Use use;
  static auto Fields() { return std::make_tuple(Field("customer", &B17::customer), Field("use", &B17::use)); }

  Fixed<5> Evaluate() const;
};

// Formatted numbers.
struct B18 {
  struct Line {
    std::string name;
    int64_t quantity;
    double price;
    static auto Fields() {
      return std::make_tuple(Field("name", &Line::name), Field("quantity", &Line::quantity),
                             Field("price", &Line::price));
    }
  };
  std::vector<Line> lines;
  std::string customer;
  int64_t number;
  static auto Fields() {
    return std::make_tuple(Field("lines", &B18::lines), Field("customer", &B18::customer),
                           Field("number", &B18::number));
  }

  std::vector<std::string> Evaluate() const;
};

// Groups and sums.
struct B19 {
  struct Order {
    std::string region;
    int64_t amount;
    static auto Fields() { return std::make_tuple(Field("region", &Order::region), Field("amount", &Order::amount)); }
  };
  struct Group {
    int64_t count;
    int64_t largest;
    int64_t total;
    static auto Fields() {
      return std::make_tuple(Field("count", &Group::count), Field("largest", &Group::largest),
                             Field("total", &Group::total));
    }
  };
  std::vector<Order> orders;
  static auto Fields() { return std::make_tuple(Field("orders", &B19::orders)); }

  std::map<std::string, Group> Evaluate() const;
};

// A join of two lists.
struct B20 {
  struct Order {
    int64_t id;
    std::string customer;
    int64_t quantity;
    int64_t price;
    static auto Fields() {
      return std::make_tuple(Field("id", &Order::id), Field("customer", &Order::customer),
                             Field("quantity", &Order::quantity), Field("price", &Order::price));
    }
  };
  struct Customer {
    std::string id;
    std::string name;
    bool active;
    static auto Fields() {
      return std::make_tuple(Field("id", &Customer::id), Field("name", &Customer::name),
                             Field("active", &Customer::active));
    }
  };
  struct Row {
    int64_t id;
    std::string name;
    int64_t total;
    static auto Fields() {
      return std::make_tuple(Field("id", &Row::id), Field("name", &Row::name), Field("total", &Row::total));
    }
  };
  std::vector<Order> orders;
  std::vector<Customer> customers;
  static auto Fields() { return std::make_tuple(Field("orders", &B20::orders), Field("customers", &B20::customers)); }

  std::vector<Row> Evaluate() const;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_MONEY_H_
