#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/bench/breadth/json_text.h"
#include "hclvm/bench/breadth/scopes.h"

namespace hcl::bench {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kEnvironments[] = {"prod", "stage", "dev"};
constexpr const char* kSizes[] = {"small", "medium", "large"};

// Some of the names, each with a number of [low, low + sides).
template <size_t N>
std::string SomeNumbers(const char* const (&names)[N], int percent, int low, int sides, Dice* dice) {
  Entries entries;
  for (const std::string& name : dice->Some(names, percent)) {
    entries.emplace_back(name, JsonNumber(low + dice->Roll(sides)));
  }
  return JsonObject(entries);
}

// `value`, or null in so many of a hundred cases.
std::string OrNull(std::string value, int percent, Dice* dice) {
  return dice->Chance(percent) ? "null" : std::move(value);
}

}  // namespace

std::string ScopeB11(int scope) {
  Dice dice(11, scope);
  constexpr const char* kApps[] = {"shop", "search", "mail", "reports"};
  const char* app = dice.Pick(kApps);
  Entries fields = {{"name", JsonText(app)},
                    {"version", JsonText(absl::StrFormat("%d.%d.0", 1 + scope % 3, scope))},
                    {"replicas", JsonNumber(1 + dice.Roll(6))},
                    {"port", OrNull(JsonNumber(9000 + scope), 50, &dice)},
                    {"size", JsonText(dice.Pick(kSizes))},
                    {"labels", dice.Chance(50) ? R"(["public", "billed"])" : R"(["internal"])"}};
  if (dice.Chance(50)) fields.emplace_back("health", JsonObject({{"path", JsonText("/status")}}));
  return JsonObject({{"app", JsonObject(fields)},
                     {"env", JsonText(kEnvironments[scope % 3])},
                     {"registry", JsonText("registry.example.com")},
                     {"teams", R"({"shop": "commerce", "search": "discovery"})"}});
}

std::string ScopeB12(int scope) {
  Dice dice(12, scope);
  constexpr const char* kWeb[] = {"api", "web", "admin", "auth", "search"};
  constexpr const char* kWorkers[] = {"mailer", "billing", "reports", "imports", "exports"};
  constexpr const char* kServices[] = {"api",    "web",     "admin",   "auth",    "search",
                                       "mailer", "billing", "reports", "imports", "exports"};
  constexpr const char* kCaches[] = {"sessions", "pages", "carts", "tokens", "rates"};
  Entries versions;
  for (const std::string& name : dice.Some(kServices, 80)) {
    const int major = 1 + dice.Roll(3);
    versions.emplace_back(name, JsonText(absl::StrFormat("%d.%d.0", major, dice.Roll(20))));
  }
  Entries levels;
  for (const std::string& name : dice.Some(kServices, 30)) levels.emplace_back(name, JsonText("warn"));
  return JsonObject({{"env", JsonText(kEnvironments[scope % 3])},
                     {"size", JsonText(kSizes[dice.Roll(3)])},
                     {"region", JsonText(scope % 2 == 0 ? "eu-west-1" : "us-east-1")},
                     {"domain", JsonText("example.com")},
                     {"registry", JsonText("registry.example.com")},
                     {"versions", JsonObject(versions)},
                     {"replicas", SomeNumbers(kWeb, 60, 1, 8, &dice)},
                     {"timeouts", SomeNumbers(kWeb, 40, 5, 60, &dice)},
                     {"retries", SomeNumbers(kWorkers, 40, 0, 10, &dice)},
                     {"ttls", SomeNumbers(kCaches, 40, 60, 600, &dice)},
                     {"levels", JsonObject(levels)},
                     {"public", JsonTexts(dice.Some(kWeb, 50))},
                     {"paused", JsonTexts(dice.Some(kWorkers, 20))}});
}

