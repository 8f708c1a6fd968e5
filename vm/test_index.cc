// IndexTests. Tested by tests/test_index_test.cc.
//
// The code of a table of rules, or of a chain of conditionals, tests rule after rule: where a test does not hold, it
// jumps to the next one. As nothing is between the jump and the next test, whoever comes to one of them does what a
// look into a table of all that follow says, whatever the code was made of. So this is done to the code, and not where
// it is made: one place for all expressions. An instruction is replaced by one of its size, and nothing moves. A test
// that is several instructions is replaced as a whole by way of its first one.

#include "hclvm/vm/test_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/vm/code_tests.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// As many tests take about as long as a look.
constexpr size_t kMinTests = 8;

// How many parts of tests a chunk has of each subject, up to kMinTests. Subjects that are counted together only make a
// look at the tests themselves likelier.
class PartCounts {
 public:
  PartCounts(absl::Span<const Instruction> code, const Chunk& chunk) {
    for (const Instruction& i : code.subspan(chunk.begin, chunk.end - chunk.begin)) {
      if (!CodeTestReader::IsPart(i.opcode()) || HasMany(i)) continue;
      has_many_ |= ++of_[i.a() % of_.size()] == kMinTests;
    }
  }

  // Whether there are enough for a table, of the subject of the part `i`, and of any.
  bool HasMany(const Instruction& i) const { return of_[i.a() % of_.size()] == kMinTests; }
  bool has_many() const { return has_many_; }

 private:
  std::array<uint8_t, 64> of_ = {};
  bool has_many_ = false;
};

class TestIndexer {
 public:
  TestIndexer(absl::Span<Instruction> code, absl::Span<const Value> constants, absl::Span<const LookupSet> lookups)
      : code_(code), reader_(code, FrameLayout(), constants, lookups) {}

  // What is replaced is no test any more, so that each is in one table. Of a run that is too short, which are few
  // tests, the second one may still begin a longer one; of others, none is looked at again.
  void Index(const Chunk& chunk, const PartCounts& counts) {
    std::vector<CodeTest> run;
    for (uint32_t pc = chunk.begin; pc < chunk.end && made_.places.size() <= UINT16_MAX; ++pc) {
      const bool loads = code_[pc].opcode() == Opcode::kLoadConst && pc + 1 < chunk.end;
      const Instruction part = code_[loads ? pc + 1 : pc];
      if (!CodeTestReader::IsPart(part.opcode()) || !counts.HasMany(part)) continue;
      run.clear();
      for (uint32_t next = pc; !IsSeen(next);) {
        std::optional<CodeTest> test = reader_.At(next);
        if (!test || (!run.empty() && !test->HasSubjectOf(run[0]))) break;
        next = test->next;
        run.push_back(*std::move(test));
      }
      if (run.size() < kMinTests) continue;
      seen_.resize(code_.size());
      for (const CodeTest& test : run) seen_[test.begin] = true;
      for (absl::Span<const CodeTest> rest = run; rest.size() >= kMinTests;) rest.remove_prefix(Replace(rest));
    }
  }

  TestTables Made() && { return std::move(made_); }

 private:
  // Makes a table of the first tests, as far as operands reach, and prefixes of not too many lengths. Returns how many
  // these are, at least one: there are no tables of few.
  size_t Replace(absl::Span<const CodeTest> run) {
    TestTable table;
    const size_t room = UINT16_MAX + size_t{1} - made_.places.size();
    if (room < kMinTests) return run.size();
    size_t size = 0;
    while (size < run.size() && size < room && Add(run[size], &table)) ++size;
    if (size < kMinTests) return size + 1;
    table.Finish(run[size - 1].next);
    const auto index = static_cast<uint32_t>(made_.tables.size());
    for (uint32_t n = 0; n < size; ++n) {
      const CodeTest& test = run[n];
      const auto place = static_cast<uint16_t>(made_.places.size());
      made_.places.push_back({index, n});
      const Opcode opcode = test.is_path ? Opcode::kFindPathTest : Opcode::kFindTest;
      const auto distance = static_cast<uint16_t>(test.body - test.begin - 1);
      code_[test.begin] = Instruction(opcode, test.subject, place, distance);
    }
    made_.tables.push_back(std::move(table));
    return size;
  }

  // False where the prefixes have too many lengths.
  bool Add(const CodeTest& test, TestTable* table) const {
    std::vector<std::string_view> prefixes;
    for (const CodeTest::Part& part : test.parts) {
      if (part.kind == CodeTest::Kind::kPrefix) prefixes.push_back(part.constant->AsString());
    }
    if (!table->TakesPrefixes(prefixes)) return false;
    table->BeginTest(test.body);
    for (const std::string_view prefix : prefixes) table->AddPrefix(prefix);
    for (const CodeTest::Part& part : test.parts) {
      if (part.kind == CodeTest::Kind::kPrefix) continue;
      reader_.ForTexts(part, [&](std::string_view text) { table->AddText(text); });
    }
    return true;
  }

  bool IsSeen(uint32_t pc) const { return pc < seen_.size() && seen_[pc]; }

  absl::Span<Instruction> code_;
  CodeTestReader reader_;
  TestTables made_;
  std::vector<bool> seen_;  // by code offset: first instructions of tests
};

}  // namespace

// Most chunks are small, and most texts are tested a few times only. Tests of one chunk never follow those of another.
bool MayHaveTables(absl::Span<const Instruction> code, const Chunk& chunk) {
  return PartCounts(code, chunk).has_many();
}

// All parts of tests are fast code, which few chunks of a config have.
TestTables IndexTests(absl::Span<Instruction> code, absl::Span<const Chunk> chunks,
                      absl::Span<const FastRegion> regions, absl::Span<const Value> constants,
                      absl::Span<const LookupSet> lookups) {
  TestIndexer indexer(code, constants, lookups);
  const Chunk* chunk = chunks.begin();
  uint32_t seen = 0;  // code offset: chunks before it have been looked at
  for (const FastRegion& region : regions) {
    if (region.begin < seen) continue;
    while (chunk != chunks.end() && chunk->end <= region.begin) ++chunk;
    if (chunk == chunks.end()) break;
    const PartCounts counts(code, *chunk);
    if (counts.has_many()) indexer.Index(*chunk, counts);
    seen = chunk->end;
  }
  return std::move(indexer).Made();
}

}  // namespace hcl::internal
