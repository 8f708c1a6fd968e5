#include "hclvm/cmd/hclvm/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr size_t kContext = 3;  // equal lines around changed ones

// With their line ends.
std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline == std::string_view::npos ? newline : newline + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

void AppendLine(char mark, std::string_view line, std::string* out) {
  absl::StrAppend(out, std::string(1, mark), ToAbsl(line));
  if (line.back() != '\n') absl::StrAppend(out, "\n\\ No newline at end of file\n");
}

// Lines count from 1. Where there are none, the number is that of the line before.
std::string Range(size_t begin, size_t end) { return absl::StrCat(end > begin ? begin + 1 : begin, ",", end - begin); }

}  // namespace

std::string LineDiff(std::string_view name, std::string_view before, std::string_view after) {
  std::string out;
  const std::vector<std::string_view> old_lines = Lines(before);
  const std::vector<std::string_view> new_lines = Lines(after);
  const size_t count = std::max(old_lines.size(), new_lines.size());
  const auto differs = [&](size_t n) {
    return n >= old_lines.size() || n >= new_lines.size() || old_lines[n] != new_lines[n];
  };
  for (size_t at = 0; at < count;) {
    if (!differs(at)) {
      ++at;
      continue;
    }
    // A hunk ends where more equal lines follow than two hunks would show around them.
    const size_t begin = at - std::min(at, kContext);
    size_t last = at;
    for (; at < count && at <= last + 2 * kContext + 1; ++at) {
      if (differs(at)) last = at;
    }
    const size_t end = std::min(count, last + kContext + 1);
    at = end;
    if (out.empty()) absl::StrAppend(&out, "--- ", ToAbsl(name), "\n+++ ", ToAbsl(name), "\n");
    absl::StrAppend(&out, "@@ -", Range(begin, std::min(end, old_lines.size())), " +",
                    Range(begin, std::min(end, new_lines.size())), " @@\n");
    for (size_t n = begin; n < end;) {
      if (!differs(n)) {
        AppendLine(' ', old_lines[n++], &out);
        continue;
      }
      size_t run = n;
      while (run < end && differs(run)) ++run;
      for (size_t k = n; k < std::min(run, old_lines.size()); ++k) AppendLine('-', old_lines[k], &out);
      for (size_t k = n; k < std::min(run, new_lines.size()); ++k) AppendLine('+', new_lines[k], &out);
      n = run;
    }
  }
  return out;
}

}  // namespace hcl::cmd
