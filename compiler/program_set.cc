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
#include "hclvm/vm/program_growth.h"
#include "hclvm/vm/program_tables.h"

namespace hcl {

using internal::ProgramBuilder;
using internal::ProgramGrowth;
using internal::SetBranch;
using internal::SetPage;
using internal::SetPlace;
using internal::SetRecord;
using internal::SetSegment;
using internal::SetSegments;
using internal::SetSnapshot;

namespace {

// Programs of a segment that grows: the first one of a set is small, as many sets are, and the next ones double. And
// bytes of their names and texts. A program with a longer text than kMaxSharedBytes stays alone.
constexpr uint32_t kFirstPrograms = 32;
constexpr uint32_t kMostPrograms = 256;
constexpr size_t kGrownBytes = 1 << 20;
constexpr size_t kMaxSharedBytes = 8 << 10;
// Of those that are gathered: single programs become small segments, and these become large ones, whose fixed parts do
// not matter and which a reader seldom changes for another.
constexpr int kLevels = 2;
constexpr uint32_t kSegmentPrograms[kLevels] = {128, 512};
constexpr size_t kSegmentBytes[kLevels] = {256 << 10, 1 << 20};
// Programs of segments that are given up which one call looks at.
constexpr uint32_t kDrainedPrograms = 4;
// Where many programs do not suit tables that grow, few attempts are made: each failure adds so much to a count, up to
// a bound, and programs are compiled alone, which takes one of it, while it is above another one.
constexpr uint32_t kMisfit = 8;
constexpr uint32_t kManyMisfits = 16;
constexpr uint32_t kMostMisfits = 64;

// Code of several programs as it comes.
struct Code {
  Code(std::shared_ptr<const Source> source, const CompileOptions& options)
      : builder(std::move(source), options.functions, options.dialect, options.limits),
        generator(options, &builder, &diagnostics) {}

  Diagnostics diagnostics;
  ProgramBuilder builder;
  internal::CodeGenerator generator;
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
  uint32_t verified = UINT32_MAX;  // from this one on, those are copies
  internal::CopiedIndexes copied;  // of the segment with this serial number
  uint64_t copied_from = 0;
  uint32_t failures = 0;  // programs that were taken back
  bool is_last = false;   // nothing may be added any more
};

// Segments that are given up, and how many programs of the first one were looked at.
struct Draining {
  std::deque<std::shared_ptr<const SetSegment>> segments;
  uint32_t done = 0;
};

}  // namespace

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
  std::shared_ptr<const SetSnapshot> snapshot() const {
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
  using Change = std::pair<Id, SetRecord>;
  using Changes = absl::InlinedVector<Change, 1 + kDrainedPrograms>;
  using Pages = absl::InlinedVector<std::pair<uint32_t, SetPage*>, 1 + kDrainedPrograms>;

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
  // Whether the program is still that of `id`.
  bool IsThere(Id id, const SetRecord& record) const {
    if (id >= snapshot_->id_limit()) return false;
    const SetPlace& place = snapshot_->At(id);
    return place.segment == record.segment.get() && place.chunk == record.chunk;
  }

  static std::shared_ptr<const SetSnapshot> MakeFirst() {
    auto first = std::make_shared<SetSnapshot>();
    first->segments = std::make_shared<const SetSegments>();
    return first;
  }
  std::shared_ptr<SetSegment> MakeSegment(uint32_t capacity);
  std::shared_ptr<const SetSegment> MakeSingle(std::shared_ptr<const Program> program, std::string_view name,
                                               std::string_view text);
  void FreeNumber(const SetSegment& segment) { free_numbers_.push_back(segment.number()); }
  SetPage* PageToChange(uint32_t at, SetSnapshot* next, Pages* copied);
  bool MayChangeSegments(absl::Span<const Change> changes) const;
  void List(absl::Span<const Change> changes, SetSegments* list);
  void Publish(absl::Span<const Change> changes);
  void DrainIfSparse(const SetSegment& segment);
  void StartDraining(const SetSegment& segment);
  static std::optional<Id> NextOf(Draining* draining);
  void ReserveName();
  void Gather(Id id, const SetRecord& record, bool has_moved);
  void Drain(bool may_move);
  void DropWork();
  void DropGrowing();

  bool MayGrow();
  void StartGrowing();
  bool Suits(const ProgramBuilder::Mark& mark, size_t kept);
  bool Write(const Expr& expr, size_t bytes);
  bool Copy(const SetRecord& record);
  SetRecord AddGrown(Id id, std::string_view name, std::string_view text);
  void Move(Changes* changes);
  bool Grow();
  bool IsFull() const;
  void FinishGrowing();

  bool CompileAgain(std::string_view text, Code* code) const;
  void AddPending(int level, Id id, const SetRecord& record);
  void DropPending(int level);
  void FinishPending(int level);

  const CompileOptions options_;
  const std::shared_ptr<const Source> shared_source_;

  mutable std::mutex writing_;  // one call at a time; guards all but what `reading_` guards
  std::unique_ptr<Growing> growing_;
  ProgramGrowth::Sizes expected_ = {};  // of the next one
  uint32_t next_capacity_ = kFirstPrograms;
  uint32_t misfits_ = 0;
  std::unique_ptr<Pending> pending_[kLevels];
  Draining grown_, gathered_;  // segments that are given up, of both kinds
  std::vector<uint32_t> free_numbers_;
  uint32_t next_number_ = 0;
  std::vector<Id> free_ids_;
  Id next_id_ = 0;

  mutable std::mutex reading_;  // held for a moment; what it guards is changed with `writing_` held as well
  std::shared_ptr<const SetSnapshot> snapshot_;
  internal::HashSet<Id, HashName, SameName> index_;
};

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
  std::shared_ptr<const Program> alone;
  if (!is_grown && (alone = CompileExpr(*file->expr, source, options_, diagnostics)) == nullptr) return false;
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
    changes.emplace_back(id, AddGrown(id, name, text));
    Move(&changes);
    is_grown = Grow();
    if (!is_grown && (alone = CompileExpr(*file->expr, source, options_, diagnostics)) == nullptr) return false;
  }
  if (!is_grown) {
    changes.clear();
    changes.emplace_back(id, SetRecord{MakeSingle(std::move(alone), name, text), 0});
    if (is_tried) misfits_ = std::min(misfits_ + kMisfit, kMostMisfits);
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

std::shared_ptr<const SetSegment> ProgramSet::Writer::MakeSingle(std::shared_ptr<const Program> program,
                                                                 std::string_view name, std::string_view text) {
  std::shared_ptr<SetSegment> segment = MakeSegment(1);
  segment->mutable_texts()->Add(name, text);
  segment->set_program(std::move(program));
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
  for (int level = 0; level < kLevels; ++level) DropPending(level);
  if (growing_ != nullptr) DropGrowing();
}

// Those that read what is written so far go on with it.
void ProgramSet::Writer::DropGrowing() {
  growing_->segment->Finish();
  if (!*growing_->segment->is_listed()) FreeNumber(*growing_->segment);
  growing_.reset();
}

// Tables that grow.

bool ProgramSet::Writer::MayGrow() {
  if (misfits_ < kManyMisfits) return true;
  --misfits_;
  return false;
}

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
  growing_->verified = UINT32_MAX;
  return CompileAgain(record.segment->texts().TextOf(record.chunk), &growing_->code) && Suits(mark, kept);
}

