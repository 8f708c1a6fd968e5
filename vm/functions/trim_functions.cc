// Functions that cut a string's ends. Their results share the argument's memory.
// Tested by vm/functions/trim_functions_test.cc.

#include "hclvm/vm/functions/trim_functions.h"

#include <algorithm>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Offset of the code point before `end`.
size_t PreviousCodePoint(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

// As DecodeUtf8(), which ASCII need not be asked for.
CodePoint PointAt(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte < 0x80 ? CodePoint{byte, 1} : DecodeUtf8(text, at);
}

// `value` without the code points at both ends for which `cuts` is true. `cost`: of asking it, in units. What is cut
// off is paid for as it goes.
template <typename Predicate>
Value TrimWhere(FunctionCall* call, const Value& value, uint64_t cost, const Predicate& cuts) {
  const std::string_view text = value.AsString();
  size_t begin = 0;
  while (begin < text.size()) {
    const CodePoint point = PointAt(text, begin);
    if (!call->Charge(cost)) return Value();
    if (!cuts(point.value)) break;
    begin += point.bytes;
  }
  size_t end = text.size();
  while (end > begin) {
    const size_t previous = PreviousCodePoint(text, end);
    if (!call->Charge(cost)) return Value();
    if (!cuts(PointAt(text, previous).value)) break;
    end = previous;
  }
  return end - begin == text.size() ? value : Value::StringView(text.substr(begin, end - begin));
}

Value TrimSpace(FunctionCall* call, absl::Span<const Value> arguments) {
  return TrimWhere(call, arguments[0], 1, IsSpace);
}

// Of asking whether a character is one of `count`.
uint64_t CostOfTest(size_t count) { return count > 16 ? 2 : 1; }

constexpr size_t kFewBytes = 64;

// The ends are cut by code points, as the reference does, and not by grapheme clusters. The cutset is sorted, so that a
// long one costs a binary search for each character and not a walk.
Value Trim(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view cutset = arguments[1].AsString();
  if (!CanMake(call, cutset.size(), sizeof(char32_t))) return Value();
  if (!call->Charge(CostOfSorting(cutset.size(), 0))) return Value();
  // The usual cutset is a few characters of ASCII: a bit for each.
  if (cutset.size() <= kFewBytes && IsAscii(cutset)) {
    uint64_t bits[2] = {};
    for (const char c : cutset) bits[c >> 6] |= uint64_t{1} << (c & 63);
    const auto count =
        static_cast<size_t>(__builtin_popcountll(bits[0])) + static_cast<size_t>(__builtin_popcountll(bits[1]));
    return TrimWhere(call, arguments[0], CostOfTest(count),
                     [&bits](char32_t c) { return c < 0x80 && (bits[c >> 6] >> (c & 63) & 1) != 0; });
  }
  // Repeated characters are dropped as they come, so that no more than there are in Unicode are ever sorted.
  absl::InlinedVector<char32_t, 16> points;
  const auto drop_repeated = [&points] {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
  };
  constexpr size_t kPart = 1 << 14;
  size_t full = kPart;
  for (size_t at = 0; at < cutset.size();) {
    const CodePoint point = DecodeUtf8(cutset, at);
    points.push_back(point.value);
    at += point.bytes;
    if (points.size() < full) continue;
    if (!call->Look()) return Value();
    drop_repeated();
    full = 2 * points.size() + kPart;
  }
  drop_repeated();
  return TrimWhere(call, arguments[0], CostOfTest(points.size()),
                   [&](char32_t c) { return std::binary_search(points.begin(), points.end(), c); });
}

Value TrimPrefix(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::string_view prefix = arguments[1].AsString();
  if (!call->Charge(CostOfBytes(prefix.size()))) return Value();
  if (prefix.empty() || text.substr(0, prefix.size()) != prefix) return arguments[0];
  return Value::StringView(text.substr(prefix.size()));
}

Value TrimSuffix(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const std::string_view suffix = arguments[1].AsString();
  if (!call->Charge(CostOfBytes(suffix.size()))) return Value();
  if (suffix.empty() || text.size() < suffix.size()) return arguments[0];
  const size_t rest = text.size() - suffix.size();
  return text.substr(rest) == suffix ? Value::StringView(text.substr(0, rest)) : arguments[0];
}

Value Chomp(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  const size_t last = text.find_last_not_of("\r\n");
  const size_t size = last == std::string_view::npos ? 0 : last + 1;
  if (!call->Charge((text.size() - size) / 8)) return Value();
  return size == text.size() ? arguments[0] : Value::StringView(text.substr(0, size));
}

}  // namespace

void RegisterTrimFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  builder->Add(Quick(Charging(Total(Define("trimspace", {Param("str", string)}, string, TrimSpace)))));
  builder->Add(Charging(Total(Define("trim", {Param("str", string), Param("cutset", string)}, string, Trim))));
  builder->Add(Quick(
      Charging(Total(Define("trimprefix", {Param("str", string), Param("prefix", string)}, string, TrimPrefix)))));
  builder->Add(Quick(
      Charging(Total(Define("trimsuffix", {Param("str", string), Param("suffix", string)}, string, TrimSuffix)))));
  builder->Add(Charging(Total(Define("chomp", {Param("str", string)}, string, Chomp))));
}

}  // namespace hcl::internal
