// ProgramSet: the writer's side.
//
// A program alone takes some kilobytes, most of them for tables that many could share. But tables that grow cannot be
// read meanwhile. So a new program is there at once as a segment of its own, and its code is copied into a table
// that nobody reads yet; when that has enough of them, it becomes a segment and takes the place of the single ones. No
// call does more than that for a few programs, and how many there are does not matter. Small segments become large ones
// in the same way, and so do those of which most programs were replaced, a few programs at a time.
//
// Readers hold a snapshot: pages of records, of which a change copies one. Ranges of diagnostics are offsets in the
// text of the program alone, so that no program needs a Source: one is made when somebody asks.
//
// Tested as compiler/program_set.h says.

#include "hclvm/compiler/program_set.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/compiler/chunk_copy.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl {

using internal::ProgramBuilder;
using internal::SetPage;
using internal::SetPlace;
using internal::SetRecord;
using internal::SetSegment;
using internal::SetSnapshot;
using internal::SetTexts;

namespace {

// Programs of one segment, and bytes of their names and texts, on two levels: single programs become small segments, so
// that few of them are alone, and these become large ones, whose fixed parts do not matter and which a reader seldom
// changes for another. A program with a longer text than kMaxSharedBytes stays alone.
constexpr int kLevels = 2;
constexpr uint32_t kSegmentPrograms[kLevels] = {128, 512};
constexpr size_t kSegmentBytes[kLevels] = {256 << 10, 1 << 20};
constexpr size_t kMaxSharedBytes = 8 << 10;
// Programs of segments that are given up which one call compiles again.
constexpr uint32_t kDrainedPrograms = 4;

// The segment that is to come.
struct Pending {
  struct Program {
    ProgramSet::Id id;
    SetRecord record;  // what it takes the place of, unless that was replaced meanwhile
  };
  Pending(std::shared_ptr<const Source> source, const CompileOptions& options)
      : builder(std::move(source), options.functions, options.dialect, options.limits),
        generator(options, &builder, &diagnostics) {}

  Diagnostics diagnostics;
  ProgramBuilder builder;
  internal::CodeGenerator generator;
  std::vector<Program> programs;
  SetTexts texts;
};

}  // namespace

class ProgramSet::Writer {
 public:
  explicit Writer(const CompileOptions& options)
      : options_(options),
        shared_source_(std::make_shared<const Source>("<set>", "")),
        snapshot_(std::make_shared<const SetSnapshot>()),
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
  std::shared_ptr<const SetSnapshot> snapshot() const {
    const std::lock_guard<std::mutex> lock(reading_);
    return snapshot_;
  }
  size_t MemoryBytes() const;
  const CompileOptions& options() const { return options_; }

 private:
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
    const SetPlace& place = snapshot_->At(id);
    return place.segment->texts().NameOf(place.chunk);
  }
  static bool IsSame(const SetPlace& a, const SetRecord& b) {
    return a.segment == b.segment.get() && a.chunk == b.chunk;
  }

  std::shared_ptr<const SetSegment> MakeSegment(std::shared_ptr<const Program> program, SetTexts texts,
                                                std::vector<Id> ids);
  void Publish(absl::Span<const std::pair<Id, SetRecord>> changes);
  void Leave(const SetPlace& place);
  void StartDraining(const std::shared_ptr<const SetSegment>& segment);
  void ReserveName();
  void Gather(Id id, const SetRecord& record);
  std::optional<uint32_t> CompileAgain(std::string_view text, Pending* pending) const;
  void AddPending(int level, Id id, const SetRecord& record);
  void Drain();
  void FinishPending(int level);

  const CompileOptions options_;
  const std::shared_ptr<const Source> shared_source_;

  mutable std::mutex writing_;  // one call at a time; guards all but what `reading_` guards
  std::unique_ptr<Pending> pending_[kLevels];
  std::deque<std::shared_ptr<const SetSegment>> draining_;
  uint32_t drained_ = 0;                                   // programs of the first of them that were looked at
  std::vector<std::weak_ptr<const SetSegment>> segments_;  // by number
  std::vector<uint32_t> free_numbers_;
  std::vector<Id> free_ids_;
  Id next_id_ = 0;

  mutable std::mutex reading_;  // held for a moment; what it guards is changed with `writing_` held as well
  std::shared_ptr<const SetSnapshot> snapshot_;
  internal::HashSet<Id, HashName, SameName> index_;
};

