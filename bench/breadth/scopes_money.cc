#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/bench/breadth/json_text.h"
#include "hclvm/bench/breadth/scopes.h"

namespace hcl::bench {
namespace {

constexpr const char* kGoods[] = {"Chair", "Desk lamp", "Office desk", "Paper A4", "Pen", "Monitor 27", "Cable 2 m"};

// Cents as a decimal.
std::string Money(int cents) { return absl::StrFormat("%d.%02d", cents / 100, cents % 100); }

}  // namespace

std::string ScopeB16(int scope) {
  Dice dice(16, scope);
  constexpr const char* kClasses[] = {"full", "reduced", "free"};
  std::vector<std::string> lines;
  const int count = 1 + dice.Roll(8);
  for (int l = 0; l < count; ++l) {
    lines.push_back(JsonObject({{"quantity", JsonNumber(1 + dice.Roll(12))},
                                {"price", Money(99 + dice.Roll(20000))},
                                {"discount", dice.Chance(40) ? Money(5 * dice.Roll(7)) : "0"},
                                {"class", JsonText(dice.Pick(kClasses))}}));
  }
  return JsonObject({{"cart", JsonObject({{"lines", JsonList(lines)}, {"express", JsonBool(dice.Chance(40))}})},
                     {"rates", R"({"full": 0.19, "reduced": 0.07, "free": 0})"}});
}

std::string ScopeB17(int scope) {
  Dice dice(17, scope);
  constexpr const char* kKinds[] = {"home", "business", "charity"};
  constexpr int kBounds[] = {90, 400, 1500, 9000};
  return JsonObject(
      {{"customer", JsonObject({{"kind", JsonText(dice.Pick(kKinds))}, {"years", JsonNumber(dice.Roll(12))}})},
       {"use",
        JsonObject({{"kwh", JsonNumber(1 + dice.Roll(kBounds[scope % 4]))}, {"hour", JsonNumber(dice.Roll(24))}})}});
}

std::string ScopeB18(int scope) {
  Dice dice(18, scope);
  std::vector<std::string> lines;
  const int count = 2 + dice.Roll(8);
  for (int l = 0; l < count; ++l) {
    lines.push_back(JsonObject({{"name", JsonText(dice.Pick(kGoods))},
                                {"quantity", JsonNumber(1 + dice.Roll(50))},
                                {"price", Money(50 + dice.Roll(90000))}}));
  }
  return JsonObject({{"lines", JsonList(lines)},
                     {"customer", JsonText(scope % 2 == 0 ? "Example Ltd" : "Acme")},
                     {"number", JsonNumber(4000 + scope * 7)}});
}

std::string ScopeB19(int scope) {
  Dice dice(19, scope);
  constexpr const char* kRegions[] = {"north", "south", "east", "west", "islands"};
  std::vector<std::string> orders;
  for (int o = 0; o < 40; ++o) {
    orders.push_back(JsonObject({{"id", JsonNumber(1000 + o)},
                                 {"region", JsonText(dice.Pick(kRegions))},
                                 {"amount", JsonNumber(10 + dice.Roll(900))}}));
  }
  return JsonObject({{"orders", JsonList(orders)}});
}

std::string ScopeB20(int scope) {
  Dice dice(20, scope);
  std::vector<std::string> customers;
  for (int c = 0; c < 10; ++c) {
    customers.push_back(JsonObject({{"id", JsonText(absl::StrFormat("c%02d", c))},
                                    {"name", JsonText(absl::StrCat("Customer ", c))},
                                    {"active", JsonBool(dice.Chance(75))}}));
  }
  std::vector<std::string> orders;
  for (int o = 0; o < 20; ++o) {
    orders.push_back(JsonObject({{"id", JsonNumber(100 + o)},
                                 {"customer", JsonText(absl::StrFormat("c%02d", dice.Roll(12)))},
                                 {"quantity", JsonNumber(1 + dice.Roll(9))},
                                 {"price", JsonNumber(5 + dice.Roll(200))}}));
  }
  return JsonObject({{"orders", JsonList(orders)}, {"customers", JsonList(customers)}});
}

}  // namespace hcl::bench
