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

// `inner`, which is not marked itself, with what `change(part)` makes of its parts. Containers without marks in them
// are shared: has_marks is kept for each, so that a value without marks costs nothing.
template <typename Change>
Value ChangeParts(const Value& inner, Arena* arena, const Change& change) {
  if (!inner.has_marks()) return inner;
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
  const MarkSet marks = is_declared ? value.marks() & ~(kDeclaredMark | kSensitiveMark) : value.marks();
  const Value inner =
      ChangeParts(value.unmarked(), arena, [arena](const Value& part) { return WithoutDeclaredMarks(part, arena); });
  return Mark(inner, marks, arena);
}

// "sensitive" has the last bit in every registry, so that functions of the library can use it without one. A mark that
// finds no room is 0, which is no mark: the host sees it at once, and no other mark is mistaken for it.
MarkSet MarkRegistry::Get(std::string_view name) {
  if (name == kSensitiveName) return kSensitiveMark;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return MarkSet{1} << i;
  }
  if (names_.size() >= static_cast<size_t>(kMaxMarks - 2)) return 0;
  names_.emplace_back(name);
  return MarkSet{1} << (names_.size() - 1);
}

std::vector<std::string> MarkRegistry::Names(MarkSet marks) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < names_.size(); ++i) {
    if ((marks >> i & 1) != 0) names.push_back(names_[i]);
  }
  if ((marks & kSensitiveMark) != 0) names.emplace_back(kSensitiveName);
  return names;
}

}  // namespace hcl
