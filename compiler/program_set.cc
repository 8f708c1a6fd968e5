// ProgramSet: the writer's side.
//
// A program alone takes some kilobytes, most of them for tables that many could share. So a new program is written
// behind others into tables that grow while they are read (vm/program_growth.h): that takes less than to compile it
// alone, and it is there at once. When there are enough programs, their tables lose the room that they have to spare.
// Segments of which most programs were replaced are given up, a few programs at a time: code is copied to where new
// programs are written.
//
// A few programs need what such tables cannot have while they are read, such as types of their own. They are compiled
// alone, become a segment each, and are gathered in tables that nobody reads yet, on two levels. No call does more than
// that for a few programs, and how many there are does not matter.
//
// Readers hold a snapshot: pages of records, of which a change copies one. Ranges of diagnostics are offsets in the
// text of the program alone, so that no program needs a Source: one is made when somebody asks.
//
// Tested as compiler/program_set.h says.

#include "hclvm/compiler/program_set.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/set_segment.h"
#include "hclvm/compiler/set_writer.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/program.h"

namespace hcl {

using internal::SetBranch;
using internal::SetPage;
using internal::SetPlace;
using internal::SetRecord;
using internal::SetSegment;
using internal::SetSegments;
using internal::SetSnapshot;

namespace {

// A program with a longer text, and its name, stays alone.
constexpr size_t kMaxSharedBytes = 8 << 10;

}  // namespace

// Numbers are given back without asking for memory.
std::shared_ptr<SetSegment> ProgramSet::Writer::MakeSegment(uint32_t capacity) {
  free_numbers_.reserve(next_number_ + 1);
  if (free_numbers_.empty()) free_numbers_.push_back(next_number_++);
  auto segment = std::make_shared<SetSegment>(capacity, free_numbers_.back());
  free_numbers_.pop_back();
  return segment;
}

// The page of that number, which is copied unless it was copied before.
SetPage* ProgramSet::Writer::PageToChange(uint32_t at, SetSnapshot* next, Pages* copied) {
  const auto known = std::find_if(copied->begin(), copied->end(), [at](const auto& one) { return one.first == at; });
  if (known != copied->end()) return known->second;
  constexpr uint32_t kPages = 1 << internal::kSetBranchBits;
  std::shared_ptr<SetPage> page;
  for (uint32_t n = std::min<uint32_t>(at, static_cast<uint32_t>(next->page_count)); n <= at; ++n) {
    const bool is_new = n == next->page_count;
    if (is_new && n % kPages == 0) next->branches.push_back(std::make_shared<const SetBranch>());
    auto branch = std::make_shared<SetBranch>(*next->branches[n / kPages]);
    page = is_new ? std::make_shared<SetPage>() : std::make_shared<SetPage>(*(*branch)[n % kPages]);
    (*branch)[n % kPages] = page;
    next->branches[n / kPages] = std::move(branch);
    next->page_count += is_new ? 1 : 0;
  }
  copied->emplace_back(at, page.get());
  return page.get();
}

// Whether there may be other segments than before.
bool ProgramSet::Writer::MayChangeSegments(absl::Span<const Change> changes) const {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    const SetSegment* const to = change.second.segment.get();
    if (to != nullptr && !to->is_single() && !*to->is_listed()) return true;
    const SetSegment* const from = change.first < snapshot_->id_limit() ? snapshot_->At(change.first).segment : nullptr;
    return from != nullptr && !from->is_single() && *from->live() <= changes.size();
  });
}

// Those that have programs or will have some. Where one has none left, its number goes to another.
void ProgramSet::Writer::List(absl::Span<const Change> changes, SetSegments* list) {
  for (const std::shared_ptr<const SetSegment>& segment : *snapshot_->segments) {
    *segment->live() > 0 || !segment->is_finished() ? list->push_back(segment) : FreeNumber(*segment);
  }
  for (const Change& change : changes) {
    const std::shared_ptr<const SetSegment>& segment = change.second.segment;
    if (segment == nullptr || segment->is_single() || std::exchange(*segment->is_listed(), true)) continue;
    list->push_back(segment);
  }
}

