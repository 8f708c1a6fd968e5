// ProgramBuilder. Tested by vm/program_test.cc.

#include "hclvm/vm/program_builder.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

namespace {

// A step's kind is left out: `a.b` and `a["b"]` differ there only, and SameStep() tells them apart where it matters.
uint64_t HashPath(uint32_t slot, absl::Span<const PathStep> steps) {
  uint64_t hash = MixHash(steps.size(), slot);
  for (const PathStep& step : steps) hash = MixHash(hash, HashScalar(step.key));
  return hash;
}

// A text of so many bytes has lists made for it that are large at once, and one of more has them made as for that.
constexpr size_t kLargeText = 1 << 16;
constexpr size_t kMostRoom = 1 << 23;

constexpr size_t kTableAlignment = 8;  // enough for all of them

constexpr size_t kMaxTables = 32;

// A list of a program under construction, and where its copy is.
struct PackedTable {
  const void* list;
  size_t bytes;
  char* copy;
};

template <typename T>
PackedTable Packed(absl::Span<const T> list) {
  static_assert(alignof(T) <= kTableAlignment, "tables stand one behind the other");
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "copied bytewise");
  return {list.data(), list.size() * sizeof(T), nullptr};  // NOLINT(bugprone-sizeof-expression): T may be a pointer
}

template <typename T>
absl::Span<const T> SpanOf(const PackedTable& table, absl::Span<const T> list) {
  return {reinterpret_cast<const T*>(table.copy), list.size()};
}

// Sizes are rounded up, so that the next table in the block is aligned.
size_t PackedBytes(const PackedTable& table) {
  return (table.bytes + kTableAlignment - 1) / kTableAlignment * kTableAlignment;
}

// Copies what fits into the arena's last block there, and the rest into a block of its own.
void Place(absl::Span<PackedTable> tables, Arena* arena) {
  size_t rest = 0;
  for (PackedTable& table : tables) {
    if (table.bytes == 0) continue;
    const bool fits = PackedBytes(table) + kTableAlignment <= arena->bytes_left();
    if (!fits) {
      rest += PackedBytes(table);
      continue;
    }
    table.copy = static_cast<char*>(arena->Allocate(table.bytes, kTableAlignment));
    std::memcpy(table.copy, table.list, table.bytes);
  }
  if (rest == 0) return;
  char* to = static_cast<char*>(arena->AllocateBlock(rest));
  for (PackedTable& table : tables) {
    if (table.bytes == 0 || table.copy != nullptr) continue;
    table.copy = to;
    std::memcpy(to, table.list, table.bytes);
    to += PackedBytes(table);
  }
}

// `a.0` and `a[0]` are the same step (native-syntax.md, "Index Operator"), while `a.b` and `a["b"]` fail with different
// messages.
bool SameStep(const PathStep& a, const PathStep& b) {
  return SameScalar(a.key, b.key) && (a.key.is_number() || a.is_attribute == b.is_attribute);
}

// Of equal names, the lower slot comes first.
absl::Span<const uint32_t> SlotsByName(absl::Span<const std::string_view> names, Arena* arena) {
  auto* const slots = arena->NewArray<uint32_t>(names.size());
  std::iota(slots, slots + names.size(), 0U);
  std::sort(slots, slots + names.size(),
            [names](uint32_t a, uint32_t b) { return names[a] != names[b] ? names[a] < names[b] : a < b; });
  return {slots, names.size()};
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::shared_ptr<const Source> source, std::shared_ptr<const FunctionRegistry> functions,
                               Dialect dialect, const Limits& limits)
    : source_(std::move(source)), functions_(std::move(functions)), heap_(nullptr, dialect, limits, kFirstBlockBytes) {
  if (source_bytes() >= kLargeText) MakeRoom();
}

// What configs mostly need for so much text. Lists that grow by doubling are written twice; room that stays unused is
// never touched.
void ProgramBuilder::MakeRoom() {
  const size_t bytes = std::min(source_bytes(), kMostRoom);
  code_.Reserve(bytes / 4);
  chunks_.Reserve(bytes / 32);
  entries_.reserve(bytes / 32);
  ranges_.MakeRoom(bytes, bytes / 128);
  reads_.MakeRoom(bytes / 4, bytes / 32);
}

