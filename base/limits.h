// Limits: every bound that hclvm puts on its input and on its work, with defaults.
//
// Crossing a limit is always a diagnostic that names the limit; it is never a crash, a hang or a silently wrong
// answer. The same numbers hold on every platform. Tests shrink them, so that each edge is cheap to reach.

#ifndef HCLVM_BASE_LIMITS_H_
#define HCLVM_BASE_LIMITS_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hclvm/internal/cxx17.h"

namespace hcl {

// How a host stops work that is under way: reading, parsing, compiling, evaluating and writing look at it about once a
// millisecond, and end with a limit diagnostic; what docs/limits.md names is finished before. Plain data, freely
// copied.
struct Interrupt {
  // Set to true from any thread to stop the work. Must outlive the work; null: the host never does.
  const std::atomic<bool>* cancel = nullptr;
  // Work that goes on at this time stops.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Is asked with `context` wherever the work looks, in whatever thread that is: true stops the work. For hosts that
  // have to look at something themselves, such as the signals of an interpreter. Must be quick, as short evaluations
  // ask once each. Null: nobody is asked.
  bool (*ask)(void* context) = nullptr;
  void* context = nullptr;

  // There is something to look at.
  bool is_set() const {
    return cancel != nullptr || ask != nullptr || deadline != std::chrono::steady_clock::time_point::max();
  }
  // The work has to stop.
  bool Reached() const {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return true;
    if (ask != nullptr && ask(context)) return true;
    return deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= deadline;
  }
};

// Bytes of a diagnostic's summary or detail; longer ones are cut.
inline constexpr size_t kMaxMessageBytes = 4096;
// Bytes of the input that messages of reading and evaluating quote at one place: a name, a key, a value.
inline constexpr size_t kMaxQuotedBytes = 256;

// Bytes that one constant of a program may have when the compiler computes it beforehand (`"${1 + 1}"`, `upper("x")`);
// larger ones are computed by each evaluation.
inline constexpr uint64_t kMaxConstantBytes = 64 << 10;
// What such constants of one program may have in sum: kMaxConstantBytes and so many for each byte of its source.
inline constexpr uint64_t kConstantBytesForSourceByte = 16;

// Plain data, freely copied. A zero is a legal (and very tight) limit, never "unlimited".
struct Limits {
  // What 32-bit offsets reach.
  static constexpr uint64_t kMostSourceBytes = UINT32_MAX - 1;

  // Bytes of one source text. Values over kMostSourceBytes, 4 GiB - 2, are treated as that.
  uint64_t max_source_bytes = 256u << 20;

  // Levels of nested syntax (brackets, blocks, their labels, templates, unary operators, conditionals, operations on
  // the right side of an operator), and of nested values in JSON read from a host. Chains that lean to the left
  // (`a + b + c`, `a.b.c`) are not nesting. Counted, not probed: with the default, all passes fit a stack of 512 KiB in
  // an optimized build, and with 100 levels one of 128 KiB, which is what musl gives a thread.
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

  // Units of work that a compilation may spend on evaluating constant calls and preparing constant arguments
  // beforehand. What it cannot afford is left to each evaluation: no program fails for it.
  uint64_t max_compile_fuel = 10'000'000;

  // Bytes that the constant arguments of one program's calls may hold prepared (compiled regular expressions). What
  // does not fit is prepared in each call.
  uint64_t max_prepared_bytes = 32u << 20;

  // Bytes of text that one value may have when it is written as JSON, and a config in the canonical layout.
  uint64_t max_output_bytes = 256u << 20;

  // When the work has to stop before its end.
  Interrupt interrupt;
};

}  // namespace hcl

#endif  // HCLVM_BASE_LIMITS_H_
