// ProgressLine. Tested by cmd/hclvm/progress_line_test.cc.

#include "hclvm/cmd/hclvm/progress_line.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace hcl::cmd {
namespace {

// With commas: 1,234,567.
std::string Grouped(uint64_t number) {
  std::string digits = absl::StrCat(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string Duration(double seconds) {
  constexpr uint64_t kMinute = 60;
  constexpr uint64_t kHour = 60 * kMinute;
  const auto whole = static_cast<uint64_t>(std::lround(seconds));
  if (whole < 2 * kMinute) return absl::StrCat(whole, " s");
  return whole < 2 * kHour ? absl::StrCat(whole / kMinute, " min") : absl::StrCat(whole / kHour, " h");
}

}  // namespace

std::string ProgressText(const NdjsonProgress& progress, double seconds, uint64_t total_bytes) {
  constexpr double kEarly = 0.5;
  std::string text = absl::StrCat(Grouped(progress.lines), progress.lines == 1 ? " line" : " lines");
  if (seconds > 0) {
    absl::StrAppend(&text, ", ", Grouped(static_cast<uint64_t>(static_cast<double>(progress.lines) / seconds)),
                    " a second");
  }
  absl::StrAppend(&text, ", ", Grouped(progress.errors), progress.errors == 1 ? " error" : " errors");
  if (progress.bytes > 0 && progress.bytes <= total_bytes && seconds >= kEarly) {
    const auto left = static_cast<double>(total_bytes - progress.bytes);
    absl::StrAppend(&text, ", ", Duration(seconds * left / static_cast<double>(progress.bytes)), " left");
  }
  return text;
}

uint64_t BytesToRead(std::FILE* input) {
  struct stat status = {};
  if (fstat(fileno(input), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  const off_t at = lseek(fileno(input), 0, SEEK_CUR);
  unsigned char head[2] = {};
  constexpr unsigned char kGzip[] = {0x1f, 0x8b};
  if (at >= 0 && pread(fileno(input), head, sizeof(head), at) == sizeof(head) &&
      std::equal(std::begin(head), std::end(head), std::begin(kGzip))) {
    return 0;
  }
  return at >= 0 && status.st_size > at ? static_cast<uint64_t>(status.st_size - at) : 0;
}

ProgressLine::ProgressLine(std::FILE* terminal, uint64_t total_bytes)
    : terminal_(terminal), total_bytes_(total_bytes) {}

// The sequence behind the carriage return erases to the end of the line.
void ProgressLine::Show(const NdjsonProgress& progress) {
  constexpr std::chrono::milliseconds kPause(250);
  const Clock::time_point now = Clock::now();
  if (now - shown_ < kPause) return;
  shown_ = now;
  is_visible_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string text = ProgressText(progress, seconds, total_bytes_);
  std::fprintf(terminal_, "\r\033[K%s", text.c_str());
  std::fflush(terminal_);
}

void ProgressLine::Hide() {
  if (!is_visible_) return;
  is_visible_ = false;
  std::fputs("\r\033[K", terminal_);
  std::fflush(terminal_);
}

}  // namespace hcl::cmd