void ProgramBuilder::BeginChunk() {
  HCL_DCHECK(chunks_.empty() || chunks_.back().end != 0);
  Chunk chunk;
  chunk.begin = here();
  chunks_.push_back(chunk);
  ranges_.EndGroup();
}

// A chunk is never open twice, so that the last one is the one that ends.
uint32_t ProgramBuilder::EndChunk(uint32_t registers) {
  HCL_DCHECK(!chunks_.empty() && chunks_.back().end == 0);
  HCL_DCHECK(registers <= kMaxRegisters);
  Chunk& chunk = chunks_.back();
  chunk.end = here();
  chunk.registers = registers;
  return static_cast<uint32_t>(chunks_.size()) - 1;
}

ProgramBuilder::Mark ProgramBuilder::Here() const {
  return {code_.size(),
          chunks_.size(),
          operands_.size(),
          shapes_.size(),
          fast_regions_.size(),
          rare_.diagnostics.size(),
          internal_calls_.size(),
          source_entries_.size(),
          loops_.size(),
          local_paths_.size(),
          local_steps_.size(),
          ranges_.Here(),
          reads_.Here(),
          is_pure_,
          rare_.tests.tables.size(),
          rare_.tests.places.size()};
}

void ProgramBuilder::Rewind(const Mark& mark) {
  const auto cut = [](auto* list, size_t size) {
    while (list->size() > size) list->pop_back();
  };
  cut(&code_, mark.code), cut(&chunks_, mark.chunks), cut(&operands_, mark.operands), cut(&shapes_, mark.shapes);
  cut(&fast_regions_, mark.regions), cut(&rare_.diagnostics, mark.diagnostics);
  cut(&internal_calls_, mark.internal_calls), cut(&source_entries_, mark.sources), cut(&loops_, mark.loops);
  cut(&local_paths_, mark.local_paths), cut(&local_steps_, mark.local_steps);
  cut(&rare_.tests.tables, mark.test_tables), cut(&rare_.tests.places, mark.test_places);
  ranges_.Rewind(mark.ranges), reads_.Rewind(mark.reads);
  is_pure_ = mark.is_pure;
  has_far_jump_ = false;
  last_target_ = 0;
}

size_t ProgramBuilder::RoomForTests() const { return UINT16_MAX + size_t{1} - rare_.tests.places.size(); }

// An instruction is replaced by one of its size, so that nothing moves.
void ProgramBuilder::ReplaceTests(TestTable table, absl::Span<const TestCode> tests) {
  HCL_DCHECK(tests.size() <= RoomForTests());
  std::vector<TestPlace>& places = rare_.tests.places;
  for (const TestCode& test : tests) {
    const auto place = static_cast<uint16_t>(places.size());
    places.push_back({static_cast<uint32_t>(rare_.tests.tables.size()), static_cast<uint32_t>(&test - tests.data())});
    code_[test.begin] = Instruction(test.is_path ? Opcode::kFindPathTest : Opcode::kFindTest, test.subject, place,
                                    static_cast<uint16_t>(test.body - test.begin - 1));
  }
  rare_.tests.tables.push_back(std::move(table));
}

uint32_t ProgramBuilder::Emit(Opcode op, uint16_t a, uint16_t b, uint16_t c, absl::Span<const SourceRange> spans) {
  const uint32_t pc = Emit(op, a, b, c);
  if (!spans.empty()) ranges_.Add(pc, spans);
  return pc;
}

// The peephole: the register of the GetAttr is read by nobody else, so that both instructions become one. They do not
// where a jump leads to this place, since another way to it may have put another value into the register. The ranges of
// the GetAttr stay at their pc and serve the new instruction.
void ProgramBuilder::EmitPush(uint16_t tuple, uint16_t item) {
  const Instruction last = code_.back();
  if (last.opcode() == Opcode::kGetAttr && last.a() == item && last_target_ != here()) {
    code_.back() = Instruction(Opcode::kPushAttr, tuple, last.b(), last.c());
  } else {
    Emit(Opcode::kTuplePush, tuple, item);
  }
}

