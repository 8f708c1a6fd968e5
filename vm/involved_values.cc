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
#include "hclvm/vm/read_table.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxValues = 8;
// Reads that are looked at for one message.
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
  if (value.is_capsule()) return absl::StrCat("a value of type ", FriendlyName(value));
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

// The value that a read has now: loop variables are in registers, while the loop runs.
std::optional<NamedValue> ValueOf(const OpContext& context, const Read& read) {
  const ProgramTables& program = *context.program;
  absl::Span<const PathStep> steps;
  std::optional<Walk> walk;
  if ((read.path & Read::kLocalBit) == 0) {
    const Path& path = program.paths()[read.path];
    walk.emplace(program.slot_names()[path.slot], context.slots[path.slot]);
    steps = program.steps(path);
  } else {
    const LocalPath& path = program.local_paths()[read.path & ~Read::kLocalBit];
    const LoopNames& loop = program.loops()[path.loop];
    if (context.pc < loop.begin || context.pc >= loop.end) return std::nullopt;
    walk.emplace(path.is_key ? loop.key : loop.value,
                 context.frame[program.WindowAt(context.pc) + loop.run + (path.is_key ? 1 : 2)]);
    steps = program.steps(path);
  }
  if (!walk->found()) return std::nullopt;
  walk->Follow(steps);
  return walk->found() ? std::make_optional(std::move(*walk).Finish()) : std::nullopt;
}

// What is read in the range, in the order of the text. A name that is read twice is shown once. The search stops after
// kMaxLookedAt reads: one message costs a bounded time, even if a loop makes many.
std::vector<NamedValue> ValuesIn(const OpContext& context, SourceRange wanted) {
  ReadTable::Reader reads = context.program->ReadsAt(context.pc, wanted.begin);
  std::vector<NamedValue> values;
  Read read;
  for (size_t n = 0; n < kMaxLookedAt && values.size() < kMaxValues;) {
    if (!reads.Next(&read) || read.range.begin >= wanted.end) break;
    if (read.range.begin < wanted.begin) continue;
    ++n;
    if (!Holds(wanted, read.range)) continue;
    std::optional<NamedValue> value = ValueOf(context, read);
    const bool is_new = value && std::none_of(values.begin(), values.end(),
                                              [&](const NamedValue& other) { return other.name == value->name; });
    if (is_new) values.push_back(std::move(*value));
  }
  return values;
}

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
  switch (context.program->code()[context.pc].opcode()) {
    case Opcode::kGetAttr:
    case Opcode::kPushAttr:
    case Opcode::kGetKey:
    case Opcode::kGetIndex:
      return ValuesIn(context, context.RangeOf(span_role::kSource));
    case Opcode::kLoadPath:  // the ranges of steps are parts of the path
    case Opcode::kFastCall:
    case Opcode::kCall:  // the ranges of arguments are their beginnings only
    case Opcode::kContains:
      return ValuesIn(context, context.RangeOf(span_role::kWhole));
    case Opcode::kSelect:  // types that do not unify: both branches count
      return ValuesIn(context, context.RangeOf(role == span_role::kCondition ? role : span_role::kWhole));
    default:
      return ValuesIn(context, context.RangeOf(role));
  }
}

}  // namespace hcl::internal
