// ProgressLine: how far a run has come, on a terminal.
//
// Tested by cmd/hclvm/progress_line_test.cc.

#ifndef HCLVM_CMD_HCLVM_PROGRESS_LINE_H_
#define HCLVM_CMD_HCLVM_PROGRESS_LINE_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "hclvm/ndjson.h"

namespace hcl::cmd {

// "1,234,567 lines, 812,345 a second, 3 errors, 41 s left": what is left is said where `total_bytes` of the input are
// known (not 0) and half a second has passed.
std::string ProgressText(const NdjsonProgress& progress, double seconds, uint64_t total_bytes);

// The bytes that reading `input` will give, as far as that is known: of a regular file that gzip has not compressed,
// from where it stands. Otherwise 0.
uint64_t BytesToRead(std::FILE* input);

// One line on a terminal, which is written again and again in its place, four times a second at most. Not thread-safe.
class ProgressLine {
 public:
  // `terminal` must outlive it.
  ProgressLine(std::FILE* terminal, uint64_t total_bytes);

  void Show(const NdjsonProgress& progress);
  // Takes the line away, before something else is written there. It comes again with the next Show().
  void Hide();

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* terminal_;
  uint64_t total_bytes_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  bool is_visible_ = false;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_PROGRESS_LINE_H_
