#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "hclvm/bench/breadth/json_text.h"
#include "hclvm/bench/breadth/scopes.h"

namespace hcl::bench {

std::string ScopeB21(int scope) {
  Dice dice(21, scope);
  std::vector<std::string> servers;
  const int count = 1 + dice.Roll(8);
  for (int s = 0; s < count; ++s) {
    servers.push_back(JsonObject({{"host", JsonText(absl::StrFormat("10.0.%d.%d", dice.Roll(4), 10 + s))},
                                  {"port", JsonNumber(8000 + dice.Roll(3))},
                                  {"weight", JsonNumber(1 + dice.Roll(3))},
                                  {"backup", JsonBool(dice.Chance(25))}}));
  }
  return JsonObject({{"name", JsonText(absl::StrCat("shop_", scope))},
                     {"servers", JsonList(servers)},
                     {"sticky", JsonBool(scope % 3 == 0)}});
}

std::string ScopeB22(int scope) {
  Dice dice(22, scope);
  constexpr const char* kKinds[] = {"order", "return", "complaint"};
  constexpr const char* kComments[] = {R"("please ring")", R"("say \"hello\" first")", R"("two\nlines")", "null"};
  std::vector<std::string> items;
  const int count = 1 + dice.Roll(5);
  for (int n = 0; n < count; ++n) {
    items.push_back(JsonObject({{"sku", JsonText(absl::StrFormat("sku-%04d", dice.Roll(9999)))},
                                {"quantity", JsonNumber(1 + dice.Roll(20))},
                                {"shelf", JsonText("a7")}}));
  }
  return JsonObject(
      {{"event", JsonObject({{"id", JsonText(absl::StrFormat("evt-%06d", 4711 * (scope + 1)))},
                             {"kind", JsonText(dice.Pick(kKinds))},
                             {"items", JsonList(items)},
                             {"comment", dice.Pick(kComments)},
                             {"priority", JsonNumber(dice.Roll(10))}})},
       {"user", JsonObject({{"id", JsonNumber(100 + scope)}, {"name", JsonText(absl::StrCat("Ann Lee ", scope))}})}});
}

std::string ScopeB23(int scope) {
  Dice dice(23, scope);
  constexpr const char* kParameters[] = {"utm_source=mail", "Page=3",     "q=desk+lamp", "sort=price", "debug",
                                         "utm_medium=web",  "SIZE=large", "color=red",   "session=77", "page=4"};
  std::vector<std::string> parameters = dice.Some(kParameters, 60);
  const std::string query = absl::StrCat(dice.Chance(70) ? "?" : "", absl::StrJoin(parameters, "&"));
  return JsonObject({{"request", JsonObject({{"query", JsonText(query)}})},
                     {"known", JsonTexts({"q", "page", "sort", "size", "color", "debug"})}});
}

std::string ScopeB24(int scope) {
  Dice dice(24, scope);
  constexpr const char* kPlatforms[] = {"ios", "android", "desktop"};
  std::vector<std::string> clients;
  for (int c = 0; c < 8; ++c) {
    const int major = 3 + dice.Roll(3);
    const int minor = dice.Roll(12);
    const std::string version = absl::StrFormat("%d.%d.%d", major, minor, dice.Roll(30));
    clients.push_back(JsonObject({{"name", JsonText(absl::StrFormat("client-%02d", c))},
                                  {"platform", JsonText(dice.Pick(kPlatforms))},
                                  {"version", JsonText(version)}}));
  }
  return JsonObject(
      {{"clients", JsonList(clients)}, {"minimum", R"({"ios": "4.9.12", "android": "4.10.0", "desktop": "3.11.7"})"}});
}

std::string ScopeB25(int scope) {
  Dice dice(25, scope);
  constexpr const char* kEmails[] = {"Ann.Lee@Example.com",      " bob@mail.example.org ", "carl+news@EXAMPLE.com",
                                     "dora+a+b@shop.example.de", "eve@example.com",        "Frank+x@Partner.example"};
  constexpr const char* kHosts[] = {"Mail.Example.COM.", "web.example.org", " HOST7.example.net", "db.internal."};
  std::vector<std::string> users;
  const int count = 2 + dice.Roll(5);
  for (int u = 0; u < count; ++u) {
    users.push_back(JsonObject({{"email", JsonText(dice.Pick(kEmails))}, {"host", JsonText(dice.Pick(kHosts))}}));
  }
  return JsonObject({{"users", JsonList(users)}});
}

}  // namespace hcl::bench
