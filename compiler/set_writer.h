// ProgramSet::Writer: what changes a ProgramSet.
//
// Internal to compiler/program_set.h. Tested as that says.

#ifndef HCLVM_COMPILER_SET_WRITER_H_
#define HCLVM_COMPILER_SET_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/chunk_copy.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_growth.h"

namespace hcl {

namespace internal {

// Programs of the first segment of a set that grows.
inline constexpr uint32_t kFirstGrownPrograms = 32;
// Tables that are gathered have levels: single programs become small segments, and these large ones.
inline constexpr int kGatheredLevels = 2;
// Programs of segments that are given up which one call looks at.
inline constexpr uint32_t kDrainedPrograms = 4;

// Code of several programs as it comes.
struct Code {
  Code(std::shared_ptr<const Source> source, const CompileOptions& options)
      : builder(std::move(source), options.functions, options.dialect, options.limits),
        generator(options, &builder, &diagnostics) {
    generator.KeepFirstTests(&first_tests);
  }

  Diagnostics diagnostics;
  ProgramBuilder builder;
  CodeGenerator generator;
  std::string first_tests;  // of the program that was compiled last
};

// The segment that is to come.
struct Pending {
  Pending(std::shared_ptr<const Source> source, const CompileOptions& options, std::shared_ptr<SetSegment> of)
      : code(std::move(source), options), segment(std::move(of)) {}

  Code code;
  std::shared_ptr<SetSegment> segment;
  std::vector<SetRecord> replaced;  // what each program takes the place of, unless that was replaced meanwhile
};

// The segment to which programs are added.
struct Growing {
  Growing(std::shared_ptr<const Source> source, const CompileOptions& options, const ProgramGrowth::Sizes& expected,
          std::shared_ptr<SetSegment> of)
      : code(std::move(source), options), growth(&code.builder, expected), segment(std::move(of)) {}

  Code code;
  ProgramGrowth growth;
  std::shared_ptr<SetSegment> segment;
  ProgramBuilder::Mark mark = {};  // where that begins which nobody sees yet
  CopiedIndexes copied;            // of the segment with this serial number
  uint64_t copied_from = 0;
  uint32_t failures = 0;  // programs that were taken back
  bool is_last = false;   // nothing may be added any more
};

// Segments that are given up, and how many programs of the first one were looked at.
struct Draining {
  std::deque<std::shared_ptr<const SetSegment>> segments;
  uint32_t done = 0;
};

}  // namespace internal

// Thread-safe, as ProgramSet is.
class ProgramSet::Writer {
 public:
  explicit Writer(const CompileOptions& options)
      : options_(options),
        shared_source_(std::make_shared<const Source>("<set>", "")),
        snapshot_(MakeFirst()),
        index_(HashName{this}, SameName{this}) {}

  bool Put(std::string_view name, std::string_view text, Diagnostics* diagnostics);
  bool Remove(std::string_view name);
  std::optional<Id> Find(std::string_view name) const {
    const std::lock_guard<std::mutex> lock(reading_);
    const auto found = index_.find(name);
    return found == index_.end() ? std::nullopt : std::optional<Id>(*found);
  }
  size_t size() const {
    const std::lock_guard<std::mutex> lock(reading_);
    return index_.size();
  }
  std::shared_ptr<const internal::SetSnapshot> snapshot() const {
    const std::lock_guard<std::mutex> lock(reading_);
    return snapshot_;
  }
  size_t MemoryBytes() const;
  const CompileOptions& options() const { return options_; }
  // Behind a call that was left for want of memory: what was being written is of no use.
  void GiveUp() {
    const std::lock_guard<std::mutex> lock(writing_);
    DropWork();
  }

 private:
  using Change = std::pair<Id, internal::SetRecord>;
  using Changes = absl::InlinedVector<Change, 1 + internal::kDrainedPrograms>;
  using Pages = absl::InlinedVector<std::pair<uint32_t, internal::SetPage*>, 1 + internal::kDrainedPrograms>;

