// NameTable: the positions of names that are known beforehand, found by the bytes of a text.
//
// Not for programs that use the library: everything here may change with any version.
//
// Tested by vm/json/json_projection_test.cc.

#ifndef HCLVM_INTERNAL_NAME_TABLE_H_
#define HCLVM_INTERNAL_NAME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/internal/cxx17.h"

namespace hcl::internal {

// Names, by position. Thread-safe while none is added. Finding one takes constant time, but where many names are of one
// size and differ only in bytes that are neither among the first nor the last eight. The names are a program's, so that
// nobody else can make it long.
class NameTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Adds a name, which is not there, behind the others.
  void Add(std::string_view name) {
    names_.emplace_back(name);
    sizes_ |= SizeBit(name.size());
    // Less than half full, so that a search ends soon.
    if (slots_.size() > 2 * names_.size()) return Place(size() - 1);
    slots_.assign(slots_.empty() ? 16 : 4 * slots_.size(), Slot());
    for (uint32_t n = 0; n < size(); ++n) Place(n);
  }

  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  // Valid until the next Add().
  std::string_view name(uint32_t position) const { return names_[position]; }

  // Of which sizes names are, a bit for each.
  uint64_t sizes() const { return sizes_; }
  // The bit of a size. All from 63 on share the last one.
  static constexpr uint64_t SizeBit(size_t size) { return uint64_t{1} << (size < 63 ? size : 63); }

  // Its position; kNone where it is not there.
  uint32_t Find(std::string_view name) const {
    if (slots_.empty()) return kNone;
    const uint64_t word = WordOf(name);
    for (size_t at = SlotOf(word, name.size()); slots_[at].position != kNone; at = Next(at)) {
      const Slot& slot = slots_[at];
      if (slot.word != word || slot.size != name.size()) continue;
      if (name.size() <= kWordBytes || std::memcmp(names_[slot.position].data(), name.data(), name.size()) == 0) {
        return slot.position;
      }
    }
    return kNone;
  }

 private:
  struct Slot {
    uint64_t word = 0;          // WordOf() the name
    uint32_t size = 0;          // of the name
    uint32_t position = kNone;  // kNone: the slot is free
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
  void Place(uint32_t position) {
    const std::string& name = names_[position];
    const uint64_t word = WordOf(name);
    size_t at = SlotOf(word, name.size());
    while (slots_[at].position != kNone) at = Next(at);
    slots_[at] = {word, static_cast<uint32_t>(name.size()), position};
  }

  uint64_t sizes_ = 0;
  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // a power of two, more than twice as many as names
};

}  // namespace hcl::internal

#endif  // HCLVM_INTERNAL_NAME_TABLE_H_
