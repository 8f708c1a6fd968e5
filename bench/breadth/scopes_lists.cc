#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/bench/breadth/json_text.h"
#include "hclvm/bench/breadth/scopes.h"

namespace hcl::bench {

std::string ScopeB26(int scope) {
  Dice dice(26, scope);
  constexpr const char* kTags[] = {"Prod", "prod", "Web",     "api",  "",    "PCI",  "team-shop", "eu",
                                   "EU",   "db",   "managed", "cold", "tmp", "gdpr", "public",    "batch"};
  std::vector<std::string> resources;
  for (int r = 0; r < 10; ++r) {
    resources.push_back(
        JsonObject({{"id", JsonText(absl::StrCat("r-", scope, "-", r))}, {"tags", JsonTexts(dice.Some(kTags, 25))}}));
  }
  return JsonObject({{"resources", JsonList(resources)}});
}

std::string ScopeB27(int scope) {
  Dice dice(27, scope);
  std::vector<std::pair<std::string, std::string>> catalog;
  for (int n = 0; n < 1000; ++n) {
    catalog.emplace_back(absl::StrFormat("sku-%04d", n * 3),
                         JsonObject({{"price", JsonNumber(100 + n * 37 % 4000)}, {"stock", JsonNumber(n * 7 % 25)}}));
  }
  std::vector<std::string> order;
  const int count = 2 + dice.Roll(8);
  for (int l = 0; l < count; ++l) {
    const int sku = dice.Chance(80) ? dice.Roll(1000) * 3 : dice.Roll(3000);
    order.push_back(
        JsonObject({{"sku", JsonText(absl::StrFormat("sku-%04d", sku))}, {"quantity", JsonNumber(1 + dice.Roll(12))}}));
  }
  return JsonObject({{"catalog", JsonObject(catalog)}, {"order", JsonList(order)}});
}

std::string ScopeB28(int scope) {
  Dice dice(28, scope);
  constexpr const char* kChecks[] = {"build", "unit", "lint", "browser", "license"};
  constexpr const char* kUsers[] = {"ann", "bob", "carl", "dora", "eve"};
  constexpr const char* kStates[] = {"approved", "approved",  "approved",  "approved",
                                     "approved", "commented", "commented", "changes"};
  std::vector<std::string> checks;
  for (const char* name : kChecks) {
    checks.push_back(JsonObject({{"name", JsonText(name)},
                                 {"optional", JsonBool(*name == 'l')},
                                 {"status", JsonText(dice.Chance(97) ? "success" : "failure")}}));
  }
  std::vector<std::string> reviews;
  const int count = 2 + dice.Roll(3);
  for (int r = 0; r < count; ++r) {
    reviews.push_back(
        JsonObject({{"user", JsonText(kUsers[(scope + r) % 5])}, {"state", JsonText(dice.Pick(kStates))}}));
  }
  return JsonObject({{"branch", JsonText(scope % 3 == 0 ? "release/2.1" : "feature/search")},
                     {"checks", JsonList(checks)},
                     {"reviews", JsonList(reviews)},
                     {"owners", JsonTexts({"ann", "bob", "carl"})}});
}

std::string ScopeB29(int scope) {
  Dice dice(29, scope);
  constexpr const char* kFirst[] = {"Ann", "Bob", "Carl", "Dora", "Eve", "Frank"};
  constexpr const char* kLast[] = {"Lee", "Smith", "Archer", "Baker", "Turner"};
  constexpr const char* kRoles[] = {"admin", "editor", "reader", "billing"};
  std::vector<std::string> users;
  for (int u = 0; u < 20; ++u) {
    users.push_back(JsonObject(
        {{"id", JsonNumber(100 + u)},
         {"first", JsonText(dice.Pick(kFirst))},
         {"last", JsonText(dice.Pick(kLast))},
         {"email", JsonText(absl::StrFormat("user%02d@example.com", u))},
         {"phone", dice.Chance(40) ? JsonText(absl::StrFormat("+44 1632 9600%02d", u)) : std::string("null")},
         {"roles", JsonTexts(dice.Some(kRoles, 30))},
         {"active", JsonBool(dice.Chance(80))}}));
  }
  return JsonObject({{"users", JsonList(users)}});
}

std::string ScopeB30(int scope) {
  Dice dice(30, scope);
  constexpr const char* kTeams[] = {"shop", "search", "mail"};
  constexpr const char* kPeople[] = {"ann", "bob", "carl", "dora", "eve", "frank", "gina", "hal"};
  std::vector<std::string> shifts;
  for (const char* who : kPeople) {
    const int from = dice.Roll(7 * 24) * 60;
    std::vector<std::string> absent;
    if (dice.Chance(40)) absent.push_back(JsonNumber(dice.Roll(7)));
    shifts.push_back(JsonObject({{"who", JsonText(who)},
                                 {"teams", JsonTexts(dice.Some(kTeams, 70))},
                                 {"from", JsonNumber(from)},
                                 {"to", JsonNumber((from + 720 * (1 + dice.Roll(8))) % 10080)},
                                 {"absent", JsonList(absent)}}));
  }
  return JsonObject(
      {{"shifts", JsonList(shifts)}, {"team", JsonText(kTeams[scope % 3])}, {"now", JsonNumber(dice.Roll(10080))}});
}

}  // namespace hcl::bench
