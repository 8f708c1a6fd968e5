// SetSegment, SetSnapshot: what a ProgramSet holds at one time, shared by its readers.
//
// Internal to compiler/program_set.h. Tested by compiler/program_set_test.cc.

#ifndef HCLVM_COMPILER_SET_SEGMENT_H_
#define HCLVM_COMPILER_SET_SEGMENT_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {

// Names and texts of programs, one behind the other.
class SetTexts {
 public:
  void Add(std::string_view name, std::string_view text) {
    if (ends_.empty()) bytes_.reserve(name.size() + text.size()), ends_.reserve(2);  // mostly all that comes
    bytes_.append(name);
    ends_.push_back(static_cast<uint32_t>(bytes_.size()));
    bytes_.append(text);
    ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  }
  void Finish() { bytes_.shrink_to_fit(), ends_.shrink_to_fit(); }
  uint32_t count() const { return static_cast<uint32_t>(ends_.size() / 2); }
  size_t bytes() const { return bytes_.size(); }
  size_t BytesHeld() const { return bytes_.capacity() + ends_.capacity() * sizeof(uint32_t); }
  // Each requires n < count().
  std::string_view NameOf(uint32_t n) const { return Slice(2 * n); }
  std::string_view TextOf(uint32_t n) const { return Slice(2 * n + 1); }

 private:
  std::string_view Slice(uint32_t n) const {
    HCL_DCHECK(n < ends_.size());
    const uint32_t begin = n == 0 ? 0 : ends_[n - 1];
    return std::string_view(bytes_).substr(begin, ends_[n] - begin);
  }

  std::string bytes_;
  std::vector<uint32_t> ends_;
};

// Programs in one table of code: each is a chunk, by its number. The program's ranges are in the texts of each.
// Immutable, but for what only the writer of the set looks at.
class SetSegment : public std::enable_shared_from_this<SetSegment> {
 public:
  SetSegment(std::shared_ptr<const Program> program, SetTexts texts, uint32_t number)
      : program_(std::move(program)), texts_(std::move(texts)), number_(number) {
    texts_.Finish();
  }

  const std::shared_ptr<const Program>& program() const { return program_; }
  const SetTexts& texts() const { return texts_; }
  // Among the segments of a set at one time.
  uint32_t number() const { return number_; }

  // The writer's: the id that each program had when it came, and how many are still here.
  std::vector<uint32_t>* ids() const { return &ids_; }
  uint32_t* live() const { return &live_; }
  bool* is_draining() const { return &is_draining_; }

 private:
  std::shared_ptr<const Program> program_;
  SetTexts texts_;
  uint32_t number_;
  mutable bool is_draining_ = false;
  mutable uint32_t live_ = 0;
  mutable std::vector<uint32_t> ids_;
};

// A program of the set, which keeps its segment; none where `segment` is null.
struct SetRecord {
  std::shared_ptr<const SetSegment> segment;
  uint32_t chunk = 0;
};

// The same in a page, which keeps the segment.
struct SetPlace {
  const SetSegment* segment = nullptr;
  uint32_t chunk = 0;
};

constexpr uint32_t kSetPageBits = 8;
constexpr uint32_t kSetPageSize = 1 << kSetPageBits;

class SetIndex;

// Programs, and an index of them for who looks for the true one, which is made when somebody does. Thread-safe as long
// as no program is changed; a copy has no index yet.
class SetPage {
 public:
  SetPage() = default;
  SetPage(const SetPage& other) : places_(other.places_), owners_(other.owners_) {}
  SetPage& operator=(const SetPage&) = delete;
  ~SetPage();

  // Requires n < kSetPageSize.
  const SetPlace& operator[](uint32_t n) const { return places_[n]; }
  // Changes one. To be used before others see the page.
  void Set(uint32_t n, const SetRecord& record);
  const SetIndex& Index() const;
  // Beside the page itself, for the index and the list of segments.
  size_t BytesHeld() const;

 private:
  // A segment of some places. They are counted, as there are much fewer segments than places: a copy of the page so
  // holds each only once.
  struct Owner {
    std::shared_ptr<const SetSegment> segment;
    uint32_t places;
  };
  std::vector<Owner>::iterator OwnerOf(const SetSegment* segment);

  std::array<SetPlace, kSetPageSize> places_;
  std::vector<Owner> owners_;
  mutable std::atomic<const SetIndex*> index_{nullptr};
};

// Immutable. Snapshots share the pages in which they do not differ.
struct SetSnapshot {
  std::vector<std::shared_ptr<const SetPage>> pages;

  size_t id_limit() const { return pages.size() * kSetPageSize; }
  const SetPlace& At(uint32_t id) const { return (*pages[id >> kSetPageBits])[id & (kSetPageSize - 1)]; }
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_SET_SEGMENT_H_