// Likewise: a value that is looked for and checked, of which the check is all that comes between.
void ProgramBuilder::EmitBoolCheck(uint16_t reg, uint16_t check) {
  const Instruction last = code_.empty() ? Instruction() : code_.back();
  if (last.opcode() == Opcode::kFastSeekAttr && last.a() == reg && last_target_ != here()) {
    code_.back() = Instruction(Opcode::kFastSeekBool, last.a(), last.b(), last.c());
  } else {
    Emit(Opcode::kGuard, reg, check);
  }
}

std::optional<uint32_t> ProgramBuilder::ConstantOf(uint32_t chunk) const {
  const Instruction first = code_[chunks_[chunk].begin];
  const bool is_constant = first.opcode() == Opcode::kReturn && first.b() >= kConstantBit;
  return is_constant ? std::optional<uint32_t>(first.b() & ~uint32_t{kConstantBit}) : std::nullopt;
}

std::optional<uint32_t> ProgramBuilder::PathOf(uint32_t chunk) const {
  const Instruction first = code_[chunks_[chunk].begin];
  const bool is_path = chunks_[chunk].end - chunks_[chunk].begin == 2 && first.opcode() == Opcode::kLoadPath;
  return is_path ? std::optional<uint32_t>(first.x()) : std::nullopt;
}

// Remembers the place as a target for EmitPush() and EmitBoolCheck(). A forward jump holds the distance from the
// instruction behind it.
void ProgramBuilder::PatchToHere(uint32_t jump) {
  HCL_DCHECK(jump < here());
  last_target_ = here();
  Instruction& i = code_[jump];
  HCL_DCHECK((InfoOf(i.opcode()).flags & kMayJump) != 0);
  if (InfoOf(i.opcode()).c != OperandKind::kForward) {
    i = Instruction::WithX(i.opcode(), i.a(), here());
    return;
  }
  // How long an expression is depends on input: a distance that does not fit is no assertion. FinishVerified() reports
  // it, and the program that would jump somewhere else is never made.
  const uint32_t distance = here() - (jump + 1);
  if (distance > UINT16_MAX) has_far_jump_ = true;
  i = Instruction(i.opcode(), i.a(), i.b(), static_cast<uint16_t>(distance));
}

// Long strings are shared by their text, all else by its bits, which finds inline values, and pointers to the same
// memory. Equal tuples in different memory are kept twice. Most constants are there already: what is new is added by a
// call of its own.
uint32_t ProgramBuilder::AddConstant(const Value& value, Memory memory) {
  if (TagOf(value) == Tag::kString) return AddText(value, memory);
  const uint64_t hash = MixHash(HeadBits(value), PayloadBits(value));
  const std::optional<uint32_t> found =
      constant_index_.Find(hash, [&](uint32_t index) { return constants_[index].SameBits(value); });
  return found ? *found : AddNewConstant(hash, value, memory);
}

uint32_t ProgramBuilder::AddText(const Value& text, Memory memory) {
  const uint64_t hash = HashString(text.AsString());
  const std::optional<uint32_t> found = constant_index_.Find(hash, [&](uint32_t index) {
    const Value& other = constants_[index];
    return TagOf(other) == Tag::kString && other.AsString() == text.AsString();
  });
  return found ? *found : AddNewConstant(hash, text, memory);
}

uint32_t ProgramBuilder::AddNewConstant(uint64_t hash, const Value& value, Memory memory) {
  const auto index = static_cast<uint32_t>(constants_.size());
  constant_index_.Add(hash, index);
  constants_.push_back(memory == Memory::kOwn ? value : Owned(value));
  return index;
}

std::optional<Value> ProgramBuilder::FindString(std::string_view text) const {
  const std::optional<uint32_t> found = constant_index_.Find(HashString(text), [&](uint32_t index) {
    return TagOf(constants_[index]) == Tag::kString && constants_[index].AsString() == text;
  });
  if (!found) return std::nullopt;
  return constants_[*found];
}