// Copies the pages that change. All that needs memory comes first. The old snapshot is let go outside the lock, since
// it may be the last one to hold programs.
void ProgramSet::Writer::Publish(absl::Span<const Change> changes) {
  auto next = std::make_shared<SetSnapshot>(*snapshot_);
  Pages copied;
  for (const auto& [id, record] : changes) {
    PageToChange(id >> internal::kSetPageBits, next.get(), &copied)->Set(id & (internal::kSetPageSize - 1), record);
  }
  std::shared_ptr<SetSegments> list;
  if (MayChangeSegments(changes)) {
    list = std::make_shared<SetSegments>();
    list->reserve(snapshot_->segments->size() + changes.size());
  }
  const std::shared_ptr<const SetSnapshot> before = snapshot_;
  const auto place_before = [&](Id id) { return id < before->id_limit() ? before->At(id) : SetPlace(); };
  for (const Change& change : changes) {
    if (change.second.segment != nullptr) ++*change.second.segment->live();
    const SetSegment* const left = place_before(change.first).segment;
    if (left != nullptr && --*left->live() == 0 && left->is_single()) FreeNumber(*left);
  }
  if (list != nullptr) {
    List(changes, list.get());
    next->segments = std::move(list);
  }
  {
    const std::lock_guard<std::mutex> lock(reading_);
    snapshot_ = std::move(next);
  }
  for (const Change& change : changes) {
    const SetSegment* const left = place_before(change.first).segment;
    if (left != nullptr && left->is_finished()) DrainIfSparse(*left);
  }
}

// Where memory is refused, the segment stays.
void ProgramSet::Writer::DrainIfSparse(const SetSegment& segment) {
  const uint32_t live = *segment.live();
  if (live == 0 || live > segment.ids()->size() / 2 || *segment.is_draining()) return;
  internal::WithMemory([&] { StartDraining(segment); }, [] {});
}

void ProgramSet::Writer::StartDraining(const SetSegment& segment) {
  (*segment.is_grown() ? grown_ : gathered_).segments.push_back(segment.shared_from_this());
  *segment.is_draining() = true;
}

// All that can fail comes before the change is published, and readers see the old program until then. The shared
// code is tried first; a policy that does not fit into it becomes a program of its own.
bool ProgramSet::Writer::Put(std::string_view name, std::string_view text, Diagnostics* diagnostics) {
  const std::lock_guard<std::mutex> lock(writing_);
  if (name.size() > UINT32_MAX || text.size() > UINT32_MAX - name.size()) {
    diagnostics->AddLimit(std::nullopt, DiagnosticCode::kSourceTooLarge, "A name and its text have 4 GiB at most.");
    return false;
  }
  const auto source = std::make_shared<const Source>(std::string(name), std::string(text));
  const std::unique_ptr<ParsedFile> file = ParseExpression(*source, ParseOptionsFor(options_), diagnostics);
  if (diagnostics->has_errors()) return false;
  const bool is_shared = name.size() + text.size() <= kMaxSharedBytes;
  const bool is_tried = is_shared && MayGrow();
  bool is_grown = is_tried && Write(*file->expr, text.size());
  Alone alone;
  if (!is_grown && (alone = CompileAlone(*file->expr, source, diagnostics)).program == nullptr) return false;
  const auto found = index_.find(name);
  const bool is_new = found == index_.end();
  const bool takes_free_id = is_new && !free_ids_.empty();
  if (is_new && !takes_free_id && next_id_ >= UINT32_MAX - 1) {
    if (is_grown) growing_->code.builder.Rewind(growing_->mark);
    diagnostics->AddLimit(std::nullopt, DiagnosticCode::kExpressionTooLong,
                          "A set has at most 4,294,967,294 programs.");
    return false;
  }
  const Id id = !is_new ? *found : takes_free_id ? free_ids_.back() : next_id_;
  Changes changes;
  if (is_grown) {
    changes.emplace_back(id, AddGrown(id, name, text, growing_->code.first_tests));
    Move(&changes);
    is_grown = Grow();
    if (!is_grown && (alone = CompileAlone(*file->expr, source, diagnostics)).program == nullptr) return false;
  }
  if (!is_grown) {
    changes.clear();
    changes.emplace_back(id, SetRecord{MakeSingle(std::move(alone), name, text), 0});
    if (is_tried) CountMisfit();
  }
  if (is_new) ReserveName();
  Publish(changes);
  if (is_new) {
    takes_free_id ? free_ids_.pop_back() : void(++next_id_);
    const std::lock_guard<std::mutex> reading(reading_);
    index_.insert(id);
  }
  const SetRecord& record = changes.front().second;
  Gather(id, !is_grown && is_shared && record.segment->program()->is_pure() ? record : SetRecord(),
         /*has_moved=*/is_grown);
  return true;
}

