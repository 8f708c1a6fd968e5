// Normalization Form C: decomposed, put in order, composed. utf8proc knows the characters and composes; it also has all
// three steps in one function, but orders a run of marks by exchanging neighbors, which takes the square of the run's
// length: "e" with 40,000 marks would take seconds. So the order is made here.
//
// Unicode promises that characters keep their form in all later versions. So a later utf8proc differs only for those
// that this language's version has not assigned: these are starters that stay as they are and that nothing joins.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/code_point_set.h"
#include "hclvm/base/unicode.h"
#include "hclvm/base/unicode_tables.h"
#include "hclvm/internal/dcheck.h"
#include "utf8proc.h"

#if UTF8PROC_VERSION_MAJOR < 2 || (UTF8PROC_VERSION_MAJOR == 2 && UTF8PROC_VERSION_MINOR < 8)
#error "utf8proc 2.8 or later is required: earlier ones do not know all characters of Unicode 15.0."
#endif

namespace hcl::internal {
namespace {

constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);

// No character below it is a mark or is composed of one (the first with a combining class is U+0300).
constexpr char32_t kFirstMark = 0x300;
constexpr char32_t kFirstDecomposed = 0xC0;

// Code points of the longest canonical decomposition of one character. Unicode promises that it is 4 at most.
constexpr size_t kLongestDecomposition = 4;

// Canonical combining classes, of which 0 is that of characters that are no marks.
constexpr size_t kClasses = 256;

// Up to so many marks are put in order one by one; counting classes takes kClasses steps, however few marks there are.
constexpr size_t kShortRun = 32;

// Short texts, such as keys, take no memory beside what they become.
using CodePoints = absl::InlinedVector<utf8proc_int32_t, 64>;

// Whether utf8proc is not asked for the code point. Most are known at a glance.
bool StaysAsItIs(utf8proc_int32_t code_point) {
  const auto value = static_cast<char32_t>(code_point);
  return value >= kFirstMark && !kNfcSafe.Has(value) && !IsAssigned(value);
}

uint8_t ClassOf(utf8proc_int32_t code_point) {
  if (code_point < static_cast<utf8proc_int32_t>(kFirstMark) || StaysAsItIs(code_point)) return 0;
  return static_cast<uint8_t>(utf8proc_get_property(code_point)->combining_class);
}

// Malformed bytes come out as U+FFFD.
CodePoints Decompose(std::string_view text) {
  CodePoints decomposed;
  decomposed.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = DecodeUtf8(text, at);
    at += code_point.bytes;
    const auto value = static_cast<utf8proc_int32_t>(code_point.value);
    if (code_point.value < kFirstDecomposed || StaysAsItIs(value)) {
      decomposed.push_back(value);
      continue;
    }
    utf8proc_int32_t parts[kLongestDecomposition];
    int unused_boundary = 0;
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(value, parts, kLongestDecomposition, kOptions, &unused_boundary);
    HCL_DCHECK(count > 0 && count <= static_cast<utf8proc_ssize_t>(kLongestDecomposition));
    decomposed.insert(decomposed.end(), parts, parts + count);
  }
  return decomposed;
}

// Both ways are stable, as the standard asks (D109): marks of one class keep their order, which is what people see.
void OrderShortRun(utf8proc_int32_t* marks, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    const utf8proc_int32_t mark = marks[i];
    const uint8_t its_class = ClassOf(mark);
    size_t to = i;
    for (; to > 0 && ClassOf(marks[to - 1]) > its_class; --to) marks[to] = marks[to - 1];
    marks[to] = mark;
  }
}

// A counting sort: each mark is looked at twice and moved twice, however long the run is.
void OrderLongRun(utf8proc_int32_t* marks, size_t count, std::vector<utf8proc_int32_t>* buffer) {
  std::array<size_t, kClasses> next = {};  // where the next mark of a class goes
  for (size_t i = 0; i < count; ++i) ++next[ClassOf(marks[i])];
  size_t begin = 0;
  for (size_t& of_class : next) begin += std::exchange(of_class, begin);
  buffer->resize(std::max(buffer->size(), count));
  for (size_t i = 0; i < count; ++i) (*buffer)[next[ClassOf(marks[i])]++] = marks[i];
  std::copy_n(buffer->begin(), count, marks);
}

// UAX #15, "Canonical Ordering Algorithm": a run of marks is put in the order of their classes.
void OrderMarks(CodePoints* text) {
  std::vector<utf8proc_int32_t> buffer;
  for (size_t at = 0; at < text->size();) {
    const size_t begin = at;
    bool ordered = true;
    for (uint8_t last = 0; at < text->size(); ++at) {
      const uint8_t its_class = ClassOf((*text)[at]);
      if (its_class == 0) break;
      ordered = ordered && last <= its_class;
      last = its_class;
    }
    const size_t count = at - begin;
    if (at < text->size()) ++at;  // which is no mark
    if (ordered) continue;
    if (count <= kShortRun) {
      OrderShortRun(text->data() + begin, count);
    } else {
      OrderLongRun(text->data() + begin, count, &buffer);
    }
  }
}

// Composes each stretch between code points that stay as they are. Writes behind where it reads, and returns the number
// of code points that are left.
size_t Compose(CodePoints* code_points) {
  utf8proc_int32_t* const data = code_points->data();
  size_t count = 0;
  for (size_t at = 0; at < code_points->size();) {
    size_t end = at;
    while (end < code_points->size() && !StaysAsItIs(data[end])) ++end;
    const utf8proc_ssize_t made =
        utf8proc_normalize_utf32(data + at, static_cast<utf8proc_ssize_t>(end - at), kOptions);
    if (made < 0) std::abort();  // these options have no errors
    std::copy_n(data + at, made, data + count);
    count += static_cast<size_t>(made);
    for (at = end; at < code_points->size() && StaysAsItIs(data[at]); ++at) data[count++] = data[at];
  }
  return count;
}

}  // namespace

// The quick check spares almost every text the rest. What is not in it is malformed or may need a change; a text that
// needs none comes out as it was.
std::string ToNfc(std::string_view text) {
  if (IsKnownNfc(text)) return std::string(text);
  CodePoints code_points = Decompose(text);
  OrderMarks(&code_points);
  const size_t count = Compose(&code_points);
  std::string normalized;
  normalized.reserve(text.size());
  for (size_t i = 0; i < count; ++i) AppendUtf8(static_cast<char32_t>(code_points[i]), &normalized);
  return normalized;
}

}  // namespace hcl::internal
