// SetSegment, SetSnapshot: what a ProgramSet holds at one time, shared by its readers.
//
// Internal to compiler/program_set.h. Tested by compiler/program_set_test.cc.

#ifndef HCLVM_COMPILER_SET_SEGMENT_H_
#define HCLVM_COMPILER_SET_SEGMENT_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/packed_integers.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {

// Names and texts of programs, and what each tests first (compiler/first_tests.h). One may be added while others look
// at those that are there.
class SetTexts {
 public:
  // Has room for so many programs.
  explicit SetTexts(uint32_t capacity) : places_(new Place[capacity]), capacity_(capacity) {}

  // Requires count() < capacity.
  void Add(std::string_view name, std::string_view text, std::string_view first_tests) {
    HCL_DCHECK(count_ < capacity_);
    uint8_t size[kMaxPackedBytes];
    uint8_t* const size_end = PutPacked(static_cast<uint32_t>(first_tests.size()), size);
    const auto size_bytes = static_cast<size_t>(size_end - size);
    char* const bytes = Allocate(name.size() + text.size() + size_bytes + first_tests.size());
    char* at = std::copy(name.begin(), name.end(), bytes);
    at = std::copy(text.begin(), text.end(), at);
    at = std::copy(size, size_end, at);
    std::copy(first_tests.begin(), first_tests.end(), at);
    places_[count_] = {bytes, static_cast<uint32_t>(name.size()), static_cast<uint32_t>(text.size())};
    ++count_;
  }
  // For who adds.
  uint32_t count() const { return count_; }
  uint32_t capacity() const { return capacity_; }
  size_t bytes() const { return bytes_; }
  size_t BytesHeld() const { return bytes_held_ + capacity_ * sizeof(Place); }
  // Each requires a program that was added before the caller heard of it.
  std::string_view NameOf(uint32_t n) const { return {places_[n].begin, places_[n].name_size}; }
  std::string_view TextOf(uint32_t n) const { return {places_[n].begin + places_[n].name_size, places_[n].text_size}; }
  std::string_view FirstTestsOf(uint32_t n) const {
    const std::string_view text = TextOf(n);
    auto at = reinterpret_cast<const uint8_t*>(text.data() + text.size());
    const size_t size = TakePacked(&at);
    return {reinterpret_cast<const char*>(at), size};
  }

 private:
  // What one block has for several programs, where there are several.
  static constexpr size_t kBlockBytes = 4 << 10;

  // The text's bytes stand behind those of the name, and the first tests come last, behind their size.
  struct Place {
    const char* begin;
    uint32_t name_size;
    uint32_t text_size;
  };

  char* Allocate(size_t bytes) {
    if (bytes > left_) {
      const size_t block = capacity_ == 1 ? bytes : std::max(bytes, kBlockBytes);
      blocks_.reserve(blocks_.size() + 1);
      blocks_.emplace_back(new char[block]);
      next_ = blocks_.back().get();
      left_ = block;
      bytes_held_ += block + sizeof(blocks_[0]);
    }
    bytes_ += bytes;
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

  std::unique_ptr<Place[]> places_;
  uint32_t capacity_;
  uint32_t count_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t bytes_ = 0;
  size_t bytes_held_ = 0;
};

// Programs in one table of code: each is a chunk, by its number. The program's ranges are in the texts of each.
// Programs may come while others are evaluated (vm/program_growth.h): there is another program() then, which has those
// of the one before as well.
class SetSegment : public std::enable_shared_from_this<SetSegment> {
 public:
  // Has room for `capacity` programs.
  SetSegment(uint32_t capacity, uint32_t number) : texts_(capacity), number_(number), serial_(NextSerial()) {}

  // What has all programs that the caller has heard of, and perhaps more. Waits for set_program().
  std::shared_ptr<const Program> program() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return program_;
  }
  // Whether there will be no other program().
  bool is_finished() const { return is_finished_.load(std::memory_order_acquire); }
  const SetTexts& texts() const { return texts_; }
  // Among the segments of a set at one time.
  uint32_t number() const { return number_; }
  // Stands for the segment, also when it is gone: no other one of the process has it.
  uint64_t serial() const { return serial_; }
  // Whether it never has more than one program.
  bool is_single() const { return texts_.capacity() == 1; }

  // The writer's, like all below.
  void set_program(std::shared_ptr<const Program> program) {
    const std::lock_guard<std::mutex> lock(mutex_);
    program_.swap(program);
  }
  void Finish() { is_finished_.store(true, std::memory_order_release); }
  SetTexts* mutable_texts() { return &texts_; }
  // The id that each program had when it came, and how many are still here.
  std::vector<uint32_t>* ids() const { return &ids_; }
  uint32_t* live() const { return &live_; }
  bool* is_draining() const { return &is_draining_; }
  // Whether its programs came one by one, and whether snapshots keep it.
  bool* is_grown() const { return &is_grown_; }
  bool* is_listed() const { return &is_listed_; }

 private:
  static uint64_t NextSerial() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const Program> program_;
  std::atomic<bool> is_finished_{false};
  SetTexts texts_;
  uint32_t number_;
  uint64_t serial_;
  mutable bool is_draining_ = false;
  mutable bool is_grown_ = false;
  mutable bool is_listed_ = false;
  mutable uint32_t live_ = 0;
  mutable std::vector<uint32_t> ids_;
};

// A program of the set, which keeps its segment; none where `segment` is null.
struct SetRecord {
  std::shared_ptr<const SetSegment> segment;
  uint32_t chunk = 0;
};

// The same in a page, where something else keeps the segment.
struct SetPlace {
  const SetSegment* segment = nullptr;
  uint32_t chunk = 0;
};

constexpr uint32_t kSetPageBits = 8;
constexpr uint32_t kSetPageSize = 1 << kSetPageBits;

class SetIndex;

// Programs, and an index of them for who looks for the true one, which is made when somebody does. Thread-safe as long
// as no program is changed; a copy has no index yet. Segments of a single program are kept by the page, the few others
// by the snapshot: so that a copy of a page, which each change makes, seldom has anything to keep.
class SetPage {
 public:
  SetPage() = default;
  SetPage(const SetPage& other) : places_(other.places_), singles_(other.singles_) {}
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
  std::array<SetPlace, kSetPageSize> places_;
  std::vector<std::shared_ptr<const SetSegment>> singles_;
  mutable std::atomic<const SetIndex*> index_{nullptr};
};

constexpr uint32_t kSetBranchBits = 4;

// Pages that follow each other.
using SetBranch = std::array<std::shared_ptr<const SetPage>, 1 << kSetBranchBits>;
using SetSegments = std::vector<std::shared_ptr<const SetSegment>>;

// Immutable. Snapshots share the branches and pages in which they do not differ: a change copies one of each.
struct SetSnapshot {
  std::vector<std::shared_ptr<const SetBranch>> branches;
  size_t page_count = 0;
  std::shared_ptr<const SetSegments> segments;  // of more than a single program, those that have one here

  size_t id_limit() const { return page_count * kSetPageSize; }
  // Requires n < page_count.
  const std::shared_ptr<const SetPage>& PageAt(size_t n) const {
    return (*branches[n >> kSetBranchBits])[n & ((1 << kSetBranchBits) - 1)];
  }
  const SetPlace& At(uint32_t id) const { return (*PageAt(id >> kSetPageBits))[id & (kSetPageSize - 1)]; }
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_SET_SEGMENT_H_
