#include "hclvm/bench/breadth/access.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/bench/breadth/contains.h"

namespace hcl::bench {

bool B01::Grants(const std::string& role, int levels) const {
  const auto found = roles.find(role);
  if (found == roles.end()) return false;
  if (Contains(found->second.permissions, request.permission)) return true;
  if (levels == 0) return false;
  for (const std::string& parent : found->second.inherits) {
    if (Grants(parent, levels - 1)) return true;
  }
  return false;
}

bool B01::Evaluate() const {
  if (!user.active) return false;
  for (const std::string& role : user.roles) {
    if (Grants(role, 2)) return true;
  }
  return false;
}

// The messages of a container in the order of the policy.
std::vector<std::string> B02::Evaluate() const {
  std::vector<std::string> messages;
  for (const Container& c : pod.containers) {
    const bool known = std::any_of(settings.registries.begin(), settings.registries.end(),
                                   [&c](const std::string& registry) { return absl::StartsWith(c.image, registry); });
    if (!known) messages.push_back(absl::StrCat(c.name, ": ", c.image, " is from an unknown registry"));
    if (absl::EndsWith(c.image, ":latest") || !absl::StrContains(c.image, ':')) {
      messages.push_back(absl::StrCat(c.name, ": ", c.image, " has no fixed tag"));
    }
    if (!c.limits.has_value() || !c.limits->memory_mb.has_value()) {
      messages.push_back(absl::StrCat(c.name, ": no memory limit"));
    } else if (*c.limits->memory_mb > settings.max_memory_mb) {
      messages.push_back(
          absl::StrCat(c.name, ": ", *c.limits->memory_mb, " MB are over ", settings.max_memory_mb, " MB"));
    }
    if (c.security.has_value() && c.security->privileged && pod.space != "kube-system") {
      messages.push_back(absl::StrCat(c.name, ": privileged in ", pod.space));
    }
  }
  return messages;
}

// Sorted vectors of views: a handful of short texts is sorted faster than it is hashed, and the answers are sorted.
B03::Answer B03::Evaluate() const {
  std::vector<absl::string_view> granted;
  const auto add = [&](const std::vector<std::string>& permissions) {
    for (const std::string& permission : permissions) {
      if (!Contains(user.revoked, permission)) granted.emplace_back(permission);
    }
  };
  add(user.grants);
  for (const std::string& name : user.groups) {
    const auto group = groups.find(name);
    if (group != groups.end()) add(group->second);
  }
  std::sort(granted.begin(), granted.end());
  granted.erase(std::unique(granted.begin(), granted.end()), granted.end());
  std::vector<absl::string_view> needs(task.needs.begin(), task.needs.end());
  std::sort(needs.begin(), needs.end());
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  Answer answer;
  for (absl::string_view need : needs) {
    const bool has = std::binary_search(granted.begin(), granted.end(), need);
    (has ? answer.usable : answer.missing).items.emplace_back(need);
  }
  answer.granted.items.reserve(granted.size());
  for (absl::string_view permission : granted) answer.granted.items.emplace_back(permission);
  return answer;
}

bool B04::Expression::Holds(const Labels& labels) const {
  const auto found = labels.find(key);
  if (operation == "Exists") return found != labels.end();
  if (operation != "In" && operation != "NotIn") return found == labels.end();
  const absl::string_view value = found == labels.end() ? absl::string_view() : found->second;
  return Contains(values, value) == (operation == "In");
}

bool B04::Selector::Chooses(const Labels& pod) const {
  for (const auto& [key, value] : labels) {
    const auto found = pod.find(key);
    if ((found == pod.end() ? absl::string_view() : found->second) != value) return false;
  }
  return std::all_of(expressions.begin(), expressions.end(), [&pod](const Expression& e) { return e.Holds(pod); });
}

std::vector<std::string> B04::Evaluate() const {
  std::vector<std::string> names;
  for (const Pod& pod : pods) {
    if (selector.Chooses(pod.labels)) names.push_back(pod.name);
  }
  return names;
}

namespace {

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table = {};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    table[i] = crc;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

uint32_t AddToCrc(uint32_t crc, absl::string_view text) {
  for (const char c : text) crc = kCrcTable[(crc ^ static_cast<uint8_t>(c)) & 0xff] ^ (crc >> 8);
  return crc;
}

}  // namespace

// The checksum goes over the parts, so that no text has to be put together for it.
bool B05::IsOn(const Flag& flag) const {
  if (!flag.enabled || Contains(flag.blocked, user.id)) return false;
  if (Contains(flag.users, user.id) || Contains(flag.plans, user.plan)) return true;
  const uint32_t crc = ~AddToCrc(AddToCrc(AddToCrc(~0u, flag.name), "/"), user.id);
  return crc % 100 < flag.percent;
}

std::vector<std::string> B05::Evaluate() const {
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    if (IsOn(flag)) names.push_back(flag.name);
  }
  return names;
}

}  // namespace hcl::bench
