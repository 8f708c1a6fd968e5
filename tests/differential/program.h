// A program of the differential test, and what the two sides say about it.
//
// Tested by tests/differential/program_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_PROGRAM_H_
#define HCLVM_TESTS_DIFFERENTIAL_PROGRAM_H_

#include <cstdint>
#include <string>

#include "hclvm/tests/case_runner.h"
#include "hclvm/tests/json_tree.h"

namespace hcl::differential {

enum class ProgramKind : uint8_t { kExpr, kTemplate, kBody, kJsonAttributes, kJsonLiteral, kTraversal };
inline constexpr int kProgramKinds = 6;

// As the conformance cases and the oracle call it.
const char* KindName(ProgramKind kind);

struct Program {
  ProgramKind kind = ProgramKind::kExpr;
  std::string source;
};

// What the sides do not agree in.
enum class Difference : uint8_t {
  kNone,
  kValue,        // both give a value
  kOursFails,    // the other side gives a value
  kTheirsFails,  // ours does
  kPhase,        // one fails while it parses, the other while it evaluates
  kPanic,        // the reference panics, whatever ours does
};
const char* DifferenceName(Difference difference);

struct Answers {
  Program program;
  CaseOutcome ours;
  std::string theirs_text;  // a line of the oracle's
  JsonTree theirs;          // the same; its `raw` is not to be used
  Difference difference = Difference::kNone;

  std::string TheirError() const { return std::string(theirs.Text("error")); }
  std::string TheirMessage() const { return std::string(theirs.Text("message")); }
  // Both fail in the same phase, and at the same place: where the ranges of the errors begin.
  bool SamePlace() const;
};

// Runs the program in our engine, in Dialect::kHashiCorp.
CaseOutcome RunOurs(CaseRunner* runner, const Program& program);

// Binary numbers of 512 bits, as the reference mostly has them, agree with decimals in 154 digits, and in fewer after
// several operations.
inline constexpr int kSameDigits = 100;

// Puts the answers side by side. Numbers are equal when so many digits are.
Answers Compare(const Program& program, CaseOutcome ours, std::string theirs, int digits = kSameDigits);

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_PROGRAM_H_
