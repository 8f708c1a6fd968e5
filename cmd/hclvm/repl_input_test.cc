#include "hclvm/cmd/hclvm/repl_input.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

using State = ReplInput::State;

// How many of the lines make the first input; 0 where more are needed.
size_t LinesOf(const std::vector<std::string_view>& lines) {
  ReplInput input;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (input.Add(lines[i]) == State::kComplete) return i + 1;
  }
  return 0;
}

TEST(ReplInput, EndsWhereNothingIsOpen) {
  struct Case {
    std::vector<std::string_view> lines;
    size_t count;
  };
  const Case kCases[] = {
      {{"1 + 2"}, 1},
      {{""}, 1},
      {{"[1,", "", "2]", "3"}, 3},
      {{"{", "a = [", "1", "]", "}"}, 5},
      {{"f(", "1)"}, 2},
      {{"f("}, 0},
      {{"<<E", "a", "(", "", "E"}, 5},
      {{"<<E", "${x"}, 0},
      {{"[<<E", "a", "E", "]"}, 4},
      {{"[", "<<-E", "a E", "\tE", ",", "<<F", "E", "F", "]", "1"}, 9},
      {{"{", "a = \"${[", "1][0]}\"", "b = [", "]", "}"}, 6},
      {{"(", "/* )", "*/ 1 /*", "*/ )"}, 4},
      {{"[", "(", "]"}, 3},
      {{"\"${[", "1][0]}\""}, 2},
      {{"/* a", "b */ 1"}, 2},
      {{"# ("}, 1},
      {{"\"(\""}, 1},
      {{":let a = [", "1]"}, 2},
      {{":help"}, 1},
      {{":let a = \"b\""}, 1},
      // No further line mends these.
      {{"\"abc"}, 1},
      {{"(]"}, 1},
      {{")"}, 1},
      {{"a = = ["}, 0},
      {{"\xff("}, 1},
  };
  for (const Case& c : kCases) EXPECT_EQ(LinesOf(c.lines), c.count) << c.lines[0];
}

// Each line is read a few times at most: these would take hours otherwise.
TEST(ReplInput, ReadsNoLineAgainAndAgain) {
  struct Case {
    std::string_view first, line, last;
  };
  const Case kCases[] = {
      {"[", "[],", "]"},      {"{", "a = {}", "}"}, {"f(", "\"${1}\",", ")"}, {"<<E", "x", "E"},
      {"[<<E", " E1", "  E"}, {"/*", "(", "*/ 1"},  {"[", "# ]", "]"},        {"\"${[", "1,", "1][0]}\""},
  };
  for (const Case& c : kCases) {
    std::vector<std::string_view> lines(100'000, c.line);
    lines.front() = c.first;
    lines.back() = c.last;
    if (c.first == "[<<E") lines.push_back("]");
    EXPECT_EQ(LinesOf(lines), lines.size()) << c.first << " " << c.line;
  }
}

TEST(ReplInput, GivesUpWhatIsReadTooOften) {
  ReplInput input;
  EXPECT_EQ(input.Add("\"${["), State::kOpen);
  State state = State::kOpen;
  for (int n = 0; n < 100'000 && state == State::kOpen; ++n) state = input.Add("[[]],");
  EXPECT_EQ(state, State::kTooLong);
  EXPECT_TRUE(input.empty());
}

TEST(ReplInput, IsBounded) {
  ReplInput input;
  EXPECT_EQ(input.Add("["), State::kOpen);
  const std::string half(kMaxReplInput / 2, '1');
  EXPECT_EQ(input.Add(half), State::kOpen);
  EXPECT_EQ(input.Add(half), State::kTooLong);
  EXPECT_TRUE(input.empty());
  EXPECT_EQ(input.Add("1"), State::kComplete);
  EXPECT_EQ(input.text(), "1");
}

}  // namespace
}  // namespace hcl::cmd