std::shared_ptr<const SetSegment> ProgramSet::Writer::MakeSegment(std::shared_ptr<const Program> program,
                                                                  SetTexts texts, std::vector<Id> ids) {
  uint32_t number = static_cast<uint32_t>(segments_.size());
  if (free_numbers_.empty()) {
    segments_.emplace_back();
  } else {
    number = free_numbers_.back();
    free_numbers_.pop_back();
  }
  auto segment = std::make_shared<const SetSegment>(std::move(program), std::move(texts), number);
  segments_[number] = segment;
  *segment->ids() = std::move(ids);
  return segment;
}

// Copies the pages that change. The old snapshot is let go outside the lock, since it may be the last one to hold
// programs.
void ProgramSet::Writer::Publish(absl::Span<const std::pair<Id, SetRecord>> changes) {
  auto next = std::make_shared<SetSnapshot>(*snapshot_);
  absl::InlinedVector<std::pair<uint32_t, std::shared_ptr<SetPage>>, 1> copied;
  for (const auto& [id, record] : changes) {
    const uint32_t at = id >> internal::kSetPageBits;
    auto page = std::find_if(copied.begin(), copied.end(), [at = at](const auto& one) { return one.first == at; });
    if (page == copied.end()) {
      while (at >= next->pages.size()) next->pages.push_back(std::make_shared<const SetPage>());
      copied.emplace_back(at, std::make_shared<SetPage>(*next->pages[at]));
      next->pages[at] = copied.back().second;
      page = copied.end() - 1;
    }
    page->second->Set(id & (internal::kSetPageSize - 1), record);
  }
  for (const auto& change : changes) {
    if (change.second.segment != nullptr) ++*change.second.segment->live();
  }
  std::shared_ptr<const SetSnapshot> before = snapshot_;
  {
    const std::lock_guard<std::mutex> lock(reading_);
    snapshot_ = std::move(next);
  }
  for (const auto& change : changes) {
    if (change.first < before->id_limit()) Leave(before->At(change.first));
  }
}

// A program of the segment was replaced or removed.
void ProgramSet::Writer::Leave(const SetPlace& place) {
  if (place.segment == nullptr) return;
  const SetSegment& segment = *place.segment;
  HCL_DCHECK(*segment.live() > 0);
  if (--*segment.live() == 0) {
    free_numbers_.push_back(segment.number());
    return;
  }
  if (*segment.live() <= segment.texts().count() / 2) StartDraining(segment.shared_from_this());
}

void ProgramSet::Writer::StartDraining(const std::shared_ptr<const SetSegment>& segment) {
  if (std::exchange(*segment->is_draining(), true)) return;
  draining_.push_back(segment);
}

bool ProgramSet::Writer::Put(std::string_view name, std::string_view text, Diagnostics* diagnostics) {
  const std::lock_guard<std::mutex> lock(writing_);
  if (name.size() > UINT32_MAX || text.size() > UINT32_MAX - name.size()) {
    diagnostics->AddLimit(std::nullopt, DiagnosticCode::kSourceTooLarge, "A name and its text have 4 GiB at most.");
    return false;
  }
  const auto source = std::make_shared<const Source>(std::string(name), std::string(text));
  const std::unique_ptr<ParsedFile> file = ParseExpression(*source, ParseOptionsFor(options_), diagnostics);
  if (diagnostics->has_errors()) return false;
  std::shared_ptr<const Program> program = CompileExpr(*file->expr, source, options_, diagnostics);
  if (program == nullptr) return false;
  const auto found = index_.find(name);
  const bool is_new = found == index_.end();
  if (is_new && free_ids_.empty() && next_id_ >= UINT32_MAX - 1) {
    diagnostics->AddLimit(std::nullopt, DiagnosticCode::kExpressionTooLong,
                          "A set has at most 4,294,967,294 programs.");
    return false;
  }
  const Id id = !is_new ? *found : free_ids_.empty() ? next_id_++ : free_ids_.back();
  if (is_new && !free_ids_.empty() && id == free_ids_.back()) free_ids_.pop_back();
  SetTexts texts;
  texts.Add(name, text);
  const SetRecord record{MakeSegment(std::move(program), std::move(texts), {id}), 0};
  const std::pair<Id, SetRecord> change(id, record);
  if (is_new) ReserveName();
  Publish({&change, 1});
  if (is_new) {
    const std::lock_guard<std::mutex> reading(reading_);
    index_.insert(id);
  }
  const bool is_shared = record.segment->program()->is_pure() && name.size() + text.size() <= kMaxSharedBytes;
  Gather(id, is_shared ? record : SetRecord());
  return true;
}

