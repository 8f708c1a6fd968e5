#include "hclvm/bench/breadth/rules.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "hclvm/bench/breadth/contains.h"
#include "re2/re2.h"

namespace hcl::bench {

bool B06::Fits(const Rule& rule) const {
  if (!Contains(rule.actions, request.action) || !absl::StartsWith(request.resource, rule.prefix)) return false;
  return !rule.roles.has_value() || std::any_of(request.roles.begin(), request.roles.end(),
                                                [&](const std::string& role) { return Contains(*rule.roles, role); });
}

B06::Answer B06::Evaluate() const {
  for (const Rule& rule : rules) {
    if (Fits(rule)) return {rule.effect, rule.id};
  }
  return {"deny", "default"};
}

B07::Answer B07::Evaluate() const {
  for (const Route& route : routes) {
    if ((route.host != "*" && route.host != request.host) || !absl::StartsWith(request.path, route.prefix) ||
        !Contains(route.methods, request.method)) {
      continue;
    }
    const absl::string_view rest = absl::string_view(request.path).substr(route.prefix.size());
    return {route.backend, absl::StrCat(route.rewrite, rest), route.timeout.value_or(30)};
  }
  return {"not-found", request.path, 5};
}

namespace {

// A timestamp of whole seconds: what its clock shows, and how many seconds that is ahead of UTC.
struct Timestamp {
  absl::CivilSecond local;
  int64_t offset = 0;

  absl::CivilSecond Utc() const { return local - offset; }
};

int Digits(absl::string_view text, size_t at, size_t count) {
  int number = 0;
  for (size_t i = at; i < at + count; ++i) number = number * 10 + (text[i] - '0');
  return number;
}

// "2024-02-29T10:30:00Z" or with "+01:00" for the Z, as RFC 3339 has them. Fields are at fixed places, which
// absl::ParseTime cannot know: it takes many times as long.
Timestamp ParseTimestamp(absl::string_view text) {
  Timestamp time;
  time.local = absl::CivilSecond(Digits(text, 0, 4), Digits(text, 5, 2), Digits(text, 8, 2), Digits(text, 11, 2),
                                 Digits(text, 14, 2), Digits(text, 17, 2));
  if (text.size() >= 25) {
    time.offset = Digits(text, 20, 2) * 3600 + Digits(text, 23, 2) * 60;
    if (text[19] == '-') time.offset = -time.offset;
  }
  return time;
}

std::string Format(const absl::CivilSecond& time) {
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return absl::StrCat(absl::Dec(time.day(), absl::kZeroPad2), " ", kMonths[time.month() - 1], " ",
                      absl::Dec(time.year(), absl::kZeroPad4), " ", absl::Dec(time.hour(), absl::kZeroPad2), ":",
                      absl::Dec(time.minute(), absl::kZeroPad2));
}

}  // namespace

std::vector<B08::Open> B08::Evaluate() const {
  const absl::CivilSecond present = ParseTimestamp(now).Utc();
  std::vector<Open> open;
  for (const Window& window : windows) {
    const Timestamp start = ParseTimestamp(window.start);
    if (present < start.Utc()) continue;
    absl::Duration duration;
    if (!absl::ParseDuration(window.duration, &duration)) continue;
    const int64_t seconds = absl::ToInt64Seconds(duration);
    if (present < start.Utc() + seconds) open.push_back({window.name, Format(start.local + seconds)});
  }
  return open;
}

// A missing team is an error in HCL, and none of the scopes has that.
B09::Answer B09::Evaluate() const {
  Answer answer = {false, {}};
  const auto limits = quotas.find(team);
  const auto use = used.find(team);
  if (limits == quotas.end() || use == used.end()) return answer;
  for (const auto& [resource, limit] : limits->second) {
    const auto wanted = request.find(resource);
    if (wanted == request.end() || wanted->second <= 0) continue;
    const auto has = use->second.find(resource);
    const int64_t after = (has == use->second.end() ? 0 : has->second) + wanted->second;
    if (after > limit) answer.over.emplace_hint(answer.over.end(), resource, after - limit);
  }
  answer.allowed = answer.over.empty();
  return answer;
}

// The patterns are compiled once.
ListOf<std::string> B10::Evaluate() const {
  static const RE2* const kUser = new RE2("[a-z][a-z0-9_]{2,15}");
  static const RE2* const kEmail = new RE2("[^@ ]+@[a-z0-9-]+([.][a-z0-9-]+)+");
  static const RE2* const kPhone = new RE2("[+][0-9]{6,14}");
  ListOf<std::string> messages;
  if (!RE2::FullMatch(form.user, *kUser)) messages.items.emplace_back("user: 3 to 16 small letters, digits or _");
  if (!RE2::FullMatch(form.email, *kEmail)) {
    messages.items.push_back(absl::StrCat("email: ", form.email, " is no address"));
  }
  if (form.phone.has_value() && !RE2::FullMatch(*form.phone, *kPhone)) {
    messages.items.emplace_back("phone: a + and 6 to 14 digits");
  }
  // What is as simple as these needs no pattern.
  const auto any = [](const std::string& text, bool (*is)(unsigned char)) {
    return std::any_of(text.begin(), text.end(), is);
  };
  if (form.country.size() != 2 || !absl::ascii_isupper(static_cast<unsigned char>(form.country[0])) ||
      !absl::ascii_isupper(static_cast<unsigned char>(form.country[1]))) {
    messages.items.emplace_back("country: two capital letters");
  }
  if (!any(form.password, absl::ascii_isdigit) || !any(form.password, absl::ascii_isupper)) {
    messages.items.emplace_back("password: needs a digit and a capital letter");
  }
  return messages;
}

}  // namespace hcl::bench
