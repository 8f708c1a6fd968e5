#include "hclvm/bench/handwritten.h"

#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace hcl::bench {
namespace {

// True if `text` is one of `choices`.
template <size_t N>
bool OneOf(absl::string_view text, const absl::string_view (&choices)[N]) {
  for (absl::string_view choice : choices) {
    if (text == choice) return true;
  }
  return false;
}

constexpr absl::string_view kBlocked[] = {"10.0.1.4", "10.0.1.5", "10.0.1.6"};
constexpr absl::string_view kAdminHosts[] = {"10.0.1.1", "10.0.1.2", "10.0.1.3"};
constexpr absl::string_view kFirstTokens[] = {"v1", "v2", "admin"};
constexpr absl::string_view kSecondTokens[] = {"v2", "admin"};

constexpr const char* kTiers[] = {"free", "basic", "pro", "team", "enterprise"};

}  // namespace

W0 W0::Make(int i) { return {i % 2 == 0}; }

W1 W1::Make(int i) { return {absl::StrCat("10.0.1.", 1 + (i + 1) % 3), absl::StrCat("/admin/edit", i), "admin"}; }

bool W1::Evaluate() const {
  if (OneOf(ip, kBlocked)) return false;
  return (absl::StartsWith(path, "v1") && OneOf(token, kFirstTokens)) ||
         (absl::StartsWith(path, "v2") && OneOf(token, kSecondTokens)) ||
         (absl::StartsWith(path, "/admin") && token == "admin" && OneOf(ip, kAdminHosts));
}

W2 W2::Make(int i) { return {17 + i, 23 + i, 5 + i, 100 + i}; }

bool W2::Evaluate() const {
  // A quotient is exact in HCL; multiplying the other side says the same in integers.
  return a + b * 2 - c > 4 * (d % 7) && a * a + b * b < 1000000;
}

W3 W3::Make(int i) {
  constexpr const char* kEnvironments[] = {"prod", "stage", "dev", "qa"};
  return {absl::StrFormat("%012d", 123456789012 + i), kEnvironments[i % 4], absl::StrFormat("service-role-%02d", i)};
}

std::string W3::Evaluate() const { return absl::StrCat("arn:aws:iam::", account, ":role/", env, "-", name); }

W4 W4::Make(int i) {
  W4 scope;
  for (int j = 0; j < 100; ++j) {
    scope.users.push_back(
        {absl::StrFormat("user%03d", j), (j * 7 + i * 3) % 60 + 5, absl::StrFormat("user%03d@example.com", j)});
  }
  return scope;
}

std::vector<std::string> W4::Evaluate() const {
  std::vector<std::string> names;
  for (const User& user : users) {
    if (user.age >= 18) names.push_back(user.name);
  }
  return names;
}

W5 W5::Make(int i) {
  constexpr const char* kEnvironments[] = {"prod", "stage", "dev"};
  return {kEnvironments[i % 3], i + 2};
}

int64_t W5::Evaluate() const {
  if (env == "prod") return replicas * 2;
  return env == "stage" ? replicas : 1;
}

// Plain structs: a path in them is an offset, which is the least that a look-up can cost.
W6 W6::Make(int i) {
  W6 scope;
  scope.config.region = "eu";
  scope.config.service.name = "svc";
  Http& http = scope.config.service.http;
  for (int j = 0; j < 4; ++j) {
    http.listeners.push_back({8000 + j, "0.0.0.0", {(i + j) % 2 == 0 ? "1.3" : "1.2", "c.pem"}});
  }
  http.timeout = 30;
  http.host = "h";
  return scope;
}

bool W6::Evaluate() const {
  // A missing listener is an error in HCL, and none of the scopes has that.
  const std::vector<Listener>& listeners = config.service.http.listeners;
  return listeners.size() > 2 && listeners[2].tls.min_version == "1.3";
}

W7 W7::Make(int i) {
  W7 scope;
  for (int j = 0; j < 20; ++j) {
    scope.tags[absl::StrFormat("tag_key_%02d", j)] = absl::StrFormat("value-%02d-%02d", i, j);
  }
  scope.prefix = absl::StrCat("pfx", i);
  return scope;
}

std::map<std::string, std::string> W7::Evaluate() const {
  std::map<std::string, std::string> result;
  for (const auto& [key, value] : tags) {
    result.emplace(absl::AsciiStrToUpper(key), absl::StrCat(prefix, "-", value));
  }
  return result;
}

// Hash maps, as a programmer would take for lookups by a key; so the bound is a fair one.
W8 W8::Make(int i) {
  W8 scope;
  for (int k = 0; k < 5; ++k) scope.limits[kTiers[k]] = {10 * (k + 1), 100 * (k + 1)};
  for (int j = 0; j < 1000; ++j) scope.quota[absl::StrFormat("user%04d", j)] = j * 13 % 20000;
  scope.user_id = absl::StrFormat("user%04d", i * 61 % 1000);
  scope.user_tier = kTiers[i % 5];
  return scope;
}

bool W8::Evaluate() const {
  // A missing key is an error in HCL, and none of the scopes has that.
  const auto limit = limits.find(user_tier);
  const auto used = quota.find(user_id);
  return limit != limits.end() && used != quota.end() && limit->second.rps * 60 >= used->second;
}

W9 W9::Make(int i) {
  constexpr const char* kPaths[] = {"v1/a", "v2/b", "/admin/x", "/other"};
  constexpr const char* kTokens[] = {"v1", "v2", "admin", "none"};
  W9 scope;
  scope.ip = absl::StrCat("10.0.1.", 1 + i * 5 % 7);
  scope.path = kPaths[i % 4];
  scope.token = kTokens[i / 4];
  return scope;
}

}  // namespace hcl::bench
