// TestRuns: tests of one string by constants that follow each other in code become one look into a table.
//
// The code of a table of rules, or of a chain of conditionals, tests rule after rule: where a test does not hold, it
// jumps to the next one. As nothing is between the jump and the next test, whoever comes to one of them does what a
// look into a table of all that follow says, whatever the code was made of. So the emitter notes each test that it
// makes, and no form of Core has to be told apart for this. Tested by tests/test_runs_test.cc.

#ifndef HCLVM_COMPILER_TEST_RUNS_H_
#define HCLVM_COMPILER_TEST_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/test_table.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Serves the fast code of one expression. Not thread-safe.
class TestRuns {
 public:
  // What a subject is compared with: that it is one of these, or begins so.
  struct Constants {
    const Value* one;  // null: those of the lookup set
    uint32_t lookup;
    bool is_prefix;
  };
  // One jump of a test: `path == "/a" || startswith(path, "/b")` has two.
  struct Part {
    uint16_t subject;  // what is tested: an operand of fast code, or a path
    bool is_path;
    bool jumps_if_true;
    uint32_t begin;  // its first instruction; a constant may be loaded before the jump
    uint32_t jump;   // its last one
    Constants by;

    bool HasSubjectOf(const Part& other) const { return is_path == other.is_path && subject == other.subject; }
  };

  explicit TestRuns(ProgramBuilder* builder) : builder_(*builder) {}

  // Notes the jump that was emitted last, in the order of code. It is taken where the answer is `when`; its code begins
  // at `begin`. What the constant points to must outlive this.
  void NoteJump(const Constants& constants, bool when, uint32_t begin);
  // Makes tables where enough tests follow each other, once all jumps are patched. Time: linear in the tests.
  void MakeTables();

 private:
  // As many tests take about as long as a look.
  static constexpr size_t kMinTests = 8;
  static constexpr size_t kMaxParts = 64;        // of one test
  static constexpr size_t kMaxTexts = 1U << 18;  // of one table, which has room for kMinTests tests

  struct Test {
    size_t first;  // of its parts
    size_t parts;
    uint32_t begin;  // its first instruction
    uint32_t body;   // where control goes where it holds
    uint32_t next;   // and where it does not
    bool is_used = false;
  };

  std::optional<Test> TestAt(size_t part) const;
  Test* Find(uint32_t begin);
  size_t Replace(absl::Span<Test* const> run);
  bool Add(const Test& test, TestTable* table, size_t* texts);
  bool IsOfStrings(const Part& part);
  absl::Span<const Part> PartsOf(const Test& test) const {
    return absl::MakeConstSpan(parts_).subspan(test.first, test.parts);
  }

  ProgramBuilder& builder_;
  PlainList<Part, 8> parts_;
  std::vector<Test> tests_;
  std::vector<std::optional<bool>> sets_;  // whether lookup sets have nothing but strings
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_TEST_RUNS_H_
