// JsonProjection. Tested by vm/json/json_projection_test.cc.

#include "hclvm/vm/json/json_projection.h"

#include <algorithm>

namespace hcl {

// The table of names stays less than half full, so that a search ends soon. The names are the program's, so that nobody
// else can make it long.
JsonProjection* JsonProjection::Need(std::string_view name) {
  if (const JsonProjection* known = Find(name)) return const_cast<JsonProjection*>(known);
  properties_.push_back({std::string(name), std::make_unique<JsonProjection>()});
  if (slots_.size() > 2 * properties_.size()) {
    Place(static_cast<uint32_t>(properties_.size() - 1));
  } else {
    slots_.assign(slots_.empty() ? 16 : 4 * slots_.size(), Slot());
    for (uint32_t n = 0; n < properties_.size(); ++n) Place(n);
  }
  return properties_.back().needed.get();
}

void JsonProjection::Place(uint32_t property) {
  const std::string& name = properties_[property].name;
  const uint64_t word = WordOf(name);
  size_t at = SlotOf(word, name.size());
  while (slots_[at].property != 0) at = Next(at);
  slots_[at] = {word, static_cast<uint32_t>(name.size()), property + 1};
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
  for (const Property& property : other.properties_) Need(property.name)->Add(*property.needed);
}

std::string JsonProjection::ToText() const {
  if (needs_all_) return "";
  if (items_ != nullptr) return "[*]" + items_->ToText();
  std::vector<std::string> texts;
  for (const Property& property : properties_) texts.push_back(property.name + property.needed->ToText());
  std::sort(texts.begin(), texts.end());
  std::string text = "{";
  for (const std::string& one : texts) text += (text.size() > 1 ? ", " : "") + one;
  return text + "}";
}

}  // namespace hcl