uint32_t ProgramBuilder::AddSlot(std::string_view name) {
  if (last_slot_ < variables_.size() && variables_[last_slot_] == name) return last_slot_;
  const uint64_t hash = HashString(name);
  const std::optional<uint32_t> found =
      variable_index_.Find(hash, [&](uint32_t index) { return variables_[index] == name; });
  return last_slot_ = found ? *found : AddNewSlot(hash, name);
}

// The name is copied, since the program outlives the syntax tree from whose text it comes.
uint32_t ProgramBuilder::AddNewSlot(uint64_t hash, std::string_view name) {
  variable_index_.Add(hash, static_cast<uint32_t>(variables_.size()));
  return AddLocalSlot(name);
}

uint32_t ProgramBuilder::AddLocalSlot(std::string_view name) {
  variables_.push_back(heap_.arena()->CopyString(name));
  return static_cast<uint32_t>(variables_.size()) - 1;
}

// Equal paths share one cache and one entry in the list of what a host has to provide.
namespace {

// Texts are converted to numbers by the slow path; only the digits of a small one are as good as the number.
uint32_t PositionOf(const PathStep& step) {
  if (step.key.is_int()) return static_cast<uint32_t>(std::clamp<int64_t>(step.key.AsInt(), -1, UINT32_MAX));
  constexpr size_t kMaxDigits = 9;
  if (step.is_attribute || TagOf(step.key) != Tag::kShortString) return UINT32_MAX;
  const std::string_view digits = step.key.AsString();
  if (digits.empty() || digits.size() > kMaxDigits || (digits[0] == '0' && digits.size() > 1)) return UINT32_MAX;
  uint32_t position = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return UINT32_MAX;
    position = position * 10 + static_cast<uint32_t>(digit - '0');
  }
  return position;
}

}  // namespace

uint32_t ProgramBuilder::AddPath(uint32_t slot, absl::Span<const PathStep> steps, Memory memory) {
  const uint64_t hash = HashPath(slot, steps);
  const std::optional<uint32_t> found = path_index_.Find(hash, [&](uint32_t index) {
    const Path& path = paths_[index];
    return path.slot == slot && path.step_count == steps.size() &&
           std::equal(steps.begin(), steps.end(), path_steps_.begin() + path.first_step, SameStep);
  });
  return found ? *found : AddNewPath(hash, slot, steps, memory);
}

uint32_t ProgramBuilder::AddNewPath(uint64_t hash, uint32_t slot, absl::Span<const PathStep> steps, Memory memory) {
  const auto index = static_cast<uint32_t>(paths_.size());
  path_index_.Add(hash, index);
  paths_.push_back({slot, static_cast<uint32_t>(path_steps_.size()), static_cast<uint32_t>(steps.size())});
  for (const PathStep& step : steps) {
    path_steps_.push_back({memory == Memory::kOwn ? step.key : Owned(step.key), step.is_attribute, PositionOf(step)});
  }
  return index;
}

std::optional<uint16_t> ProgramBuilder::AddName(const Value& name) {
  constexpr size_t kOwn = 4096;
  if (names_.size() < kOwn) {
    names_.push_back(name);
    return static_cast<uint16_t>(names_.size() - 1);
  }
  const auto [found, is_new] = shared_names_.try_emplace(AddConstant(name), static_cast<uint16_t>(names_.size()));
  if (!is_new) return found->second;
  if (names_.size() > UINT16_MAX) {
    shared_names_.erase(found);
    return std::nullopt;
  }
  names_.push_back(name);
  return found->second;
}

uint32_t ProgramBuilder::AddShape(const Shape* shape) {
  shapes_.push_back(shape);
  return shape_count() - 1;
}

// Policies repeat the same lists in one rule after the other. Members of equal bits or texts are equal, and of one
// type.
uint32_t ProgramBuilder::AddLookup(const Value& tuple, Memory memory) {
  uint64_t hash = tuple.size();
  for (const Value& member : tuple.elements()) hash = MixHash(hash, HashScalar(member));
  const std::optional<uint32_t> found = lookup_index_.Find(hash, [&](uint32_t index) {
    const absl::Span<const Value> members = lookups_[index].members();
    return tuple.is_tuple() && lookups_[index].tuple().is_tuple() && members.size() == tuple.size() &&
           std::equal(members.begin(), members.end(), tuple.elements().begin(), SameScalar);
  });
  if (found) return *found;
  lookup_index_.Add(hash, lookup_count());
  lookups_.push_back(LookupSet(memory == Memory::kOwn ? tuple : Owned(tuple), heap_.arena()));
  return lookup_count() - 1;
}

