#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/bench/breadth/json_text.h"
#include "hclvm/bench/breadth/scopes.h"

namespace hcl::bench {
namespace {

constexpr const char* kPermissions[] = {"doc.read",  "doc.write", "doc.delete",  "bill.read",  "bill.write",
                                        "user.read", "user.ban",  "report.read", "audit.read", "key.rotate"};

}  // namespace

std::string ScopeB01(int scope) {
  Dice dice(1, scope);
  // Each role and what it inherits from; the first permissions are those that many have.
  constexpr std::pair<const char*, const char*> kRoles[] = {
      {"guest", ""},          {"reader", "guest"},      {"writer", "reader"},
      {"editor", "writer"},   {"accountant", "reader"}, {"support", "reader"},
      {"auditor", "support"}, {"admin", "editor"}};
  constexpr const char* kNames[] = {"guest", "reader", "writer", "editor", "accountant", "support", "auditor", "admin"};
  std::vector<std::pair<std::string, std::string>> roles;
  int at = 0;
  for (const auto& [name, parent] : kRoles) {
    std::vector<std::string> permissions = {kPermissions[at], kPermissions[(at + 1) % 10]};
    if (at % 3 == 0) permissions.emplace_back(kPermissions[(at + 5) % 10]);
    std::vector<std::string> inherits;
    if (*parent != '\0') inherits.emplace_back(parent);
    roles.emplace_back(name, JsonObject({{"inherits", JsonTexts(inherits)}, {"permissions", JsonTexts(permissions)}}));
    ++at;
  }
  std::vector<std::string> has = {dice.Pick(kNames)};
  while (dice.Chance(40)) has.emplace_back(dice.Pick(kNames));
  return JsonObject({{"roles", JsonObject(roles)},
                     {"user", JsonObject({{"active", JsonBool(scope % 8 != 5)}, {"roles", JsonTexts(has)}})},
                     {"request", JsonObject({{"permission", JsonText(dice.Pick(kPermissions))}})}});
}

std::string ScopeB02(int scope) {
  Dice dice(2, scope);
  constexpr const char* kImages[] = {
      "registry.example.com/shop/api:1.4.2", "registry.example.com/shop/web:2.0.0", "ghcr.io/example/proxy:v3",
      "docker.io/library/redis:latest",      "registry.example.com/tools/debug",    "ghcr.io/example/agent:0.9"};
  constexpr const char* kNames[] = {"main", "proxy", "agent", "init", "logs"};
  std::vector<std::string> containers;
  const int count = 1 + dice.Roll(4);
  for (int c = 0; c < count; ++c) {
    std::vector<std::pair<std::string, std::string>> fields = {{"name", JsonText(kNames[c])},
                                                               {"image", JsonText(dice.Pick(kImages))}};
    if (dice.Chance(80)) {
      const std::string memory = dice.Chance(85) ? JsonNumber(128 << dice.Roll(6)) : "null";
      fields.emplace_back("limits", JsonObject({{"cpu_m", JsonNumber(250)}, {"memory_mb", memory}}));
    }
    if (dice.Chance(50)) fields.emplace_back("security", JsonObject({{"privileged", JsonBool(dice.Chance(30))}}));
    containers.push_back(JsonObject(fields));
  }
  const char* space = scope % 5 == 0 ? "kube-system" : "shop";
  return JsonObject({{"pod", JsonObject({{"name", JsonText(absl::StrCat("pod-", scope))},
                                         {"namespace", JsonText(space)},
                                         {"containers", JsonList(containers)}})},
                     {"settings", JsonObject({{"registries", JsonTexts({"registry.example.com/", "ghcr.io/example/"})},
                                              {"max_memory_mb", "2048"}})}});
}

std::string ScopeB03(int scope) {
  Dice dice(3, scope);
  constexpr const char* kGroups[] = {"staff", "billing", "operations", "security"};
  std::vector<std::pair<std::string, std::string>> groups;
  for (int g = 0; g < 4; ++g) {
    std::vector<std::string> permissions;
    for (int p = 0; p < 4; ++p) permissions.emplace_back(kPermissions[(g * 3 + p) % 10]);
    groups.emplace_back(kGroups[g], JsonTexts(permissions));
  }
  std::vector<std::string> member = {dice.Pick(kGroups)};
  if (dice.Chance(50)) member.emplace_back(dice.Pick(kGroups));
  // At least one of each: an empty set has no type.
  const auto some = [&dice](int percent) {
    std::vector<std::string> permissions = dice.Some(kPermissions, percent);
    if (permissions.empty()) permissions.emplace_back(dice.Pick(kPermissions));
    return JsonTexts(permissions);
  };
  return JsonObject({{"groups", JsonObject(groups)},
                     {"user", JsonObject({{"groups", JsonTexts(member)}, {"grants", some(20)}, {"revoked", some(10)}})},
                     {"task", JsonObject({{"needs", some(30)}})}});
}

std::string ScopeB04(int scope) {
  Dice dice(4, scope);
  constexpr const char* kApps[] = {"api", "web", "jobs"};
  constexpr const char* kTiers[] = {"front", "back"};
  constexpr const char* kZones[] = {"a", "b", "c"};
  constexpr const char* kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist"};
  std::vector<std::string> pods;
  for (int p = 0; p < 12; ++p) {
    std::vector<std::pair<std::string, std::string>> labels = {{"app", JsonText(dice.Pick(kApps))}};
    if (dice.Chance(80)) labels.emplace_back("tier", JsonText(dice.Pick(kTiers)));
    if (dice.Chance(70)) labels.emplace_back("zone", JsonText(dice.Pick(kZones)));
    if (dice.Chance(20)) labels.emplace_back("canary", JsonText("true"));
    pods.push_back(JsonObject({{"name", JsonText(absl::StrFormat("pod-%02d", p))}, {"labels", JsonObject(labels)}}));
  }
  std::vector<std::pair<std::string, std::string>> equal;
  if (dice.Chance(60)) equal.emplace_back("app", JsonText(dice.Pick(kApps)));
  if (dice.Chance(30)) equal.emplace_back("tier", JsonText(dice.Pick(kTiers)));
  std::vector<std::string> expressions;
  for (const char* key : {"zone", "canary"}) {
    if (dice.Chance(30)) continue;
    const std::string name = dice.Pick(kOperators);
    const std::vector<std::string> values = name.size() > 5 ? std::vector<std::string>{} : dice.Some(kZones, 50);
    expressions.push_back(
        JsonObject({{"key", JsonText(key)}, {"operator", JsonText(name)}, {"values", JsonTexts(values)}}));
  }
  return JsonObject(
      {{"pods", JsonList(pods)},
       {"selector", JsonObject({{"labels", JsonObject(equal)}, {"expressions", JsonList(expressions)}})}});
}

std::string ScopeB05(int scope) {
  Dice dice(5, scope);
  constexpr const char* kFlags[] = {"dark-mode",  "new-search", "fast-checkout", "beta-export", "chat",
                                    "two-factor", "bulk-edit",  "ai-summary",    "old-reports", "webhooks"};
  constexpr const char* kPlans[] = {"free", "pro", "team"};
  const auto user = [&dice] { return absl::StrFormat("u-%05d", 1000 + dice.Roll(12) * 37); };
  std::vector<std::string> flags;
  for (const char* name : kFlags) {
    std::vector<std::string> users;
    std::vector<std::string> blocked;
    while (dice.Chance(60)) users.push_back(user());
    while (dice.Chance(30)) blocked.push_back(user());
    flags.push_back(JsonObject({{"name", JsonText(name)},
                                {"enabled", JsonBool(dice.Chance(85))},
                                {"users", JsonTexts(users)},
                                {"blocked", JsonTexts(blocked)},
                                {"plans", JsonTexts(dice.Some(kPlans, 20))},
                                {"percent", JsonNumber(dice.Roll(5) * 25)}}));
  }
  return JsonObject({{"flags", JsonList(flags)},
                     {"user", JsonObject({{"id", JsonText(user())}, {"plan", JsonText(dice.Pick(kPlans))}})}});
}

}  // namespace hcl::bench
