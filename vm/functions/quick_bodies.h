// What the functions that policies call most give for short arguments, without the protocol of a call.
//
// Each is a Function::quick. Texts are short where a value holds them (kMaxInlineString bytes), and all ASCII, of which
// every character is a code point and, but for line breaks, a grapheme cluster of its own.
//
// Tested by vm/functions/quick_bodies_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_QUICK_BODIES_H_
#define HCLVM_VM_FUNCTIONS_QUICK_BODIES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The quick body of a function of the standard library, or null where it has none. Its arguments are the function's
// parameters, all of them, or two where it is variadic.
QuickBody QuickBodyOf(std::string_view function);

// Whether a call with such arguments fails for certain although the function's parameters take them, as a glance tells.
using FailureTest = bool (*)(const Value* arguments);
// The test for the function with that quick body, which may be null or a host's; null: there is none.
FailureTest FailureTestOf(QuickBody quick);

// The text of a whole number of up to 13 digits, as a conversion makes it; false for all other values.
bool WriteShortNumber(const Value& number, Value* text);

// Whether it is a string of one to seven digits; then *number is what they stand for.
bool ReadShortDigits(const Value& text, int64_t* number);

// So many digits, at most, does a value hold without a look at Limits::max_number_digits, if that is not less.
inline constexpr size_t kMaxInlineDigits = 15;

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_QUICK_BODIES_H_