// A call that has prepared its own constants is one of its own. One function that is not pure makes the whole program
// impure, so that no run is repeated for its diagnostics.
uint32_t ProgramBuilder::AddSite(const Function* function, const void* prepared, uint32_t arguments, bool expand_last) {
  is_pure_ &= function->pure;
  const auto next = static_cast<uint32_t>(call_sites_.size());
  if (prepared == nullptr) {
    const uint64_t hash = MixHash(reinterpret_cast<uintptr_t>(function), arguments * 2 + expand_last);
    const std::optional<uint32_t> found = site_index_.Find(hash, [&](uint32_t index) {
      const CallSite& other = call_sites_[index];
      return other.function == function && other.prepared == nullptr && other.arguments == arguments &&
             other.expand_last == expand_last;
    });
    if (found) return *found;
    site_index_.Add(hash, next);
  }
  call_sites_.push_back(CallSite(function, prepared, arguments, expand_last));
  return next;
}

// Lists stand one behind the other, each behind its size.
uint32_t ProgramBuilder::AddList(absl::Span<const uint16_t> operands) {
  HCL_DCHECK(operands.size() <= UINT16_MAX);
  const auto list = static_cast<uint32_t>(operands_.size());
  operands_.push_back(static_cast<uint16_t>(operands.size()));
  operands_.Append(operands);
  return list;
}

uint32_t ProgramBuilder::AddInternalCall(InternalFunction function, const void* state, std::string_view name) {
  internal_calls_.push_back({function, state, heap()->arena()->CopyString(name)});
  return static_cast<uint32_t>(internal_calls_.size()) - 1;
}

// An entry is added only where the source changes, and replaced where no code has come since the last change. Programs
// of one source have none.
void ProgramBuilder::UseSource(const Source* source) {
  if (source == source_.get()) source = nullptr;
  if (source == (source_entries_.empty() ? nullptr : source_entries_.back().source)) return;
  if (!source_entries_.empty() && source_entries_.back().pc == here()) {
    source_entries_.back().source = source;
  } else {
    source_entries_.push_back({here(), source});
  }
}

uint32_t ProgramBuilder::BeginLoop(uint16_t run, std::string_view key, std::string_view value) {
  return AddLoop({here(), 0, run, key, value});
}

uint32_t ProgramBuilder::AddLoop(const LoopNames& loop) {
  Arena* arena = heap()->arena();
  loops_.push_back({loop.begin, loop.end, loop.run, arena->CopyString(loop.key), arena->CopyString(loop.value)});
  return static_cast<uint32_t>(loops_.size()) - 1;
}

void ProgramBuilder::AddLocalRead(SourceRange range, uint32_t loop, bool is_key, absl::Span<const PathStep> steps) {
  reads_.Add(range, static_cast<uint32_t>(local_paths_.size()) | Read::kLocalBit);
  local_paths_.push_back(
      {loop, static_cast<uint32_t>(local_steps_.size()), static_cast<uint32_t>(steps.size()), is_key});
  local_steps_.insert(local_steps_.end(), steps.begin(), steps.end());
}

// Ranges of a prepared diagnostic belong to the source that is in use here.
uint32_t ProgramBuilder::AddDiagnostic(Diagnostic diagnostic) {
  if (diagnostic.source == nullptr && !source_entries_.empty()) diagnostic.source = source_entries_.back().source;
  rare_.diagnostics.push_back(std::move(diagnostic));
  return static_cast<uint32_t>(rare_.diagnostics.size()) - 1;
}

void ProgramBuilder::AddEntry(std::string_view prefix, std::string_view name, uint32_t chunk, SourceRange range) {
  const size_t bytes = prefix.size() + name.size();
  char* path = heap()->arena()->NewArray<char>(bytes);
  std::copy(prefix.begin(), prefix.end(), path);
  std::copy(name.begin(), name.end(), path + prefix.size());
  entries_.push_back({std::string_view(path, bytes), chunk, range});
}

