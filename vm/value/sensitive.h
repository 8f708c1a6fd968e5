// HideSensitive: what may be shown of a value, where parts of it have the mark "sensitive" or "ephemeral".
//
//   std::vector<std::string> erased;
//   const hcl::Value shown = hcl::HideSensitive(evaluation.marked_value(), hcl::SensitiveForm::kNull, &heap, &erased);
//
// Tested by vm/value/sensitive_test.cc.

#ifndef HCLVM_VM_VALUE_SENSITIVE_H_
#define HCLVM_VM_VALUE_SENSITIVE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// The marks of parts that are not shown. A part with one of them counts as sensitive below.
inline constexpr MarkSet kHiddenMarks = kSensitiveMark | kEphemeralMark;

// What stands in place of a sensitive part: a null of its type, or kSensitiveText, for people.
enum class SensitiveForm : uint8_t { kNull, kText };

inline constexpr std::string_view kSensitiveText = "(sensitive value)";

// `value`, in which each part under one of kHiddenMarks has given way to that form. Adds the places of these parts to
// *erased, as JSON pointers (RFC 6901) in the order of the value: "" is the whole value. Where their texts would take
// more than kMaxErasedBytes, the whole value counts as one sensitive part.
//
// Returns `value` itself where nothing in it is sensitive, which takes constant time where it has no marks. What is
// made lives in `heap`; the rest is shared. Time and memory: linear in the value. Recursion follows its depth.
Value HideSensitive(const Value& value ABSL_ATTRIBUTE_LIFETIME_BOUND, SensitiveForm form, Heap* heap,
                    std::vector<std::string>* erased);

inline constexpr size_t kMaxErasedBytes = 1 << 20;

// Appends a step of a JSON pointer: "/" and `name`, in which "~" is "~0" and "/" is "~1".
void AppendPointerStep(std::string_view name, std::string* pointer);

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_SENSITIVE_H_
