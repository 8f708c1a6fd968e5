// Limits: every bound that hclvm puts on its input and on its work, with defaults.
//
// Crossing a limit is always a diagnostic that names the limit; it is never a crash, a hang or a silently wrong
// answer. The same numbers hold on every platform. Tests shrink them, so that each edge is cheap to reach.

#ifndef HCLVM_BASE_LIMITS_H_
#define HCLVM_BASE_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "hclvm/internal/cxx17.h"

namespace hcl {

// Plain data, freely copied. A zero is a legal (and very tight) limit, never "unlimited".
struct Limits {
  // Bytes of one source text. Offsets are 32-bit, so values over 4 GiB - 2 are treated as 4 GiB - 2.
  uint64_t max_source_bytes = 256u << 20;

  // Levels of nested syntax (brackets, blocks, their labels, templates, unary operators, conditionals), and of nested
  // values in JSON read from a host. Chains that lean to the left (`a + b + c`, `a.b.c`) are not nesting. Counted, not
  // probed: recursive passes need at most a few hundred bytes of stack for each level.
  uint32_t max_nesting_depth = 512;

  // Diagnostics kept for one parse, compilation or evaluation. One more is kept, saying that the rest was left out.
  uint32_t max_diagnostics = 100;

  // Units of work in one evaluation: one for each instruction, and one for each 64 bytes or 4 elements that an
  // instruction handles beyond its constant cost.
  uint64_t max_fuel = 100'000'000;

  // Bytes that one evaluation may allocate for its results and intermediate values, and bytes (16 for each value) that
  // any of them may have when written out as a tree.
  uint64_t max_result_bytes = 256u << 20;

  // Decimal digits that a number may need in its written form without an exponent (`1e5` has 6).
  uint32_t max_number_digits = 100'000;
};

}  // namespace hcl

#endif  // HCLVM_BASE_LIMITS_H_