  // Names stand in the segments, once.
  struct HashName {
    using is_transparent = void;
    const Writer* writer;
    size_t operator()(std::string_view name) const { return absl::Hash<std::string_view>()(name); }
    size_t operator()(Id id) const { return (*this)(writer->NameOf(id)); }
  };
  struct SameName {
    using is_transparent = void;
    const Writer* writer;
    bool operator()(Id a, Id b) const { return a == b; }
    bool operator()(Id id, std::string_view name) const { return writer->NameOf(id) == name; }
    bool operator()(std::string_view name, Id id) const { return writer->NameOf(id) == name; }
  };

  std::string_view NameOf(Id id) const {
    const internal::SetPlace& place = snapshot_->At(id);
    return place.segment->texts().NameOf(place.chunk);
  }
  // Whether the program is still that of `id`.
  bool IsThere(Id id, const internal::SetRecord& record) const {
    if (id >= snapshot_->id_limit()) return false;
    const internal::SetPlace& place = snapshot_->At(id);
    return place.segment == record.segment.get() && place.chunk == record.chunk;
  }

  static std::shared_ptr<const internal::SetSnapshot> MakeFirst() {
    auto first = std::make_shared<internal::SetSnapshot>();
    first->segments = std::make_shared<const internal::SetSegments>();
    return first;
  }
  std::shared_ptr<internal::SetSegment> MakeSegment(uint32_t capacity);
  // A program of its own, and what it tests first.
  struct Alone {
    std::shared_ptr<const Program> program;  // null where it cannot be compiled
    std::string first_tests;
  };
  Alone CompileAlone(const Expr& expr, std::shared_ptr<const Source> source, Diagnostics* diagnostics) const;
  std::shared_ptr<const internal::SetSegment> MakeSingle(Alone alone, std::string_view name, std::string_view text);
  void FreeNumber(const internal::SetSegment& segment) { free_numbers_.push_back(segment.number()); }
  internal::SetPage* PageToChange(uint32_t at, internal::SetSnapshot* next, Pages* copied);
  bool MayChangeSegments(absl::Span<const Change> changes) const;
  void List(absl::Span<const Change> changes, internal::SetSegments* list);
  void Publish(absl::Span<const Change> changes);
  void DrainIfSparse(const internal::SetSegment& segment);
  void StartDraining(const internal::SetSegment& segment);
  static std::optional<Id> NextOf(internal::Draining* draining);
  void ReserveName();
  void Gather(Id id, const internal::SetRecord& record, bool has_moved);
  void Drain(bool may_move);
  void DropWork();
  void DropGrowing();

  // set_growing.cc
  bool MayGrow();
  void CountMisfit();
  void StartGrowing();
  bool Suits(const internal::ProgramBuilder::Mark& mark, size_t kept);
  bool Write(const Expr& expr, size_t bytes);
  bool Copy(const internal::SetRecord& record);
  internal::SetRecord AddGrown(Id id, std::string_view name, std::string_view text, std::string_view first_tests);
  void Move(Changes* changes);
  bool Grow();
  bool IsFull() const;
  void FinishGrowing();

  // set_gathering.cc
  bool CompileAgain(std::string_view text, internal::Code* code) const;
  void AddPending(int level, Id id, const internal::SetRecord& record);
  void DropPending(int level);
  void FinishPending(int level);

  const CompileOptions options_;
  const std::shared_ptr<const Source> shared_source_;

  mutable std::mutex writing_;  // one call at a time; guards all but what `reading_` guards
  std::unique_ptr<internal::Growing> growing_;
  internal::ProgramGrowth::Sizes expected_ = {};  // of the next one
  uint32_t next_capacity_ = internal::kFirstGrownPrograms;
  uint32_t misfits_ = 0;
  std::unique_ptr<internal::Pending> pending_[internal::kGatheredLevels];
  internal::Draining grown_, gathered_;  // segments that are given up, of both kinds
  std::vector<uint32_t> free_numbers_;
  uint32_t next_number_ = 0;
  std::vector<Id> free_ids_;
  Id next_id_ = 0;

  mutable std::mutex reading_;  // held for a moment; what it guards is changed with `writing_` held as well
  std::shared_ptr<const internal::SetSnapshot> snapshot_;
  internal::HashSet<Id, HashName, SameName> index_;
};

}  // namespace hcl

#endif  // HCLVM_COMPILER_SET_WRITER_H_
