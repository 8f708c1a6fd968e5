// globmatch.

#include "hclvm/vm/functions/glob_functions.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/functions/glob_pattern.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using internal::DecodeUtf8;

TEST(GlobFunctionsTest, Matches) {
  const struct {
    const char* pattern;
    const char* text;
    bool want;
  } kRows[] = {
      {"", "", true},
      {"", "a", false},
      {"a.b", "a.b", true},
      {"a.b", "axb", false},  // a dot is a dot
      {"A", "a", false},
      {"*", "", true},
      {"**", "any text", true},
      {"*.example.com", "www.example.com", true},
      {"*.example.com", "example.com", false},
      {"*.example.com", "www.example.com.evil", false},
      {"/api/*", "/api/users/7", true},  // a slash is a character like others
      {"/api/*/edit", "/api/users/7/edit", true},
      {"a*a", "a", false},  // each character of the text once
      {"a*a", "aa", true},
      {"*ab*ab*", "abab", true},
      {"*ab*ab*", "aba", false},
      {"*a*b", "aab", true},
      {"*ab?d*", "abababcd", true},
      {"?", "", false},
      {"?", "é", true},
      {"??", "é", false},
      {"?*?", "a", false},
      {"*?", "世", true},
      {"[abc]x", "bx", true},
      {"[a-c0-9]", "5", true},
      {"[a-c0-9]", "d", false},
      {"[!a-c]", "d", true},
      {"[^a-c]", "b", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[a\\]b]", "]", true},
      {"[\\a-\\c]", "b", true},
      {"[à-ü]", "é", true},
      {"[*?]", "*", true},
      {"*[0-9]", "build-7", true},
      {"v[0-9]*[!0-9]", "v12a", true},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"\\a", "a", true},
      {"a\\\\b", "a\\b", true},
      {"]", "]", true},
      {"{a,b}", "{a,b}", true},  // no braces
  };
  for (const auto& row : kRows) {
    const Value arguments[] = {Value::StringView(row.pattern), Value::StringView(row.text)};
    Heap heap;
    FunctionCall call(*StandardFunctions()->Find("globmatch"), &heap);
    EXPECT_EQ(InvokeFunction(&call, arguments).is_true(), row.want) << row.pattern << " " << row.text;
    EXPECT_FALSE(call.failed()) << row.pattern;
  }
}

TEST(GlobFunctionsTest, Arguments) {
  CheckFunctionCases({
      {"globmatch", R"(["a*", "abc"])", R"("bool" true)"},
      {"globmatch", R"(["1?", 12])", R"("bool" true)"},
      {"globmatch", R"(["[", "a"])", "error in argument 0: the pattern ends within a set: [ has no ]"},
      {"globmatch", R"(["[]", "a"])", "error in argument 0: the pattern ends within a set: [ has no ]"},
      {"globmatch", R"(["[a-", "a"])", "error in argument 0: the pattern ends within a set: [ has no ]"},
      {"globmatch", R"(["[z-a]", "a"])",
       "error in argument 0: the pattern has a range whose ends are in the wrong order, as in [z-a]"},
      {"globmatch", R"(["b*[", "a"])", "error in argument 0: the pattern ends within a set: [ has no ]"},
      {"globmatch", R"(["a\\", "a"])", "error in argument 0: the pattern ends with a backslash"},
      {"globmatch", R"(["[\\", "a"])", "error in argument 0: the pattern ends with a backslash"},
  });
}

// The obvious matcher: of code points, and with a star that tries every end.
bool MatchesSlowly(const std::u32string& pattern, size_t p, const std::u32string& text, size_t t) {
  if (p == pattern.size()) return t == text.size();
  if (pattern[p] == U'*') {
    return MatchesSlowly(pattern, p + 1, text, t) || (t < text.size() && MatchesSlowly(pattern, p, text, t + 1));
  }
  if (t == text.size()) return false;
  if (pattern[p] == U'?') return MatchesSlowly(pattern, p + 1, text, t + 1);
  if (pattern[p] == U'[') {  // of the form [ab] or [!ab]
    const bool is_other = pattern[p + 1] == U'!';
    const size_t end = pattern.find(U']', p);
    const bool is_member = pattern.substr(p, end - p).find(text[t], is_other ? 2 : 1) != std::u32string::npos;
    return is_member != is_other && MatchesSlowly(pattern, end + 1, text, t + 1);
  }
  return pattern[p] == text[t] && MatchesSlowly(pattern, p + 1, text, t + 1);
}

std::u32string Decode(std::string_view text) {
  std::u32string points;
  for (size_t at = 0; at < text.size(); at += DecodeUtf8(text, at).bytes) points += DecodeUtf8(text, at).value;
  return points;
}

TEST(GlobFunctionsTest, AsTheSlowMatcher) {
  constexpr std::string_view kParts[] = {"a", "b", "é", "ab", "*", "?", "*", "[ab]", "[!a]", "[!é]"};
  constexpr std::string_view kTexts[] = {"a", "b", "é", "ab"};
  uint32_t random = 1;
  const auto draw = [&random](size_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % below;
  };
  Heap heap;
  size_t matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string pattern, text;
    // Half of them are texts with stars.
    const size_t parts = round % 2 == 0 ? std::size(kParts) : 5;
    for (size_t n = draw(6); n > 0; --n) pattern += kParts[draw(parts)];
    for (size_t n = draw(8); n > 0; --n) text += kTexts[draw(std::size(kTexts))];
    const bool want = MatchesSlowly(Decode(pattern), 0, Decode(text), 0);
    matches += want ? 1 : 0;
    const Value arguments[] = {Value::StringView(pattern), Value::StringView(text)};
    FunctionCall call(*StandardFunctions()->Find("globmatch"), &heap);
    ASSERT_EQ(InvokeFunction(&call, arguments).is_true(), want) << pattern << " " << text;
    ASSERT_FALSE(call.failed());
    // So does a pattern that is prepared for its calls.
    internal::GlobPattern parsed;
    ASSERT_EQ(parsed.Parse(pattern), nullptr) << pattern;
    ASSERT_EQ(parsed.Matches(&call, text), want) << pattern << " " << text;
  }
  EXPECT_GT(matches, 2000u);
}

// What takes long is paid for.
TEST(GlobFunctionsTest, Fuel) {
  const std::string text(100000, 'a');
  const auto fuel_of = [&](const std::string& pattern) {
    Heap heap;
    Fuel fuel(100'000'000);
    const Value arguments[] = {Value::String(pattern, heap.arena()), Value::String(text, heap.arena())};
    FunctionCall call(*StandardFunctions()->Find("globmatch"), &heap, &fuel);
    EXPECT_FALSE(InvokeFunction(&call, arguments).is_true());
    EXPECT_FALSE(call.failed());
    return 100'000'000 - fuel.left();
  };
  EXPECT_LT(fuel_of("*" + std::string(1000, 'a') + "b*"), 10'000u);
  EXPECT_GT(fuel_of("*" + std::string(1000, '?') + "b*"), 20'000'000u);
  EXPECT_GT(fuel_of("*a" + std::string(1000, '?') + "b*"), 20'000'000u);
}

}  // namespace
}  // namespace hcl