// What is done for later calls. Where memory is refused, programs stay as they are.
void ProgramSet::Writer::Gather(Id id, const SetRecord& record) {
  internal::WithMemory(
      [&] {
        if (record.segment != nullptr) AddPending(0, id, record);
        Drain();
      },
      [&] { pending_[0].reset(), pending_[1].reset(); });
}

// So that what comes behind Publish() needs no memory.
void ProgramSet::Writer::ReserveName() {
  const std::lock_guard<std::mutex> lock(reading_);
  index_.reserve(index_.size() + 1);
}

bool ProgramSet::Writer::Remove(std::string_view name) {
  const std::lock_guard<std::mutex> lock(writing_);
  const auto found = index_.find(name);
  if (found == index_.end()) return false;
  const Id id = *found;
  free_ids_.reserve(free_ids_.size() + 1);
  {
    const std::lock_guard<std::mutex> reading(reading_);
    index_.erase(found);
  }
  const std::pair<Id, SetRecord> change(id, SetRecord());
  Publish({&change, 1});
  free_ids_.push_back(id);
  Gather(id, SetRecord());
  return true;
}

std::optional<uint32_t> ProgramSet::Writer::CompileAgain(std::string_view text, Pending* pending) const {
  const Source source("", std::string(text));
  const std::unique_ptr<ParsedFile> file = ParseExpression(source, ParseOptionsFor(options_), &pending->diagnostics);
  if (pending->diagnostics.has_errors()) return std::nullopt;
  const uint32_t chunk = pending->generator.GenerateChunk(*file->expr);
  return pending->diagnostics.has_errors() ? std::nullopt : std::make_optional(chunk);
}

// The code is copied. The few programs that need more are compiled again, which works, as it did before; where it does
// not, for want of room, what is pending stays as it is.
void ProgramSet::Writer::AddPending(int level, Id id, const SetRecord& record) {
  std::unique_ptr<Pending>& pending = pending_[level];
  const std::string_view text = record.segment->texts().TextOf(record.chunk);
  if (pending == nullptr) pending = std::make_unique<Pending>(shared_source_, options_);
  std::optional<uint32_t> chunk =
      internal::CopyChunk(internal::TablesOf(*record.segment->program()), record.chunk, &pending->builder);
  if (!chunk) chunk = CompileAgain(text, pending.get());
  if (!chunk) return pending.reset();
  HCL_DCHECK(*chunk == pending->programs.size());
  pending->programs.push_back({id, record});
  pending->texts.Add(record.segment->texts().NameOf(record.chunk), text);
  if (pending->programs.size() == kSegmentPrograms[level] || pending->texts.bytes() >= kSegmentBytes[level]) {
    FinishPending(level);
  }
}

void ProgramSet::Writer::Drain() {
  for (uint32_t n = 0; n < kDrainedPrograms && !draining_.empty(); ++n) {
    const std::shared_ptr<const SetSegment> segment = draining_.front();
    if (drained_ == segment->ids()->size()) {
      draining_.pop_front();
      drained_ = 0;
      continue;
    }
    const SetRecord record{segment, drained_};
    const Id id = (*segment->ids())[drained_++];
    if (IsSame(snapshot_->At(id), record)) AddPending(1, id, record);
  }
}

