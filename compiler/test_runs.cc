// TestRuns. Tested by tests/test_runs_test.cc.

#include "hclvm/compiler/test_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/test_table.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

void TestRuns::NoteJump(const Constants& constants, bool when, uint32_t begin) {
  const uint32_t jump = builder_.here() - 1;
  const Instruction test = builder_.At(jump);
  parts_.push_back({test.a(), InfoOf(test.opcode()).a == OperandKind::kPath, when, begin, jump, constants});
}

// Of a run that is too short, which are few tests, the second one may still begin a longer one; of others, none is
// looked at again.
void TestRuns::MakeTables() {
  if (parts_.size() < kMinTests) return;
  for (size_t n = 0; n < parts_.size(); ++n) {
    if (const std::optional<Test> test = TestAt(n)) tests_.push_back(*test);
  }
  std::vector<Test*> run;
  for (Test& first : tests_) {
    if (first.is_used) continue;
    run.clear();
    const Part& subject = parts_[first.first];
    for (Test* test = &first; test != nullptr && !test->is_used && parts_[test->first].HasSubjectOf(subject);
         test = Find(test->next)) {
      run.push_back(test);
    }
    if (run.size() < kMinTests) continue;
    for (Test* test : run) test->is_used = true;
    for (absl::Span<Test* const> rest = absl::MakeConstSpan(run); rest.size() >= kMinTests;)
      rest.remove_prefix(Replace(rest));
  }
}

// The test whose first part that is. Its parts follow each other: some that go to what is behind the condition where
// they hold, and a last one that goes elsewhere where it does not.
std::optional<TestRuns::Test> TestRuns::TestAt(size_t part) const {
  const Part& first = parts_[part];
  const size_t end = std::min(parts_.size(), part + kMaxParts);
  for (size_t n = part; n < end; ++n) {
    const Part& at = parts_[n];
    if (!at.HasSubjectOf(first) || (n > part && at.begin != parts_[n - 1].jump + 1)) return std::nullopt;
    if (at.jumps_if_true) continue;
    const uint32_t body = at.jump + 1;
    for (size_t before = part; before < n; ++before) {
      if (builder_.TargetOf(parts_[before].jump) != body) return std::nullopt;
    }
    return Test{part, n + 1 - part, first.begin, body, builder_.TargetOf(at.jump)};
  }
  return std::nullopt;
}

// The test that begins there; null where there is none.
TestRuns::Test* TestRuns::Find(uint32_t begin) {
  const auto found = std::lower_bound(tests_.begin(), tests_.end(), begin,
                                      [](const Test& test, uint32_t wanted) { return test.begin < wanted; });
  return found == tests_.end() || found->begin != begin ? nullptr : &*found;
}

// Makes a table of the first tests, as far as operands reach, and prefixes of not too many lengths. Returns how many
// these are, at least one: there are no tables of few.
size_t TestRuns::Replace(absl::Span<Test* const> run) {
  const size_t room = builder_.RoomForTests();
  if (room < kMinTests) return run.size();
  TestTable table;
  std::vector<ProgramBuilder::TestCode> replaced;
  size_t texts = 0;
  while (replaced.size() < run.size() && replaced.size() < room) {
    const Test& test = *run[replaced.size()];
    if (!Add(test, &table, &texts)) break;
    const Part& first = parts_[test.first];
    replaced.push_back({first.subject, first.is_path, test.begin, test.body});
  }
  if (replaced.size() < kMinTests) return replaced.size() + 1;
  table.Finish(run[replaced.size() - 1]->next);
  builder_.ReplaceTests(std::move(table), replaced);
  return replaced.size();
}

// False where the prefixes have too many lengths, there are too many texts, or not all constants are strings.
bool TestRuns::Add(const Test& test, TestTable* table, size_t* texts) {
  std::vector<std::string_view> prefixes;
  size_t own = 0;
  for (const Part& part : PartsOf(test)) {
    if (!IsOfStrings(part)) return false;
    if (part.by.is_prefix) prefixes.push_back(part.by.one->AsString());
    own += part.by.one != nullptr ? 1 : builder_.lookup(part.by.lookup).members().size();
  }
  if (own > kMaxTexts / kMinTests || *texts + own > kMaxTexts || !table->TakesPrefixes(prefixes)) return false;
  *texts += own;
  table->BeginTest(test.body);
  for (const std::string_view prefix : prefixes) table->AddPrefix(prefix);
  for (const Part& part : PartsOf(test)) {
    if (part.by.is_prefix) continue;
    if (part.by.one != nullptr) {
      table->AddText(part.by.one->AsString());
    } else {
      for (const Value& member : builder_.lookup(part.by.lookup).members()) table->AddText(member.AsString());
    }
  }
  return true;
}

// Sets can be large, and are asked often.
bool TestRuns::IsOfStrings(const Part& part) {
  if (part.by.one != nullptr) return part.by.one->is_string();
  sets_.resize(std::max<size_t>(sets_.size(), part.by.lookup + size_t{1}));
  std::optional<bool>& known = sets_[part.by.lookup];
  if (!known) {
    const absl::Span<const Value> members = builder_.lookup(part.by.lookup).members();
    known = std::all_of(members.begin(), members.end(), [](const Value& member) { return member.is_string(); });
  }
  return *known;
}

}  // namespace hcl::internal
