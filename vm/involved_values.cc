// InvolvedValues. Tested by tests/involved_values_test.cc.

#include "hclvm/vm/involved_values.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxValues = 8;
// Instructions with ranges, and uses of loop variables, that are looked at for one message.
constexpr size_t kMaxLookedAt = 64;
// Longest text of a value that is written out, and longest beginning of a longer string.
constexpr size_t kMaxTextBytes = 60;
constexpr size_t kMaxNameBytes = 80;
constexpr uint64_t kMaxDigits = 40;
constexpr int kMaxDepth = 3;

constexpr char kHidden[] = "hidden, because it is marked";

bool Holds(SourceRange outer, SourceRange inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// `text`, quoted, or the beginning of a long one. The cut is moved to the start of a character, so that the message
// stays valid UTF-8.
std::string Quoted(std::string_view text) {
  size_t end = std::min(text.size(), kMaxTextBytes);
  while (end < text.size() && end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  std::string out;
  AppendJsonString(text.substr(0, end), &out);
  if (end < text.size()) absl::StrAppend(&out, " and ", text.size() - end, " bytes more");
  return out;
}

bool AppendLiteral(const Value& value, int depth, std::string* out);

// An element too long ends the whole text at once: the work is bounded by kMaxTextBytes and not by the size of the
// value, which a host may have made as large as it likes. Keys of a map are quoted as in the source, attribute names
// are not.
bool AppendItems(const Value& value, int depth, std::string* out) {
  const absl::Span<const Value> items = value.is_mapping() ? value.values() : value.elements();
  out->push_back(value.is_mapping() ? '{' : '[');
  for (size_t n = 0; n < items.size(); ++n) {
    if (n > 0) out->append(", ");
    if (value.is_mapping()) {
      const std::string_view key = value.shape().keys[n].AsString();
      if (key.size() > kMaxTextBytes) return false;
      value.is_object() ? out->append(key) : out->append(Quoted(key));
      out->append(" = ");
    }
    if (!AppendLiteral(items[n], depth, out)) return false;
  }
  out->push_back(value.is_mapping() ? '}' : ']');
  return out->size() <= kMaxTextBytes;
}

// What stands for `value` in the source. False when that would be too long; `out` is then broken off. Anything marked
// inside makes it false as well, so that no part of a marked value is ever shown.
bool AppendLiteral(const Value& value, int depth, std::string* out) {
  if (out->size() > kMaxTextBytes || depth > kMaxDepth || value.has_marks()) return false;
  if (value.is_null()) {
    out->append("null");
  } else if (value.is_unknown()) {
    out->append("(unknown)");
  } else if (value.is_bool()) {
    out->append(value.is_true() ? "true" : "false");
  } else if (value.is_number()) {
    if (value.AsNumber().DigitCount() > kMaxDigits) return false;
    value.AsNumber().AppendTo(out);
  } else if (value.is_string()) {
    if (value.AsString().size() > kMaxTextBytes) return false;
    AppendJsonString(value.AsString(), out);
  } else if (value.is_sequence() || value.is_mapping()) {
    return AppendItems(value, depth + 1, out);
  } else {
    return false;
  }
  return out->size() <= kMaxTextBytes;
}

std::string Count(size_t count, const char* noun) { return absl::StrCat(count, " ", noun, count == 1 ? "" : "s"); }

// What a value is that is not written out.
std::string Description(const Value& value) {
  if (value.is_number()) return absl::StrCat("a number of ", value.AsNumber().DigitCount(), " digits");
  if (value.is_string()) return Quoted(value.AsString());
  if (value.is_object()) return absl::StrCat("an object with ", Count(value.size(), "attribute"));
  if (value.is_tuple()) return absl::StrCat("a tuple with ", Count(value.size(), "element"));
  if (value.is_capsule()) return absl::StrCat("a value of type ", DescribeType(value));
  const char* kind = value.is_map() ? "a map" : value.is_set() ? "a set" : "a list";
  return absl::StrCat(kind, " of ", FriendlyName(value.element_type()), " with ", Count(value.size(), "element"));
}

// A path into a value, followed as far as it leads somewhere. Marks that it meets on the way hide the value at the end,
// as the result of the same traversal would have them.
class Walk {
 public:
  Walk(std::string_view name, const Value& value) : name_(name), value_(value) { Unwrap(); }

  void Follow(absl::Span<const PathStep> steps) {
    for (const PathStep& step : steps) {
      if (name_.size() > kMaxNameBytes || !Take(step)) return;
      Unwrap();
    }
  }

  // Whether there is a value at all.
  bool found() const { return TagOf(value_) != Tag::kInternal && !value_.is_error(); }
  NamedValue Finish() && { return {std::move(name_), hidden_ ? kHidden : ShortText(value_)}; }

 private:
  void Unwrap() {
    hidden_ |= value_.is_marked();
    value_ = value_.unmarked();
  }

  // A step that leads nowhere is left out of the name: the message then shows the last value that there is, such as the
  // object that lacks the attribute.
  bool Take(const PathStep& step) {
    if (value_.is_mapping() && step.key.is_string()) {
      const int64_t at = value_.shape().Find(step.key);
      if (at < 0) return false;
      value_ = value_.values()[static_cast<size_t>(at)];
      const std::string_view key = step.key.AsString();
      step.is_attribute ? AppendNameStep(key, &name_) : AppendKeyStep(key, &name_);
      return true;
    }
    const bool indexed = (value_.is_tuple() || value_.is_list()) && step.key.is_int();
    if (!indexed || static_cast<uint64_t>(step.key.AsInt()) >= value_.size()) return false;
    value_ = value_.elements()[static_cast<size_t>(step.key.AsInt())];
    AppendIndexStep(static_cast<uint64_t>(step.key.AsInt()), &name_);
    return true;
  }

  std::string name_;
  Value value_;
  bool hidden_ = false;
};

// Looks for what the failed instruction reads. Nothing is recorded while a program runs, so that this reads the code
// backwards. Both searches stop after kMaxLookedAt entries: one message costs a bounded time, even if a loop makes
// many.
class Finder {
 public:
  Finder(const OpContext& context, SourceRange whole, SourceRange wanted)
      : context_(context), program_(*context.program), whole_(whole), wanted_(wanted) {
    const absl::Span<const Chunk> chunks = program_.chunks();
    const auto next = std::upper_bound(chunks.begin(), chunks.end(), context.pc,
                                       [](uint32_t pc, const Chunk& chunk) { return pc < chunk.begin; });
    begin_ = std::prev(next)->begin;
  }

  // Paths and loop variables are found by different tables and merged by where they stand in the source, which is how a
  // reader looks for them. A name that is read twice is shown once.
  std::vector<NamedValue> Find() {
    FindPaths();
    FindLocals();
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::vector<NamedValue> values;
    for (Found& found : found_) {
      const bool repeated = std::any_of(values.begin(), values.end(),
                                        [&](const NamedValue& other) { return other.name == found.value.name; });
      if (!repeated && values.size() < kMaxValues) values.push_back(std::move(found.value));
    }
    return values;
  }

 private:
  struct Found {
    uint32_t begin;
    NamedValue value;
  };

  // The operands of an instruction are computed right before it, and everything in them has ranges inside of its own.
  // The first instruction whose range is not inside ends the search, since it belongs to something else.
  void FindPaths() {
    std::optional<uint32_t> pc = context_.pc + 1;
    for (size_t n = 0; n < kMaxLookedAt; ++n) {
      pc = program_.ranges().Before(*pc);
      if (!pc || *pc < begin_) return;
      const SourceRange range = program_.SpansAt(*pc)[span_role::kWhole];
      if (*pc != context_.pc && !Holds(whole_, range)) return;
      const Instruction instruction = program_.code()[*pc];
      if (instruction.opcode() != Opcode::kLoadPath || !Holds(wanted_, range)) continue;
      const Path& path = program_.paths()[instruction.x()];
      Add(range, Walk(program_.variables()[path.slot], context_.slots[path.slot]), program_.steps(path));
    }
  }

  // A loop variable is a register and leaves no instruction, hence the table of uses. The loop must be running at the
  // pc: otherwise its registers may hold something else already.
  void FindLocals() {
    const absl::Span<const LocalUse> uses = program_.local_uses();
    auto next = std::upper_bound(uses.begin(), uses.end(), context_.pc,
                                 [](uint32_t pc, const LocalUse& use) { return pc < use.pc; });
    for (size_t n = 0; n < kMaxLookedAt && next != uses.begin(); ++n) {
      --next;
      if (next->pc < begin_ || !Holds(whole_, next->range)) return;
      const LoopNames& loop = program_.loops()[next->loop];
      const bool inside = loop.begin <= context_.pc && context_.pc < loop.end;
      if (!inside || !Holds(wanted_, next->range)) continue;
      const Value& value = context_.registers[loop.run + (next->is_key ? 1 : 2)];
      Add(next->range, Walk(next->is_key ? loop.key : loop.value, value), program_.steps(*next));
    }
  }

  void Add(SourceRange range, Walk walk, absl::Span<const PathStep> steps) {
    if (!walk.found()) return;
    walk.Follow(steps);
    if (walk.found()) found_.push_back({range.begin, std::move(walk).Finish()});
  }

  const OpContext& context_;
  const ProgramTables& program_;
  uint32_t begin_;      // of the chunk; others may come from other sources
  SourceRange whole_;   // of the instruction
  SourceRange wanted_;  // inside of it
  std::vector<Found> found_;
};

}  // namespace

std::string ShortText(const Value& value) {
  if (value.is_marked()) return kHidden;
  if (value.is_unknown()) {
    const Type type = value.null_or_unknown_type();
    return type.is_dynamic() ? "unknown" : absl::StrCat("an unknown ", FriendlyName(type));
  }
  std::string text;
  return AppendLiteral(value, 0, &text) ? text : Description(value);
}

// Which ranges an instruction has decides what to look at. A traversal is about what it is applied to. A path, a call
// and a literal set name parts that do not hold their operands, so that the whole counts.
std::vector<NamedValue> InvolvedValues(const OpContext& context, int role) {
  SourceRange whole = context.RangeOf(span_role::kWhole);
  SourceRange wanted = context.RangeOf(role);
  switch (context.program->code()[context.pc].opcode()) {
    case Opcode::kGetAttr:
    case Opcode::kPushAttr:
    case Opcode::kGetIndex:
      whole = wanted = context.RangeOf(span_role::kSource);
      break;
    case Opcode::kLoadPath:  // the ranges of steps are parts of the path
    case Opcode::kCall:      // the ranges of arguments are their beginnings only
    case Opcode::kContains:
      wanted = whole;
      break;
    case Opcode::kSelect:  // types that do not unify: both branches count
      if (role != span_role::kCondition) wanted = whole;
      break;
    default:
      break;
  }
  return Finder(context, whole, wanted).Find();
}

}  // namespace hcl::internal
