// RegexPattern. Tested by vm/functions/regex_functions_test.cc.

#include "hclvm/vm/functions/regex_pattern.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace hcl::internal {
namespace {

// RE2::Options::max_mem bounds both programs, forward and backward, and the states of their automata. 1 MiB is enough
// for a program of 40,000 instructions, in which case no room is left for an automaton and RE2 searches step by step; a
// pattern of one line has some dozens. RE2's own default, 8 MiB, admits patterns that take seconds to compile.
constexpr uint64_t kMaxMemory = 1 << 20;
// Small patterns get by with less, and programs keep many of them.
constexpr uint64_t kMinMemory = 64 << 10;
constexpr uint64_t kMemoryOfCharacter = 8 << 10;
// From here on a pattern gets all, since its automaton may have many states.
constexpr uint64_t kManyCharacters = 30;

// Programs up to this length have room for the few hundred states of a calm pattern.
constexpr int kMaxCalmProgram = 300;

// Units of fuel for compiling any pattern, and for each byte of its text.
constexpr uint64_t kCostOfCompiling = 500;
constexpr uint64_t kCostOfByte = 6;
// For each instruction of the program, which RE2 makes twice: forward, and backward at the first search. A transition
// of a RegexAutomaton costs one.
constexpr uint64_t kCostOfInstruction = 20;
// Finding out that a pattern is too large takes as long as compiling the largest one.
constexpr uint64_t kCostOfTooLarge = 200'000;

// RE2 looks at all instructions that can be reached without reading, once for each of them: quadratic in the length of
// a sequence of parts that may be left out.
uint64_t CostOfChoices(uint64_t size) { return size * size / 16; }

}  // namespace

bool RegexPattern::Pay(FunctionCall* call, uint64_t units) {
  cost_ += units;
  return call->Charge(units);
}

// RE2 runs in time linear in the text whatever the pattern, which a backtracking engine would not on hostile input. Its
// errors are not logged: they are the user's. `\C` matches a byte, so that a match could be a part of a character,
// while strings are whole ones.
bool RegexPattern::Compile(FunctionCall* call, std::string_view text) {
  if (!Pay(call, kCostOfCompiling + kCostOfByte * text.size())) return false;
  traits_ = ReadRegexTraits(text);
  text_bytes_ = text.size();
  if (traits_.has_any_byte) {
    error_ = "\\C, which matches a single byte, is not supported";
    return false;
  }
  if (traits_.groups > kMaxRegexGroups) {
    error_ = absl::StrCat("there are ", traits_.groups, " groups, and at most ", kMaxRegexGroups, " are allowed");
    return false;
  }
  const uint64_t size = std::min(traits_.size, kMaxMemory / 16);
  if (traits_.has_choice && !Pay(call, CostOfChoices(size))) return false;
  re2::RE2::Options options(re2::RE2::Quiet);
  uint64_t memory = std::clamp(size * kMemoryOfCharacter, kMinMemory, kMaxMemory);
  if (size > kManyCharacters) memory = kMaxMemory;
  for (;; memory = kMaxMemory) {
    options.set_max_mem(static_cast<int64_t>(memory));
    re2_.emplace(ToRe2(text), options);
    if (re2_->error_code() != re2::RE2::ErrorPatternTooLarge || memory == kMaxMemory) break;
  }
  if (!re2_->ok()) {
    error_ = absl::StrCat("the pattern is invalid: ", re2_->error());
    if (re2_->error_code() == re2::RE2::ErrorPatternTooLarge) Pay(call, kCostOfTooLarge);
    return false;
  }
  program_size_ = re2_->ProgramSize();
  is_calm_ = traits_.is_calm && program_size_ <= kMaxCalmProgram;
  const size_t named = re2_->CapturingGroupNames().size();
  mixes_groups_ = named != 0 && named != group_count();
  uint64_t transitions;
  automaton_ = RegexAutomaton::Make(text, &transitions);
  is_ok_ = Pay(call, kCostOfInstruction * program_size() + transitions);
  return is_ok_;
}

// At each byte some instructions of a class wait, and no more than a few for each character and group.
uint64_t RegexPattern::waiting() const { return std::min(program_size(), 4 * traits_.size + 4); }

constexpr size_t kTreeBytesForByte = 32;

size_t RegexPattern::HeldBytes() const {
  constexpr size_t kObjects = 1024;  // of RE2, but for what has a size of its own
  constexpr size_t kInstructionBytes = 16;
  return sizeof(*this) + kObjects + program_size() * kInstructionBytes + text_bytes_ * kTreeBytesForByte +
         (automaton_ ? automaton_->HeldBytes() : 0);
}

size_t RegexPattern::MemoryBytes() const {
  return sizeof(*this) + static_cast<size_t>(re2_->options().max_mem()) + text_bytes_ * kTreeBytesForByte +
         (automaton_ ? automaton_->HeldBytes() : 0);
}

// A calm pattern's automaton is there after a few hundred bytes, and then RE2 reads a byte in a nanosecond or two, once
// forward and once back from the match's end. Any other may make a new state at each byte, from all instructions that
// wait there, and starts over without the automaton when its memory is full: then it costs what its program has.
uint64_t RegexPattern::SearchCost(uint64_t bytes) const {
  constexpr uint64_t kSetUp = 8;
  constexpr uint64_t kCalmBytesForUnit = 16;
  if (is_calm_) return kSetUp + bytes / kCalmBytesForUnit;
  return kSetUp + bytes + bytes * waiting() / 4;
}

// Where a match's groups are asked for, RE2 goes through it once more: with one thread, with a bit for each instruction
// and byte, or with the groups' bounds for each instruction that waits. Which one depends on lengths and on what the
// program looks like, which RE2 does not tell, so that the last one counts. When the search has started over without
// the automaton, it did all of it so.
uint64_t RegexPattern::GroupsCost(uint64_t bytes, uint64_t read, uint64_t groups) const {
  constexpr uint64_t kSetUp = 16;
  if (!is_calm_) bytes = read;
  return kSetUp + program_size() / 4 + (bytes + 1) * waiting() * (8 + groups) / 64;
}

uint64_t RegexPattern::GroupsBytes(uint64_t groups) const {
  constexpr uint64_t kThreadsForInstruction = 2;
  return program_size() * kThreadsForInstruction * (groups + 2) * 2 * sizeof(void*);
}

}  // namespace hcl::internal