std::string ScopeB13(int scope) {
  Dice dice(13, scope);
  constexpr const char* kNames[] = {"Assets", "Backups", "Logs", "Exports", "Imports", "Models"};
  constexpr const char* kClasses[] = {R"("standard")", R"("rare")", R"("archive")", R"("tape")", "null"};
  constexpr const char* kTags[] = {R"({"Owner": "data"})", R"({"Team": "web", "Cost": "c-17"})", "{}", "null"};
  Entries buckets;
  for (const char* name : kNames) {
    buckets.emplace_back(name, JsonObject({{"enabled", JsonBool(dice.Chance(80))},
                                           {"class", dice.Pick(kClasses)},
                                           {"days", OrNull(JsonNumber(7 + dice.Roll(90)), 40, &dice)},
                                           {"tags", dice.Pick(kTags)},
                                           {"versioning", OrNull(JsonBool(dice.Chance(50)), 50, &dice)}}));
  }
  const char* environment = kEnvironments[scope % 3];
  return JsonObject({{"project", JsonText(scope % 2 == 0 ? "Shop" : "Search")},
                     {"environment", JsonText(environment)},
                     {"buckets", JsonObject(buckets)},
                     {"tags", JsonObject({{"Environment", JsonText(environment)}, {"Owner", JsonText("platform")}})}});
}

std::string ScopeB14(int scope) {
  Dice dice(14, scope);
  const std::string proxy = JsonObject({{"host", JsonText(absl::StrCat("proxy", scope, ".example.com"))},
                                        {"port", OrNull(JsonNumber(8080), 40, &dice)}});
  const std::string tls =
      JsonObject({{"enabled", JsonBool(dice.Chance(70))}, {"cert", OrNull(JsonText("/etc/tls/cert.pem"), 30, &dice)}});
  const std::string retry = JsonObject({{"attempts", JsonNumber(1 + dice.Roll(5))}, {"pause_ms", JsonNumber(250)}});
  return JsonObject({{"settings", JsonObject({{"timeout", OrNull(JsonNumber(5 + scope), 50, &dice)},
                                              {"limit", OrNull(JsonNumber(50 * scope), 50, &dice)},
                                              {"owner", dice.Chance(30) ? R"("")" : OrNull(R"("team-web")", 40, &dice)},
                                              {"proxy", OrNull(proxy, 40, &dice)},
                                              {"retry", OrNull(retry, 40, &dice)},
                                              {"tls", OrNull(tls, 40, &dice)}})},
                     {"profile", JsonObject({{"timeout", OrNull(JsonNumber(60), 50, &dice)},
                                             {"limit", OrNull(JsonNumber(500), 50, &dice)},
                                             {"retries", OrNull(JsonNumber(2), 50, &dice)},
                                             {"tls", OrNull(JsonBool(dice.Chance(50)), 50, &dice)}})}});
}

std::string ScopeB15(int scope) {
  Dice dice(15, scope);
  constexpr const char* kSites[] = {"berlin", "paris", "london"};
  Entries doc;
  if (dice.Chance(70)) {
    Entries logging;
    if (dice.Chance(70)) logging.emplace_back("level", JsonText(dice.Chance(40) ? "debug" : "warn"));
    if (dice.Chance(60)) {
      std::vector<std::string> sinks;
      for (const char* type : {"FILE", "Syslog"}) {
        Entries sink = {{"type", JsonText(type)}};
        if (dice.Chance(50)) sink.emplace_back("format", JsonText("text"));
        sinks.push_back(JsonObject(sink));
      }
      logging.emplace_back("sinks", JsonList(sinks));
    }
    doc.emplace_back("logging", JsonObject(logging));
  }
  if (dice.Chance(40)) doc.emplace_back("level", JsonText("error"));
  if (dice.Chance(60)) doc.emplace_back("limits", R"({"pro": 1000, "team": 5000})");
  if (dice.Chance(50)) doc.emplace_back("region", JsonText("eu-central-1"));
  if (dice.Chance(70)) {
    Entries sites;
    for (const char* site : kSites) {
      if (dice.Chance(30)) continue;
      Entries fields;
      if (dice.Chance(60)) fields.emplace_back("region", R"({"name": "eu-west-3"})");
      if (dice.Chance(40)) fields.emplace_back("debug", JsonBool(dice.Chance(50)));
      sites.emplace_back(site, JsonObject(fields));
    }
    doc.emplace_back("sites", JsonObject(sites));
  }
  return JsonObject({{"doc", JsonObject(doc)},
                     {"site", JsonText(kSites[scope % 3])},
                     {"plan", JsonText(scope % 4 == 0 ? "free" : "pro")}});
}

}  // namespace hcl::bench
