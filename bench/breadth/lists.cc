#include "hclvm/bench/breadth/lists.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/bench/breadth/contains.h"

namespace hcl::bench {

// Doubles are dropped first: looking a tag up costs less than sorting it.
ListOf<std::string> B26::Evaluate() const {
  absl::flat_hash_set<std::string> seen;
  std::string lower;
  for (const Resource& resource : resources) {
    for (const std::string& tag : resource.tags) {
      if (tag.empty()) continue;
      lower = tag;
      absl::AsciiStrToLower(&lower);
      seen.insert(lower);
    }
  }
  ListOf<std::string> tags;
  tags.items.assign(seen.begin(), seen.end());
  std::sort(tags.items.begin(), tags.items.end());
  return tags;
}

B27::Answer B27::Evaluate() const {
  Answer answer;
  answer.total = 0;
  for (const Line& line : order) {
    const auto item = catalog.find(line.sku);
    if (item == catalog.end()) {
      answer.unknown.push_back(line.sku);
      continue;
    }
    answer.total += item->second.price * line.quantity;
    if (item->second.stock < line.quantity) answer.shortage.push_back(line.sku);
  }
  return answer;
}

bool B28::Evaluate() const {
  for (const Check& check : checks) {
    if (!check.optional && check.status != "success") return false;
  }
  std::vector<absl::string_view> approvers;
  bool by_owner = false;
  for (const Review& review : reviews) {
    if (review.state == "changes") return false;
    if (review.state != "approved") continue;
    by_owner |= Contains(owners, review.user);
    if (std::find(approvers.begin(), approvers.end(), review.user) == approvers.end()) {
      approvers.emplace_back(review.user);
    }
  }
  return by_owner && approvers.size() >= (absl::StartsWith(branch, "release/") ? 2u : 1u);
}

std::vector<B29::Row> B29::Evaluate() const {
  std::vector<Row> rows;
  for (const User& user : users) {
    if (!user.active) continue;
    rows.push_back({user.id, absl::StrCat(user.first, " ", user.last),
                    user.phone.has_value() ? *user.phone : user.email, static_cast<int64_t>(user.roles.size()),
                    Contains(user.roles, "admin")});
  }
  return rows;
}

std::vector<std::string> B30::Evaluate() const {
  const int64_t day = now / 1440;
  std::vector<std::string> people;
  for (const Shift& shift : shifts) {
    const bool after = now >= shift.from;
    const bool before = now < shift.to;
    if (!(shift.from <= shift.to ? after && before : after || before) || !Contains(shift.teams, team)) continue;
    if (std::find(shift.absent.begin(), shift.absent.end(), day) != shift.absent.end()) continue;
    people.push_back(shift.who);
  }
  return people;
}

}  // namespace hcl::bench
