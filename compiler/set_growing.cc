// ProgramSet::Writer: tables that grow while they are read. Tested as compiler/program_set.h says.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/chunk_copy.h"
#include "hclvm/compiler/program_set.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/compiler/set_writer.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_growth.h"
#include "hclvm/vm/program_tables.h"

namespace hcl {

using internal::Growing;
using internal::ProgramBuilder;
using internal::ProgramGrowth;
using internal::SetRecord;
using internal::SetSegment;

namespace {

// Programs of a segment: the first one of a set is small, as many sets are, and the next ones double. And bytes of
// their names and texts.
constexpr uint32_t kMostPrograms = 256;
constexpr size_t kGrownBytes = 1 << 20;
// Where many programs do not suit tables that grow, few attempts are made: each failure adds so much to a count, up to
// a bound, and programs are compiled alone, which takes one of it, while it is above another one.
constexpr uint32_t kMisfit = 8;
constexpr uint32_t kManyMisfits = 16;
constexpr uint32_t kMostMisfits = 64;

}  // namespace

bool ProgramSet::Writer::MayGrow() {
  if (misfits_ < kManyMisfits) return true;
  --misfits_;
  return false;
}

void ProgramSet::Writer::CountMisfit() { misfits_ = std::min(misfits_ + kMisfit, kMostMisfits); }

void ProgramSet::Writer::StartGrowing() {
  growing_ = std::make_unique<Growing>(shared_source_, options_, expected_, MakeSegment(next_capacity_));
  *growing_->segment->is_grown() = true;
}

// Whether the chunk that was written last suits. Otherwise it is taken back, and what is left of it is bounded.
bool ProgramSet::Writer::Suits(const ProgramBuilder::Mark& mark, size_t kept) {
  Diagnostics& diagnostics = growing_->code.diagnostics;
  if (diagnostics.empty() && growing_->growth.Suits(mark)) return true;
  growing_->is_last = diagnostics.has_limit() || growing_->growth.HasTypes() ||
                      growing_->code.builder.kept_count() > kept || ++growing_->failures == kMostPrograms;
  growing_->code.builder.Rewind(mark);
  diagnostics.Clear();
  return false;
}

// Code for `expr`, whose text has so many bytes, as the next program. False where it does not suit; what is wrong with
// it is not told.
bool ProgramSet::Writer::Write(const Expr& expr, size_t bytes) {
  if (growing_ == nullptr) StartGrowing();
  ProgramBuilder& builder = growing_->code.builder;
  growing_->mark = builder.Here();
  const size_t kept = builder.kept_count();
  growing_->code.generator.BeginText(bytes);
  growing_->code.generator.GenerateChunk(expr);
  if (Suits(growing_->mark, kept)) return true;
  if (growing_->is_last) FinishGrowing();
  return false;
}

// The same for a program that is there.
bool ProgramSet::Writer::Copy(const SetRecord& record) {
  ProgramBuilder& builder = growing_->code.builder;
  const ProgramBuilder::Mark mark = builder.Here();
  const size_t kept = builder.kept_count();
  if (growing_->copied_from != record.segment->serial()) growing_->copied.Clear();
  growing_->copied_from = record.segment->serial();
  const std::shared_ptr<const Program> program = record.segment->program();
  if (internal::CopyChunk(internal::TablesOf(*program), record.chunk, &growing_->copied, &builder)) {
    return Suits(mark, kept);
  }
  return CompileAgain(record.segment->texts().TextOf(record.chunk), &growing_->code) && Suits(mark, kept);
}

SetRecord ProgramSet::Writer::AddGrown(Id id, std::string_view name, std::string_view text,
                                       std::string_view first_tests) {
  SetSegment& segment = *growing_->segment;
  segment.ids()->push_back(id);
  segment.mutable_texts()->Add(name, text, first_tests);
  return {growing_->segment, segment.texts().count() - 1};
}

// Programs of segments that are given up go behind those of `changes`.
void ProgramSet::Writer::Move(Changes* changes) {
  for (uint32_t n = 0; n < internal::kDrainedPrograms && !grown_.segments.empty() && !IsFull(); ++n) {
    const std::shared_ptr<const SetSegment> segment = grown_.segments.front();
    const std::optional<Id> id = NextOf(&grown_);
    if (!id) continue;
    const SetRecord record{segment, grown_.done - 1};
    const auto is_same = [&](const Change& change) { return change.first == *id; };
    if (!IsThere(*id, record) || std::any_of(changes->begin(), changes->end(), is_same)) continue;
    if (!Copy(record)) continue;
    const internal::SetTexts& texts = segment->texts();
    changes->emplace_back(
        *id, AddGrown(*id, texts.NameOf(record.chunk), texts.TextOf(record.chunk), texts.FirstTestsOf(record.chunk)));
  }
}

// Lets evaluators see what was written since Here(). False, where that is too much for a frame: it is taken back.
bool ProgramSet::Writer::Grow() {
  std::shared_ptr<const Program> program = growing_->growth.Grow();
  if (program == nullptr) {
    growing_->code.builder.Rewind(growing_->mark);
    FinishGrowing();
    return false;
  }
  growing_->segment->set_program(std::move(program));
  return true;
}

bool ProgramSet::Writer::IsFull() const {
  const internal::SetTexts& texts = growing_->segment->texts();
  return growing_->is_last || texts.count() == texts.capacity() || texts.bytes() >= kGrownBytes;
}

// The segment gets a program without room to spare. What it needed is what the next one is expected to need, and some
// more, as what programs share is not always the same. One that ended early is given up at once, so that there are few
// small ones.
void ProgramSet::Writer::FinishGrowing() {
  const std::shared_ptr<SetSegment> segment = growing_->segment;
  const uint32_t count = growing_->code.builder.chunk_count();
  if (count == 0) return DropGrowing();
  if (count >= internal::kFirstGrownPrograms / 2) {
    next_capacity_ = std::min(2 * segment->texts().capacity(), kMostPrograms);
    const ProgramGrowth::Sizes sizes = growing_->growth.CurrentSizes();
    for (size_t n = 0; n < sizes.size(); ++n) {
      const uint64_t likely = uint64_t{sizes[n]} * next_capacity_ / count;
      const uint64_t most = std::max<uint64_t>(likely + likely / 16, expected_[n] - expected_[n] / 16);
      expected_[n] = static_cast<uint32_t>(std::min<uint64_t>(most, UINT32_MAX / 4));
    }
  }
  std::shared_ptr<const Program> program = growing_->growth.Finish();
  if (program != nullptr) segment->set_program(std::move(program));
  segment->Finish();
  growing_.reset();
  const bool is_small = count < segment->texts().capacity() / 4 && segment->texts().bytes() < kGrownBytes;
  if (is_small && *segment->live() > 0) {
    StartDraining(*segment);
  } else {
    DrainIfSparse(*segment);
  }
}

}  // namespace hcl
