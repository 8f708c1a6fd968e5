#include "hclvm/tests/slow/net/odd_scopes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

constexpr int kOddValues = 48;  // of each variable
constexpr uint32_t kOddPercent = 45;
constexpr uint32_t kDirectedPercent = 75;
constexpr uint32_t kMissingPercent = 4;
constexpr size_t kManyElements = 40;

bool HasParts(const Value& value) { return value.is_sequence() || value.is_mapping(); }

absl::Span<const Value> PartsOf(const Value& value) { return value.is_sequence() ? value.elements() : value.values(); }

}  // namespace

OddScopes::OddScopes(const World& world, Dialect dialect, Dice* dice)
    : world_(world), heap_(nullptr, dialect), into_(&heap_), dice_(dice) {
  for (const WorldVariable& known : world.variables) {
    Variable variable;
    variable.name = known.name;
    for (const Value& scope : world.scopes) {
      const int64_t at = scope.shape().Find(known.name);
      variable.is_there.push_back(at >= 0);
      variable.usual.push_back(at >= 0 ? scope.values()[static_cast<size_t>(at)] : Value());
    }
    // Hosts also give lists and maps, where JSON has tuples and objects.
    for (size_t n = 0; n < variable.usual.size(); n += 2) variable.usual[n] = Typed(variable.usual[n]);
    for (int n = 0; n < kOddValues; ++n) {
      Value value = dice_->Pick(variable.usual);
      for (uint32_t times = 1 + dice_->Roll(2); times > 0; --times) value = Odd(value);
      variable.odd.push_back(value);
    }
    variables_.push_back(std::move(variable));
  }
}

OddScope OddScopes::Next(const std::string& text, Heap* heap) {
  std::vector<KeyValue> marked, bare;
  OddScope scope;
  into_ = heap;
  const uint32_t base = dice_->Roll(static_cast<uint32_t>(world_.scopes.size()));
  for (const Variable& variable : variables_) {
    if (!absl::StrContains(text, variable.name)) continue;
    const bool is_odd = dice_->Roll(100) < kOddPercent;
    if (dice_->Roll(100) < kMissingPercent || (!is_odd && !variable.is_there[base])) continue;
    Value value = variable.usual[base];
    if (is_odd) value = dice_->Roll(100) < kDirectedPercent ? OddWhereRead(value, text, 0) : dice_->Pick(variable.odd);
    const Value key = Value::StringView(variable.name);
    marked.push_back({key, value});
    MarkSet marks = 0;
    bare.push_back({key, value.has_marks() ? UnmarkDeep(value, &marks, heap->arena()) : value});
    scope.has_marks = scope.has_marks || value.has_marks();
  }
  scope.marked = MakeObject(marked, heap->arena());
  scope.bare = scope.has_marks ? MakeObject(bare, heap->arena()) : scope.marked;
  return scope;
}

Value OddScopes::WithParts(const Value& value, absl::Span<const Value> parts) {
  Arena* arena = into_->arena();
  if (value.is_object()) return MakeObject(&value.shape(), parts, arena);
  if (value.is_tuple()) return MakeTuple(parts, arena);
  // Elements of collections have one type.
  bool same = true;
  for (const Value& part : parts) same = same && TypeOf(part.unmarked(), into_->types()) == value.element_type();
  if (value.is_map()) {
    return same ? MakeMap(value.element_type(), &value.shape(), parts, arena)
                : MakeObject(&value.shape(), parts, arena);
  }
  if (!same) return MakeTuple(parts, arena);
  bool plain = true;
  for (const Value& part : parts) plain = plain && !part.has_marks() && part.is_wholly_known();
  return value.is_set() && plain ? MakeSet(value.element_type(), parts, arena)
                                 : MakeList(value.element_type(), parts, arena);
}

// Down to where no name that the text has leads on, or less deep.
Value OddScopes::OddWhereRead(const Value& value, const std::string& text, int depth) {
  if (value.is_marked() || !HasParts(value) || value.size() == 0 || dice_->Roll(100) < (depth == 0 ? 10 : 30)) {
    return Odd(value);
  }
  std::vector<size_t> read;
  for (size_t n = 0; n < value.size(); ++n) {
    const bool is_named = value.is_mapping() && absl::StrContains(text, std::string(value.shape().keys[n].AsString()));
    if (is_named || (value.is_sequence() && n < 3)) read.push_back(n);
  }
  if (read.empty()) return Odd(value);
  const size_t at = dice_->Pick(read);
  std::vector<Value> parts(PartsOf(value).begin(), PartsOf(value).end());
  parts[at] = OddWhereRead(parts[at], text, depth + 1);
  return WithParts(value, parts);
}

// The value, or something in it, is odd.
Value OddScopes::Odd(const Value& value) {
  if (value.is_marked() || value.is_unknown() || value.is_null()) return value;
  if (!HasParts(value) || value.size() == 0 || dice_->Roll(4) == 0) return OddItself(value);
  return OddPart(value);
}

