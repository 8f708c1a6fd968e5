// Marks. Recursion is bounded by the depth of values, work by their weight. Tested by tests/marks_test.cc.

#include "hclvm/vm/value/marks.h"

#include <cstdint>

namespace hcl {

Value Mark(const Value& value, MarkSet marks, Arena* arena) {
  if (marks == 0 || value.is_error() || (value.marks() | marks) == value.marks()) return value;
  if (value.is_marked()) return Value::Marked(value.marks() | marks, &value.unmarked());
  return Value::Marked(marks, arena->New<Value>(value));
}

Value UnmarkDeep(const Value& value, MarkSet* marks, Arena* arena) {
  const Value& inner = Unmark(value, marks);
  if (!inner.has_marks()) return inner;
  if (inner.is_sequence()) {
    internal::Sequence* sequence =
        NewSequence(static_cast<uint32_t>(inner.size()), Type(inner.sequence().element), inner.is_tuple(), arena);
    for (size_t i = 0; i < inner.size(); ++i) {
      sequence->mutable_items()[i] = UnmarkDeep(inner.elements()[i], marks, arena);
    }
    Finish(sequence);
    return Value::FromSequence(inner.tag(), sequence);
  }
  internal::Mapping* mapping = NewMapping(&inner.shape(), Type(inner.mapping().element), inner.is_object(), arena);
  for (size_t i = 0; i < inner.size(); ++i) mapping->mutable_items()[i] = UnmarkDeep(inner.values()[i], marks, arena);
  Finish(mapping);
  return Value::FromMapping(inner.tag(), mapping);
}

namespace {

constexpr std::string_view kSensitiveName = "sensitive";

}  // namespace

MarkSet MarkRegistry::Get(std::string_view name) {
  if (name == kSensitiveName) return kSensitiveMark;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return MarkSet{1} << i;
  }
  if (names_.size() >= static_cast<size_t>(kMaxMarks - 1)) return 0;
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
