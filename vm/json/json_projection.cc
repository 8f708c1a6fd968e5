// JsonProjection. Tested by vm/json/json_projection_test.cc.

#include "hclvm/vm/json/json_projection.h"

#include <algorithm>

namespace hcl {

JsonProjection* JsonProjection::Need(std::string_view name) {
  if (const JsonProjection* known = Find(name)) return const_cast<JsonProjection*>(known);
  names_.Add(name);
  return properties_.emplace_back(std::make_unique<JsonProjection>()).get();
}

JsonProjection* JsonProjection::NeedItems() {
  if (items_ == nullptr) items_ = std::make_unique<JsonProjection>();
  return items_.get();
}

// Where one needs items and the other properties, an object would have to be read by both.
void JsonProjection::Add(const JsonProjection& other) {
  const auto needs_properties = [](const JsonProjection& one) { return !one.properties_.empty(); };
  const bool differ =
      (items_ != nullptr && needs_properties(other)) || (other.items_ != nullptr && needs_properties(*this));
  if (other.needs_all_ || differ) NeedAll();
  if (needs_all_) return;
  if (other.items_ != nullptr) NeedItems()->Add(*other.items_);
  other.ForEach([this](std::string_view name, const JsonProjection& needed) { Need(name)->Add(needed); });
}

std::string JsonProjection::ToText() const {
  if (needs_all_) return "";
  if (items_ != nullptr) return "[*]" + items_->ToText();
  std::vector<std::string> texts;
  ForEach([&texts](std::string_view name, const JsonProjection& needed) {
    texts.push_back(std::string(name) + needed.ToText());
  });
  std::sort(texts.begin(), texts.end());
  std::string text = "{";
  for (const std::string& one : texts) text += (text.size() > 1 ? ", " : "") + one;
  return text + "}";
}

}  // namespace hcl
