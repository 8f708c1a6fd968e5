// Marks. Recursion is bounded by the depth of values, work by their weight. Tested by tests/marks_test.cc.

#include "hclvm/vm/value/marks.h"

#include <cstdint>

#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::MappingOf;
using internal::MappingValue;
using internal::NewMapping;
using internal::NewSequence;
using internal::SequenceOf;
using internal::SequenceValue;
using internal::TagOf;

// Marks do not nest: a value has one box with the union of all, so that unmarked() takes one step. An error value has
// no marks; its diagnostics hide marked values by themselves. A value that has the marks already is returned as it is.
Value Mark(const Value& value, MarkSet marks, Arena* arena) {
  if (marks == 0 || value.is_error() || (value.marks() | marks) == value.marks()) return value;
  if (value.is_marked()) return Value::Marked(value.marks() | marks, &value.unmarked());
  return Value::Marked(marks, arena->New<Value>(value));
}

namespace {

constexpr std::string_view kSensitiveName = "sensitive";
constexpr std::string_view kEphemeralName = "ephemeral";

// `inner`, a sequence or mapping that is not marked itself, with what `change(part)` makes of its parts.
template <typename Change>
Value RemakeParts(const Value& inner, Arena* arena, const Change& change) {
  if (inner.is_sequence()) {
    internal::Sequence* sequence =
        NewSequence(static_cast<uint32_t>(inner.size()), Type(SequenceOf(inner).element), inner.is_tuple(), arena);
    for (size_t i = 0; i < inner.size(); ++i) sequence->mutable_items()[i] = change(inner.elements()[i]);
    Finish(sequence);
    return SequenceValue(TagOf(inner), sequence);
  }
  internal::Mapping* mapping = NewMapping(&inner.shape(), Type(MappingOf(inner).element), inner.is_object(), arena);
  for (size_t i = 0; i < inner.size(); ++i) mapping->mutable_items()[i] = change(inner.values()[i]);
  Finish(mapping);
  return MappingValue(TagOf(inner), mapping);
}

// The same of any value that is not marked itself. Containers without marks in them are shared: has_marks is kept for
// each, so that a value without marks costs nothing.
template <typename Change>
Value ChangeParts(const Value& inner, Arena* arena, const Change& change) {
  return inner.has_marks() ? RemakeParts(inner, arena, change) : inner;
}

}  // namespace

Value UnmarkDeep(const Value& value, MarkSet* marks, Arena* arena) {
  return ChangeParts(Unmark(value, marks), arena, [&](const Value& part) { return UnmarkDeep(part, marks, arena); });
}

MarkSet MarksIn(const Value& value) {
  MarkSet marks = value.marks();
  const Value& inner = value.unmarked();
  if (!inner.has_marks()) return marks;
  for (const Value& part : inner.is_sequence() ? inner.elements() : inner.values()) marks |= MarksIn(part);
  return marks;
}

Value internal::WithoutDeclaredMarks(const Value& value, Arena* arena) {
  if (!value.has_marks()) return value;
  const bool is_declared = (value.marks() & kDeclaredMark) != 0;
  const MarkSet marks =
      is_declared ? value.marks() & ~(kDeclaredMark | kSensitiveMark | kEphemeralMark) : value.marks();
  const Value inner =
      ChangeParts(value.unmarked(), arena, [arena](const Value& part) { return WithoutDeclaredMarks(part, arena); });
  return Mark(inner, marks, arena);
}

// Elements of a set have no marks of their own: as long as one is unknown, the set may come to have its marks.
Value internal::EphemeralAsNull(const Value& value, Heap* heap) {
  if (!value.has_marks() && value.is_wholly_known()) return value;
  const Value& inner = value.unmarked();
  const MarkSet marks = value.marks() & ~kEphemeralMark;
  Value made = inner;
  if (!inner.is_null() && (inner.is_unknown() || (inner.is_set() && !inner.is_wholly_known()))) {
    made = Value::Unknown(TypeOf(inner, heap->types()));
  } else if ((value.marks() & kEphemeralMark) != 0) {
    made = Value::Null(TypeOf(inner, heap->types()));
  } else if (inner.is_sequence() || inner.is_mapping()) {
    made = RemakeParts(inner, heap->arena(), [heap](const Value& part) { return EphemeralAsNull(part, heap); });
  }
  return Mark(made, marks, heap->arena());
}

// "sensitive" and "ephemeral" have bits of their own in every registry, so that functions of the library can use them
// without one. A mark that finds no room is 0, which is no mark: the host sees it at once, and no other mark is
// mistaken for it.
MarkSet MarkRegistry::Get(std::string_view name) {
  if (name == kSensitiveName) return kSensitiveMark;
  if (name == kEphemeralName) return kEphemeralMark;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return MarkSet{1} << i;
  }
  if (names_.size() >= static_cast<size_t>(kMaxMarks - 3)) return 0;
  names_.emplace_back(name);
  return MarkSet{1} << (names_.size() - 1);
}

std::vector<std::string> MarkRegistry::Names(MarkSet marks) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < names_.size(); ++i) {
    if ((marks >> i & 1) != 0) names.push_back(names_[i]);
  }
  if ((marks & kSensitiveMark) != 0) names.emplace_back(kSensitiveName);
  if ((marks & kEphemeralMark) != 0) names.emplace_back(kEphemeralName);
  return names;
}

}  // namespace hcl