// A program must have a main chunk, which nobody runs here.
void ProgramSet::Writer::FinishPending(int level) {
  const std::unique_ptr<Pending> pending = std::move(pending_[level]);
  pending->builder.BeginChunk();
  pending->generator.ResetRegisters();
  const uint16_t none = pending->generator.Allocate();
  pending->builder.EmitX(internal::Opcode::kLoadConst, none, pending->builder.AddConstant(Value()));
  pending->builder.Emit(internal::Opcode::kReturn, 0, none);
  pending->builder.SetMain(pending->builder.EndChunk(pending->generator.used_registers()));
  std::shared_ptr<const Program> program = std::move(pending->builder).FinishVerified(&pending->diagnostics);
  if (program == nullptr) return;
  std::vector<Id> ids;
  for (const Pending::Program& one : pending->programs) ids.push_back(one.id);
  const auto segment = MakeSegment(std::move(program), std::move(pending->texts), std::move(ids));
  std::vector<std::pair<Id, SetRecord>> changes;
  for (uint32_t chunk = 0; chunk < pending->programs.size(); ++chunk) {
    const Pending::Program& one = pending->programs[chunk];
    if (IsSame(snapshot_->At(one.id), one.record)) changes.emplace_back(one.id, SetRecord{segment, chunk});
  }
  if (changes.empty()) return free_numbers_.push_back(segment->number());
  Publish(changes);
  if (level == 0) StartDraining(segment);
}

size_t ProgramSet::Writer::MemoryBytes() const {
  const std::lock_guard<std::mutex> lock(writing_);
  size_t bytes = sizeof(Writer) + index_.capacity() * (sizeof(Id) + 1) + free_ids_.capacity() * sizeof(Id);
  for (const auto& page : snapshot_->pages) bytes += sizeof(page) + sizeof(SetPage) + page->BytesHeld();
  for (const std::weak_ptr<const SetSegment>& one : segments_) {
    const std::shared_ptr<const SetSegment> segment = one.lock();
    if (segment == nullptr) continue;
    bytes += sizeof(SetSegment) + segment->program()->MemoryBytes() + segment->texts().BytesHeld() +
             segment->ids()->capacity() * sizeof(Id);
    const Source& source = segment->program()->source();
    if (&source != shared_source_.get()) bytes += sizeof(Source) + source.name().capacity() + source.text().size();
  }
  for (const std::unique_ptr<Pending>& pending : pending_) {
    if (pending != nullptr) bytes += sizeof(Pending) + pending->builder.heap()->bytes_reserved();
  }
  return bytes;
}

ProgramSet::ProgramSet(const CompileOptions& options) : writer_(std::make_unique<Writer>(options)) {}
ProgramSet::~ProgramSet() = default;

bool ProgramSet::Put(std::string_view name, std::string_view text, Diagnostics* diagnostics) {
  return internal::WithMemory([&] { return writer_->Put(name, text, diagnostics); },
                              [&] { return internal::ReportOutOfMemory(diagnostics), false; });
}
bool ProgramSet::Remove(std::string_view name) { return writer_->Remove(name); }
std::optional<ProgramSet::Id> ProgramSet::Find(std::string_view name) const { return writer_->Find(name); }
size_t ProgramSet::size() const { return writer_->size(); }
size_t ProgramSet::MemoryBytes() const { return writer_->MemoryBytes(); }
std::shared_ptr<const SetSnapshot> ProgramSet::snapshot() const { return writer_->snapshot(); }
const CompileOptions& ProgramSet::options() const { return writer_->options(); }

std::shared_ptr<const Source> ProgramSet::SourceOf(Id id) const {
  const std::shared_ptr<const SetSnapshot> now = snapshot();
  if (id >= now->id_limit() || now->At(id).segment == nullptr) return nullptr;
  const SetTexts& texts = now->At(id).segment->texts();
  return std::make_shared<const Source>(std::string(texts.NameOf(now->At(id).chunk)),
                                        std::string(texts.TextOf(now->At(id).chunk)));
}

}  // namespace hcl
