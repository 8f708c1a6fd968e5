// Numbers by a printf-like specification, at full precision.
//
// Tested by vm/functions/format_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_FORMAT_NUMBER_H_
#define HCLVM_VM_FUNCTIONS_FORMAT_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {

// What stands between `%` and the verb's end.
struct FormatSpec {
  char verb = 'v';
  bool zero = false;   // pad with zeros
  bool sharp = false;  // "0x" and the like; JSON for `v`
  bool plus = false;   // a sign also for positive numbers
  bool minus = false;  // pad on the right
  bool space = false;  // a blank where the plus would stand
  std::optional<int64_t> width;
  std::optional<int64_t> precision;

  // Whether it says nothing but the verb.
  bool plain() const { return !(zero || sharp || plus || minus || space || width || precision); }
};

// Widths and precisions are cut to this, so that sums of them do not overflow; what they ask for is bounded elsewhere.
inline constexpr int64_t kMaxFormatWidth = 1'000'000'000;

// Appends a number by the verbs e, E, f, g and G. Rounds half to even.
void AppendDecimal(const Number& number, const FormatSpec& spec, std::string* out);

// Appends a whole number by the verbs b, d, o, x and X. Scratch values are made in `arena`.
void AppendInteger(const Number& number, const FormatSpec& spec, Arena* arena, std::string* out);

// Appends a number as the verb v does: all its digits, with an exponent when it is large or small.
void AppendShortest(const Number& number, std::string* out);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_FORMAT_NUMBER_H_
