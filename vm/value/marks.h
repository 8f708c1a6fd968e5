// Marks: what a host says of values ("sensitive", "from user 7"), carried through every operation to the results.
//
// A mark stands on a value as a whole, or on a part of it. An operation on marked operands gives its result all their
// marks; a tuple or object keeps its elements' marks on the elements, a set takes them on itself. Diagnostics never
// show a marked value. Values without marks pay nothing: they are what they would be if there were none. Tested by
// tests/marks_test.cc.

#ifndef HCLVM_VM_VALUE_MARKS_H_
#define HCLVM_VM_VALUE_MARKS_H_

#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// What the functions sensitive, nonsensitive and issensitive are about: the mark called "sensitive" in every registry.
inline constexpr MarkSet kSensitiveMark = MarkSet{1} << (kMaxMarks - 1);

// What the function ephemeralasnull is about: the mark called "ephemeral" in every registry.
inline constexpr MarkSet kEphemeralMark = MarkSet{1} << (kMaxMarks - 3);

namespace internal {

// Stands beside kSensitiveMark on what is made of a variable that a module declares as sensitive.
inline constexpr MarkSet kDeclaredMark = MarkSet{1} << (kMaxMarks - 2);

}  // namespace internal

// `value` with `marks` besides those that it has. Returns it as it is for no marks. The result's memory is in `arena`.
Value Mark(const Value& value, MarkSet marks, Arena* arena);

// `value` without the marks on it; marks of its parts stay. Adds them to *marks. Same memory.
inline const Value& Unmark(const Value& value, MarkSet* marks) {
  *marks |= value.marks();
  return value.unmarked();
}

// `value` without marks at any depth; adds them to *marks. Copies into `arena` what has to change.
Value UnmarkDeep(const Value& value, MarkSet* marks, Arena* arena);

// The marks on `value` and in it, at any depth. Time: constant where there are none, otherwise linear.
MarkSet MarksIn(const Value& value);

namespace internal {

// `value`, in which what has kDeclaredMark has neither that nor kSensitiveMark nor kEphemeralMark, at any depth; other
// marks stay. Copies into `arena` what has to change.
Value WithoutDeclaredMarks(const Value& value, Arena* arena);

// `value`, in which what has kEphemeralMark is a null of its type, at any depth. An unknown part may turn out to have
// the mark, so that nothing is known of it but its type. Makes in `heap` what has to change.
Value EphemeralAsNull(const Value& value, Heap* heap);

}  // namespace internal

// Names for marks. Not thread-safe while names are added; a host keeps one and shares its meaning with its evaluators.
class MarkRegistry {
 public:
  // The mark called `name`, new or known; 0 when kMaxMarks - 3 others exist, beside "sensitive" and
  // "ephemeral".
  MarkSet Get(std::string_view name);
  // The names of the marks in `marks`, in the order in which they were made.
  std::vector<std::string> Names(MarkSet marks) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_MARKS_H_
