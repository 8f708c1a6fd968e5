// JsonProjection: what is needed of JSON texts; JsonReader::Read() leaves out the rest.
//
//   hcl::JsonProjection needed;
//   needed.Need("user")->Need("name")->NeedAll();  // user.name, and no other attribute of user
//   reader.Read(text, needed, &heap, &scope, &error);
//
// hclvm/vm/reads.h makes one of what a program reads. Tested by vm/json/json_projection_test.cc.

#ifndef HCLVM_VM_JSON_JSON_PROJECTION_H_
#define HCLVM_VM_JSON_JSON_PROJECTION_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/internal/cxx17.h"

namespace hcl {

// What is needed at one place of a text: everything; or of an object, some properties; or of the items of an array or
// object, some parts of each. What is there and is neither an object nor an array is always read. One that needs
// nothing leaves objects empty, and reads arrays whole. Thread-safe once made. Finding a name takes
// constant time, but where many needed names are of one size and differ only in bytes that are neither among the first
// nor the last eight. Recursion follows how deep it is nested, which is the caller's to bound.
class JsonProjection {
 public:
  JsonProjection() = default;
  JsonProjection(JsonProjection&&) = default;
  JsonProjection& operator=(JsonProjection&&) = default;

  // Adds the property `name`, which is in NFC, and returns what is needed of it: nothing, if it is new. Valid until
  // this is destroyed; no effect where everything is needed already.
  JsonProjection* Need(std::string_view name) ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // Adds all items, and returns what is needed of each. Properties that Need() has named do not count beside it.
  JsonProjection* NeedItems() ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // Everything is needed.
  void NeedAll() { needs_all_ = true; }
  // Adds what `other` needs.
  void Add(const JsonProjection& other);

  bool needs_all() const { return needs_all_; }
  // What is needed of each item; null where NeedItems() has not been called.
  const JsonProjection* items() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return items_.get(); }
  // What is needed of the property `name`; null where that is nothing. Requires !needs_all() and !items().
  const JsonProjection* Find(std::string_view name) const ABSL_ATTRIBUTE_LIFETIME_BOUND {
    if (slots_.empty()) return nullptr;
    const uint64_t word = WordOf(name);
    for (size_t at = SlotOf(word, name.size()); slots_[at].property != 0; at = Next(at)) {
      const Slot& slot = slots_[at];
      if (slot.word != word || slot.size != name.size()) continue;
      const Property& property = properties_[slot.property - 1];
      if (name.size() <= kWordBytes || std::memcmp(property.name.data(), name.data(), name.size()) == 0) {
        return property.needed.get();
      }
    }
    return nullptr;
  }

  // Calls `visit` with the name of each property that is needed, and what is needed of it.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const Property& property : properties_) visit(std::string_view(property.name), *property.needed);
  }

  // As people read it: "{limit, user{name, tags[*]{id}}}".
  std::string ToText() const;

 private:
  struct Property {
    std::string name;
    std::unique_ptr<JsonProjection> needed;
  };
  struct Slot {
    uint64_t word = 0;      // WordOf() the name
    uint32_t size = 0;      // of the name
    uint32_t property = 0;  // 1 + its index; 0: the slot is free
  };

  static constexpr size_t kWordBytes = 8;

  // All bytes of a name that has no more than kWordBytes, together with its size; else its first and last ones, mixed.
  static uint64_t WordOf(std::string_view name) {
    const char* const text = name.data();
    const size_t size = name.size();
    if (size >= 4) {
      uint32_t parts[2];
      std::memcpy(&parts[0], text, 4);
      std::memcpy(&parts[1], text + (size < kWordBytes ? size - 4 : 4), 4);
      const uint64_t first = uint64_t{parts[1]} << 32 | parts[0];
      if (size <= kWordBytes) return first;
      uint64_t last;
      std::memcpy(&last, text + size - kWordBytes, kWordBytes);
      return first ^ (last << 23 | last >> 41);
    }
    if (size == 0) return 0;
    const auto byte = [text](size_t at) { return uint64_t{static_cast<uint8_t>(text[at])}; };
    return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
  size_t SlotOf(uint64_t word, size_t size) const {
    return ((word ^ size) * 0x9e3779b97f4a7c15u >> 32) & (slots_.size() - 1);
  }
  size_t Next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  void Place(uint32_t property);

  bool needs_all_ = false;
  std::unique_ptr<JsonProjection> items_;
  std::vector<Property> properties_;
  std::vector<Slot> slots_;  // a power of two, more than twice as many as properties
};

}  // namespace hcl

#endif  // HCLVM_VM_JSON_JSON_PROJECTION_H_