// Tables go to the program's arena: into what its last block has left, and else into one block that they fill. All of
// them go through one list twice: the first pass notes what there is, the second tells the program where it is now. A
// program so takes one allocation for its tables, and small ones none (docs/bytecode.md, "Programs"). What is done for
// each table in between is a loop, as the passes are as much code as there are tables.
void ProgramBuilder::PackTables(ProgramTables* program) {
  Parts parts(&rare_);
  const auto for_each = [&](auto take) { ForEachTable(program, &parts, take); };
  std::array<PackedTable, kMaxTables> tables;
  size_t count = 0;
  for_each([&](const auto& list, auto*) {
    HCL_DCHECK(count < tables.size());
    tables[count++] = Packed(list);
  });
  Place(absl::MakeSpan(tables.data(), count), &program->arena_);
  const PackedTable* packed = tables.data();
  for_each([&](const auto& list, auto* table) { *table = SpanOf(*packed++, list); });
  program->ranges_ = RangeTable(parts.range_bytes, parts.range_marks);
  program->reads_ = ReadTable(parts.read_bytes, parts.read_marks);
}

// A loop over a literal list adds its regions at its end, and the interpreter finds them by binary search, hence the
// sort. The arena moves, and what points into it stays valid. A program without types of its own has no table of them.
std::shared_ptr<const Program> ProgramBuilder::Finish() && { return std::move(*this).Build(); }

std::shared_ptr<ProgramTables> ProgramBuilder::Build() && {
  std::sort(fast_regions_.begin(), fast_regions_.end(),
            [](const FastRegion& a, const FastRegion& b) { return a.begin < b.begin; });
  auto program = std::make_shared<ProgramTables>(heap_.dialect());
  program->source_ = std::move(source_);
  program->functions_ = std::move(functions_);
  program->arena_ = std::move(*heap_.arena());
  if (heap_.types()->bytes_used() > 0) program->types_ = std::make_unique<TypeTable>(std::move(*heap_.types()));
  PackTables(program.get());
  if (variables_.size() > ProgramTables::kFewSlots) rare_.slots_by_name = SlotsByName(variables_, &program->arena_);
  program->is_module_ = rare_.module != nullptr;
  if (!rare_.empty()) {
    rare_.diagnostics.shrink_to_fit(), rare_.kept.shrink_to_fit(), rare_.tests.places.shrink_to_fit();
    program->rare_ = std::make_unique<const ProgramTables::Rare>(std::move(rare_));
  }
  program->main_chunk_ = main_chunk_;
  program->is_pure_ = is_pure_;
  return program;
}

FrameLayout ProgramBuilder::LayOut() const {
  uint32_t others = 0;
  for (uint32_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    if (chunk != main_chunk_) others = std::max(others, chunks_[chunk].registers);
  }
  return FrameLayout(constants_.size(), main_chunk_ < chunks_.size() ? chunks_[main_chunk_].registers : 0, others);
}

std::shared_ptr<const Program> ProgramBuilder::FinishVerified(Diagnostics* diagnostics) && {
  if (has_far_jump_) {
    diagnostics->AddLimit(std::nullopt, DiagnosticCode::kExpressionTooLong,
                          "An expression needs a jump over more than 65,535 instructions. Divide it into attributes.");
    return nullptr;
  }
  const FrameLayout layout = LayOut();
  if (!layout.Fits(variables_.size())) {
    diagnostics->AddLimit(
        std::nullopt, DiagnosticCode::kExpressionTooComplex,
        "The expressions, constants and variables that are used at the same time need more than 32,768 "
        "values, which is the limit. Divide them into attributes.");
    return nullptr;
  }
  const std::shared_ptr<ProgramTables> program = std::move(*this).Build();
  const std::string fault = program->VerifyAndPlace(layout);
  if (!fault.empty()) {
    std::fprintf(stderr, "hclvm: the compiler made an unsound program: %s\n", fault.c_str());
    std::abort();
  }
  return program;
}

}  // namespace hcl::internal
