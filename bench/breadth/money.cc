#include "hclvm/bench/breadth/money.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace hcl::bench {

// Whole numbers of the smallest unit that occurs, which are as exact as HCL's decimals: a price times a discount has
// four digits behind the point, and six with a rate. An unknown rate is an error in HCL, and none of the scopes has
// that.
B16::Answer B16::Evaluate() const {
  int64_t net = 0;
  int64_t tax = 0;
  for (const Line& line : cart.lines) {
    const auto rate = rates.find(line.rate);
    const int64_t amount = line.quantity * line.price.units * (100 - line.discount.units);
    net += amount;
    if (rate != rates.end()) tax += amount * rate->second.units;
  }
  const int64_t total = net * 100 + tax;
  return {{(net + 50) / 100}, {(tax + 5000) / 10000}, {(total + 5000) / 10000 + (cart.express ? 1290 : 495)}};
}

// In hundred thousandths of a euro.
Fixed<5> B17::Evaluate() const {
  const int64_t fee = customer.kind == "business" ? 12000 : customer.kind == "home" ? 9500 : 0;
  const int64_t kwh = use.kwh;
  const int64_t tiers = kwh <= 100    ? kwh * 285
                        : kwh <= 500  ? 28500 + (kwh - 100) * 310
                        : kwh <= 2000 ? 152500 + (kwh - 500) * 335
                                      : 655000 + (kwh - 2000) * 298;
  const int64_t factor = use.hour >= 22 || use.hour < 6 ? 80 : use.hour >= 17 && use.hour < 20 ? 125 : 100;
  return {fee * 100 + tiers * factor - (customer.years > 5 ? 250000 : 0)};
}

std::vector<std::string> B18::Evaluate() const {
  std::vector<std::string> invoice;
  invoice.reserve(lines.size() + 1);
  int64_t row = 0;
  for (const Line& line : lines) {
    invoice.push_back(absl::StrFormat("%3d  %-16s %4d x %8.2f", ++row, line.name, line.quantity, line.price));
  }
  invoice.push_back(absl::StrFormat("%s, %d lines, no. %06d", customer, lines.size(), number));
  return invoice;
}

std::map<std::string, B19::Group> B19::Evaluate() const {
  std::map<std::string, Group> groups;
  for (const Order& order : orders) {
    const auto [found, added] = groups.try_emplace(order.region, Group{0, order.amount, 0});
    Group& group = found->second;
    ++group.count;
    group.largest = std::max(group.largest, order.amount);
    group.total += order.amount;
  }
  return groups;
}

// Customers are found by a table instead of a second loop.
std::vector<B20::Row> B20::Evaluate() const {
  absl::flat_hash_map<absl::string_view, const Customer*> by_id;
  by_id.reserve(customers.size());
  for (const Customer& customer : customers) by_id.emplace(customer.id, &customer);
  std::vector<Row> rows;
  for (const Order& order : orders) {
    const auto found = by_id.find(order.customer);
    if (found == by_id.end() || !found->second->active) continue;
    rows.push_back({order.id, found->second->name, order.quantity * order.price});
  }
  return rows;
}

}  // namespace hcl::bench