ProgramSet::Writer::Alone ProgramSet::Writer::CompileAlone(const Expr& expr, std::shared_ptr<const Source> source,
                                                           Diagnostics* diagnostics) const {
  Alone alone;
  alone.program = internal::GenerateProgram(expr, std::move(source), options_, diagnostics, &alone.first_tests);
  return alone;
}

std::shared_ptr<const SetSegment> ProgramSet::Writer::MakeSingle(Alone alone, std::string_view name,
                                                                 std::string_view text) {
  std::shared_ptr<SetSegment> segment = MakeSegment(1);
  segment->mutable_texts()->Add(name, text, alone.first_tests);
  segment->set_program(std::move(alone.program));
  segment->Finish();
  return segment;
}

// What is done for later calls. Where memory is refused, programs stay as they are.
void ProgramSet::Writer::Gather(Id id, const SetRecord& record, bool has_moved) {
  internal::WithMemory(
      [&] {
        if (growing_ != nullptr && IsFull()) FinishGrowing();
        if (record.segment != nullptr) AddPending(0, id, record);
        Drain(/*may_move=*/!has_moved);
      },
      [&] { DropWork(); });
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
  const Change change(id, SetRecord());
  Publish({&change, 1});
  free_ids_.push_back(id);
  Gather(id, SetRecord(), /*has_moved=*/false);
  return true;
}

void ProgramSet::Writer::DropWork() {
  for (int level = 0; level < internal::kGatheredLevels; ++level) DropPending(level);
  if (growing_ != nullptr) DropGrowing();
}

// Those that read what is written so far go on with it.
void ProgramSet::Writer::DropGrowing() {
  growing_->segment->Finish();
  if (!*growing_->segment->is_listed()) FreeNumber(*growing_->segment);
  growing_.reset();
}

// By what is held and not what is used: capacities count, as the system sees them.
size_t ProgramSet::Writer::MemoryBytes() const {
  const std::lock_guard<std::mutex> lock(writing_);
  size_t bytes = sizeof(Writer) + index_.capacity() * (sizeof(Id) + 1) + free_ids_.capacity() * sizeof(Id);
  const auto add = [&](const SetSegment& segment) {
    const std::shared_ptr<const Program> program = segment.program();
    bytes += sizeof(SetSegment) + program->MemoryBytes() + segment.texts().BytesHeld() +
             segment.ids()->capacity() * sizeof(Id);
    const Source& source = program->source();
    if (&source != shared_source_.get()) bytes += sizeof(Source) + source.name().capacity() + source.text().size();
  };
  for (const std::shared_ptr<const SetSegment>& segment : *snapshot_->segments) add(*segment);
  for (size_t at = 0; at < snapshot_->page_count; ++at) {
    const SetPage& page = *snapshot_->PageAt(at);
    bytes += sizeof(SetPage) + page.BytesHeld();
    for (uint32_t n = 0; n < internal::kSetPageSize; ++n) {
      if (page[n].segment != nullptr && page[n].segment->is_single()) add(*page[n].segment);
    }
  }
  bytes += snapshot_->branches.size() * sizeof(SetBranch);
  for (const std::unique_ptr<internal::Pending>& pending : pending_) {
    if (pending != nullptr) bytes += sizeof(internal::Pending) + pending->code.builder.heap()->bytes_reserved();
  }
  if (growing_ != nullptr) bytes += sizeof(internal::Growing) + growing_->code.builder.heap()->bytes_reserved();
  return bytes;
}

ProgramSet::ProgramSet(const CompileOptions& options) : writer_(std::make_unique<Writer>(options)) {}
ProgramSet::~ProgramSet() = default;

bool ProgramSet::Put(std::string_view name, std::string_view text, Diagnostics* diagnostics) {
  return internal::WithMemory([&] { return writer_->Put(name, text, diagnostics); },
                              [&] {
                                writer_->GiveUp();
                                return internal::ReportOutOfMemory(diagnostics), false;
                              });
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
  const internal::SetTexts& texts = now->At(id).segment->texts();
  return std::make_shared<const Source>(std::string(texts.NameOf(now->At(id).chunk)),
                                        std::string(texts.TextOf(now->At(id).chunk)));
}

}  // namespace hcl