Value OddScopes::OddPart(const Value& value) {
  const size_t at = dice_->Roll(static_cast<uint32_t>(value.size()));
  std::vector<Value> parts(PartsOf(value).begin(), PartsOf(value).end());
  // An attribute that is missing.
  if (value.is_mapping() && dice_->Roll(5) == 0) {
    std::vector<KeyValue> pairs;
    for (size_t n = 0; n < parts.size(); ++n) {
      if (n != at) pairs.push_back({value.shape().keys[n], parts[n]});
    }
    return value.is_object() ? MakeObject(pairs, into_->arena()) : MakeMap(value.element_type(), pairs, into_->arena());
  }
  parts[at] = Odd(parts[at]);
  return WithParts(value, parts);
}

Value OddScopes::OddItself(const Value& value) {
  const Type type = TypeOf(value, into_->types());
  Arena* arena = into_->arena();
  switch (dice_->Roll(14)) {
    case 0:
      return Value::Null();
    case 1:
      return Value::Null(type);
    case 2:
    case 6:
      return dice_->Roll(2) == 0 ? Value::Dynamic() : Value::Unknown(type);
    case 3: {
      Refinement known;
      known.type = type;
      known.not_null = true;
      if (value.is_string()) known.prefix = SafePrefix(value.AsString().substr(0, dice_->Roll(4)));
      if (type.is_collection()) known.min_length = std::min<uint64_t>(value.size(), dice_->Roll(3));
      return RefinedUnknown(known, arena);
    }
    case 4:
    case 7:
      return Mark(value, MarkSet{1} << dice_->Roll(3), arena);
    case 5: {
      // Of another type.
      const Value others[] = {Value::Int(7),
                              Value::StringView("x"),
                              Value::StringView("3"),
                              Value::Bool(true),
                              MakeTuple({}, arena),
                              MakeObject(absl::Span<const KeyValue>(), arena),
                              MakeTuple({Value::StringView("a"), Value::Int(1)}, arena),
                              MakeObject(absl::Span<const KeyValue>({{Value::StringView("a"), Value::Int(1)}}), arena)};
      return others[dice_->Roll(8)];
    }
    default:
      return Twisted(value);
  }
}

// Of the same kind, but empty, large, long, or of a type that is nearly the same.
Value OddScopes::Twisted(const Value& value) {
  Arena* arena = into_->arena();
  if (value.is_number()) {
    static constexpr const char* kNumbers[] = {"0",    "-1",    "1",    "0.5", "1e-20",   "9223372036854775807",
                                               "1e30", "-1e30", "2.50", "3",   "1000000", "0.1"};
    Value number = Value::Int(0);
    ReadNumber(Value::StringView(kNumbers[dice_->Roll(12)]), into_, &number);
    return dice_->Roll(5) == 0 ? Value::StringView("12") : number;
  }
  if (value.is_bool()) {
    return dice_->Roll(3) == 0 ? Value::StringView(value.is_true() ? "true" : "false") : Value::Bool(!value.AsBool());
  }
  if (value.is_string()) {
    const std::string long_text = absl::StrCat(std::string(value.AsString()), std::string(200, 'a'));
    const std::string texts[] = {"",        "0", "true", std::string(value.AsString()) + "s", "\xc3\xa9\xe4\xb8\x96",
                                 long_text, "a", " b "};
    return Value::String(texts[dice_->Roll(8)], arena);
  }
  if (!HasParts(value)) return value;
  const absl::Span<const Value> parts = PartsOf(value);
  switch (dice_->Roll(5)) {
    case 0:
      if (value.is_object()) return MakeObject(absl::Span<const KeyValue>(), arena);
      if (value.is_map()) return MakeMap(value.element_type(), absl::Span<const KeyValue>(), arena);
      return WithParts(value, {});
    case 1: {
      if (value.is_mapping() || parts.empty()) return Typed(value);
      std::vector<Value> many;
      while (many.size() < kManyElements) many.insert(many.end(), parts.begin(), parts.end());
      return WithParts(value, many);
    }
    case 2:
      // One of another kind.
      if (value.is_mapping()) return MakeTuple(parts, arena);
      return MakeObject(absl::Span<const KeyValue>({{Value::StringView("a"), value}}), arena);
    default: {
      const Value typed = Typed(value);
      if (!typed.is_list() || dice_->Roll(2) == 0) return typed;
      bool plain = true;
      for (const Value& part : parts) plain = plain && !part.has_marks() && part.is_wholly_known();
      return plain ? MakeSet(typed.element_type(), typed.elements(), arena) : typed;
    }
  }
}

// Lists and maps for tuples and objects with parts of one type, at all depths.
Value OddScopes::Typed(const Value& value) {
  if (!HasParts(value) || value.size() == 0) return value;
  std::vector<Value> parts;
  for (const Value& part : PartsOf(value)) parts.push_back(Typed(part));
  const Type first = TypeOf(parts[0].unmarked(), into_->types());
  bool same = !first.has_dynamic();
  for (const Value& part : parts) same = same && TypeOf(part.unmarked(), into_->types()) == first;
  if (!same) return WithParts(value, parts);
  if (value.is_mapping()) return MakeMap(first, &value.shape(), parts, into_->arena());
  return value.is_set() ? value : MakeList(first, parts, into_->arena());
}

}  // namespace hcl::testing_support