SetRecord ProgramSet::Writer::AddGrown(Id id, std::string_view name, std::string_view text) {
  SetSegment& segment = *growing_->segment;
  segment.ids()->push_back(id);
  segment.mutable_texts()->Add(name, text);
  return {growing_->segment, segment.texts().count() - 1};
}

// Programs of segments that are given up go behind those of `changes`.
void ProgramSet::Writer::Move(Changes* changes) {
  growing_->verified = growing_->code.builder.chunk_count();
  for (uint32_t n = 0; n < kDrainedPrograms && !grown_.segments.empty() && !IsFull(); ++n) {
    const std::shared_ptr<const SetSegment> segment = grown_.segments.front();
    const std::optional<Id> id = NextOf(&grown_);
    if (!id) continue;
    const SetRecord record{segment, grown_.done - 1};
    const auto is_same = [&](const Change& change) { return change.first == *id; };
    if (!IsThere(*id, record) || std::any_of(changes->begin(), changes->end(), is_same)) continue;
    if (!Copy(record)) continue;
    const internal::SetTexts& texts = segment->texts();
    changes->emplace_back(*id, AddGrown(*id, texts.NameOf(record.chunk), texts.TextOf(record.chunk)));
  }
}

// Lets evaluators see what was written since Here(). False, where that is too much for a frame: it is taken back.
bool ProgramSet::Writer::Grow() {
  std::shared_ptr<const Program> program = growing_->growth.Grow(growing_->verified);
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
  if (count >= kFirstPrograms / 2) {
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
  is_small&& * segment->live() > 0 ? StartDraining(*segment) : DrainIfSparse(*segment);
}

// Tables that are gathered.

bool ProgramSet::Writer::CompileAgain(std::string_view text, Code* code) const {
  const Source source("", std::string(text));
  const std::unique_ptr<ParsedFile> file = ParseExpression(source, ParseOptionsFor(options_), &code->diagnostics);
  if (code->diagnostics.has_errors()) return false;
  code->generator.BeginText(text.size());
  code->generator.GenerateChunk(*file->expr);
  return !code->diagnostics.has_errors();
}

// The code is copied. The few programs that need more are compiled again, which works, as it did before; where it does
// not, for want of room, what is pending stays as it is.
void ProgramSet::Writer::AddPending(int level, Id id, const SetRecord& record) {
  std::unique_ptr<Pending>& pending = pending_[level];
  const std::string_view text = record.segment->texts().TextOf(record.chunk);
  if (pending == nullptr) {
    pending = std::make_unique<Pending>(shared_source_, options_, MakeSegment(kSegmentPrograms[level]));
  }
  const std::shared_ptr<const Program> program = record.segment->program();
  const bool is_copied =
      internal::CopyChunk(internal::TablesOf(*program), record.chunk, &pending->code.builder).has_value();
  if (!is_copied && !CompileAgain(text, &pending->code)) return DropPending(level);
  pending->replaced.push_back(record);
  pending->segment->ids()->push_back(id);
  internal::SetTexts* const texts = pending->segment->mutable_texts();
  texts->Add(record.segment->texts().NameOf(record.chunk), text);
  HCL_DCHECK(pending->code.builder.chunk_count() == texts->count());
  if (texts->count() == texts->capacity() || texts->bytes() >= kSegmentBytes[level]) FinishPending(level);
}

void ProgramSet::Writer::DropPending(int level) {
  if (pending_[level] != nullptr) FreeNumber(*pending_[level]->segment);
  pending_[level].reset();
}

// The id that the next program of the first segment had when it came; none where that was the last one, or there is
// none.
std::optional<ProgramSet::Id> ProgramSet::Writer::NextOf(Draining* draining) {
  const SetSegment& segment = *draining->segments.front();
  if (draining->done < segment.ids()->size()) return (*segment.ids())[draining->done++];
  draining->segments.pop_front();
  draining->done = 0;
  return std::nullopt;
}

// A few programs of segments that are given up go to others. Those of tables that grow are moved by Put() as well, in
// one step with the program that it is called for.
void ProgramSet::Writer::Drain(bool may_move) {
  if (may_move && !grown_.segments.empty()) {
    if (growing_ == nullptr) StartGrowing();
    growing_->mark = growing_->code.builder.Here();
    Changes changes;
    Move(&changes);
    if (!changes.empty() && Grow()) Publish(changes);
    if (growing_ != nullptr && IsFull()) FinishGrowing();
  }
  for (uint32_t n = 0; n < kDrainedPrograms && !gathered_.segments.empty(); ++n) {
    const std::shared_ptr<const SetSegment> segment = gathered_.segments.front();
    const std::optional<Id> id = NextOf(&gathered_);
    if (!id) continue;
    const SetRecord record{segment, gathered_.done - 1};
    if (IsThere(*id, record)) AddPending(1, *id, record);
  }
}

// A program must have a main chunk, which nobody runs here.
void ProgramSet::Writer::FinishPending(int level) {
  const std::unique_ptr<Pending> pending = std::move(pending_[level]);
  ProgramBuilder& builder = pending->code.builder;
  builder.BeginChunk();
  pending->code.generator.ResetRegisters();
  const uint16_t none = pending->code.generator.Allocate();
  builder.EmitX(internal::Opcode::kLoadConst, none, builder.AddConstant(Value()));
  builder.Emit(internal::Opcode::kReturn, 0, none);
  builder.SetMain(builder.EndChunk(pending->code.generator.used_registers()));
  const std::shared_ptr<SetSegment>& segment = pending->segment;
  std::shared_ptr<const Program> program = std::move(builder).FinishVerified(&pending->code.diagnostics);
  if (program == nullptr) return FreeNumber(*segment);
  segment->set_program(std::move(program));
  segment->Finish();
  std::vector<Change> changes;
  for (uint32_t chunk = 0; chunk < pending->replaced.size(); ++chunk) {
    const Id id = (*segment->ids())[chunk];
    if (IsThere(id, pending->replaced[chunk])) changes.emplace_back(id, SetRecord{segment, chunk});
  }
  if (changes.empty()) return FreeNumber(*segment);
  Publish(changes);
  if (level == 0) StartDraining(*segment);
}

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
  for (const std::unique_ptr<Pending>& pending : pending_) {
    if (pending != nullptr) bytes += sizeof(Pending) + pending->code.builder.heap()->bytes_reserved();
  }
  if (growing_ != nullptr) bytes += sizeof(Growing) + growing_->code.builder.heap()->bytes_reserved();
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
