#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/bench/breadth/json_text.h"
#include "hclvm/bench/breadth/scopes.h"

namespace hcl::bench {

std::string ScopeB06(int scope) {
  Dice dice(6, scope);
  constexpr const char* kActions[] = {"read", "list", "write", "delete"};
  constexpr const char* kPrefixes[] = {"/docs/", "/docs/legal/", "/bills/", "/users/", "/"};
  constexpr const char* kRoles[] = {"staff", "lawyer", "accountant", "admin"};
  std::vector<std::string> rules;
  for (int r = 0; r < 16; ++r) {
    rules.push_back(JsonObject({{"id", JsonText(absl::StrCat("r", r))},
                                {"effect", JsonText(dice.Chance(60) ? "allow" : "deny")},
                                {"actions", JsonTexts(dice.Some(kActions, 40))},
                                {"prefix", JsonText(dice.Pick(kPrefixes))},
                                {"roles", dice.Chance(20) ? std::string("null") : JsonTexts(dice.Some(kRoles, 30))}}));
  }
  constexpr const char* kResources[] = {
      "/docs/plan.md", "/docs/legal/nda.pdf", "/bills/2024/77", "/users/ann", "/health", "bucket/7"};
  return JsonObject({{"rules", JsonList(rules)},
                     {"request", JsonObject({{"action", JsonText(dice.Pick(kActions))},
                                             {"resource", JsonText(dice.Pick(kResources))},
                                             {"roles", JsonTexts(dice.Some(kRoles, 40))}})}});
}

std::string ScopeB07(int scope) {
  Dice dice(7, scope);
  struct Route {
    const char* host;
    const char* prefix;
    const char* rewrite;
    const char* backend;
    const char* methods;
    const char* timeout;
  };
  constexpr Route kRoutes[] = {
      {"api.example.com", "/v2/orders/", "/orders/", "orders", R"(["GET", "POST"])", "10"},
      {"api.example.com", "/v2/users/", "/users/", "users", R"(["GET", "PUT"])", "null"},
      {"api.example.com", "/v2/", "/", "api-v2", R"(["GET", "POST", "PUT", "DELETE"])", "null"},
      {"api.example.com", "/v1/", "/legacy/", "api-v1", R"(["GET"])", "60"},
      {"admin.example.com", "/", "/admin/", "admin", R"(["GET", "POST"])", "null"},
      {"static.example.com", "/img/", "/", "images", R"(["GET", "HEAD"])", "5"},
      {"static.example.com", "/css/", "/css/", "assets", R"(["GET", "HEAD"])", "5"},
      {"*", "/health", "/status", "health", R"(["GET", "HEAD"])", "1"},
      {"*", "/.well-known/", "/well-known/", "files", R"(["GET"])", "null"},
      {"www.example.com", "/", "/", "web", R"(["GET", "POST"])", "null"},
  };
  std::vector<std::string> routes;
  for (const Route& r : kRoutes) {
    routes.push_back(JsonObject({{"host", JsonText(r.host)},
                                 {"prefix", JsonText(r.prefix)},
                                 {"rewrite", JsonText(r.rewrite)},
                                 {"backend", JsonText(r.backend)},
                                 {"methods", r.methods},
                                 {"timeout", r.timeout}}));
  }
  // Some requests fit no route, as on the internet.
  constexpr std::pair<const char*, const char*> kTargets[] = {
      {"api.example.com", "/v2/orders/"}, {"api.example.com", "/v2/users/"},    {"api.example.com", "/v2/stock/"},
      {"api.example.com", "/v1/orders/"}, {"static.example.com", "/img/"},      {"static.example.com", "/css/"},
      {"www.example.com", "/"},           {"www.example.com", "/about/"},       {"admin.example.com", "/users/"},
      {"old.example.com", "/health"},     {"old.example.com", "/.well-known/"}, {"old.example.com", "/wp-login/"},
  };
  const auto& [host, path] = dice.Pick(kTargets);
  constexpr const char* kMethods[] = {"GET", "GET", "GET", "GET", "GET", "GET", "POST", "DELETE"};
  return JsonObject({{"routes", JsonList(routes)},
                     {"request", JsonObject({{"host", JsonText(host)},
                                             {"path", JsonText(absl::StrCat(path, 100 + scope))},
                                             {"method", JsonText(dice.Pick(kMethods))}})}});
}

std::string ScopeB08(int scope) {
  Dice dice(8, scope);
  constexpr const char* kNames[] = {"database", "network", "billing", "storage", "search", "mail"};
  constexpr const char* kDurations[] = {"30m", "2h", "90m", "4h30m", "26h"};
  std::vector<std::string> windows;
  for (const char* name : kNames) {
    const int day = 27 + dice.Roll(3);
    const int hour = dice.Roll(24);
    const std::string start = absl::StrFormat("2024-02-%02dT%02d:%02d:00Z", day, hour, dice.Roll(4) * 15);
    windows.push_back(JsonObject(
        {{"name", JsonText(name)}, {"start", JsonText(start)}, {"duration", JsonText(dice.Pick(kDurations))}}));
  }
  const int hour = dice.Roll(24);
  const std::string now = absl::StrFormat("2024-02-%02dT%02d:%02d:30Z", 28 + scope % 2, hour, dice.Roll(60));
  return JsonObject({{"windows", JsonList(windows)}, {"now", JsonText(now)}});
}

std::string ScopeB09(int scope) {
  Dice dice(9, scope);
  constexpr const char* kTeams[] = {"shop", "search", "mail", "data"};
  constexpr const char* kResources[] = {"cpu_m", "memory_mb", "pods", "volumes", "gpus"};
  std::vector<std::pair<std::string, std::string>> quotas;
  std::vector<std::pair<std::string, std::string>> used;
  for (const char* team : kTeams) {
    std::vector<std::pair<std::string, std::string>> limits;
    std::vector<std::pair<std::string, std::string>> use;
    for (const char* resource : kResources) {
      limits.emplace_back(resource, JsonNumber(1000 + 500 * dice.Roll(4)));
      if (dice.Chance(80)) use.emplace_back(resource, JsonNumber(dice.Roll(1500)));
    }
    quotas.emplace_back(team, JsonObject(limits));
    used.emplace_back(team, JsonObject(use));
  }
  std::vector<std::pair<std::string, std::string>> request;
  for (const char* resource : kResources) {
    if (dice.Chance(70)) request.emplace_back(resource, JsonNumber(dice.Roll(1000)));
  }
  return JsonObject({{"quotas", JsonObject(quotas)},
                     {"used", JsonObject(used)},
                     {"team", JsonText(kTeams[scope % 4])},
                     {"request", JsonObject(request)}});
}

std::string ScopeB10(int scope) {
  Dice dice(10, scope);
  constexpr const char* kUsers[] = {"ann_lee", "bob7", "carl", "frank_99", "x", "dora_the_administrator"};
  constexpr const char* kEmails[] = {"ann@example.com",         "bob@mail.example.org", "frank.b@example.de",
                                     "gina-7@shop.example.com", "carl.example.com",     "eve@host"};
  constexpr const char* kPhones[] = {R"("+441632960961")", R"("+4930123456")", "null", R"("01632 960961")"};
  constexpr const char* kCountries[] = {"DE", "GB", "FR", "us", "US"};
  constexpr const char* kPasswords[] = {"Secret77word", "hunter2X", "Lamp5chair", "secretword"};
  return JsonObject({{"form", JsonObject({{"user", JsonText(dice.Pick(kUsers))},
                                          {"email", JsonText(dice.Pick(kEmails))},
                                          {"phone", dice.Pick(kPhones)},
                                          {"country", JsonText(dice.Pick(kCountries))},
                                          {"password", JsonText(dice.Pick(kPasswords))}})}});
}

}  // namespace hcl::bench
