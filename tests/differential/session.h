// A run of the differential test: random programs by both sides, and a table of what they differ in.
//
// Tested by tests/differential/run_test.sh.

#ifndef HCLVM_TESTS_DIFFERENTIAL_SESSION_H_
#define HCLVM_TESTS_DIFFERENTIAL_SESSION_H_

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/tests/case_runner.h"
#include "hclvm/tests/differential/classes.h"
#include "hclvm/tests/differential/oracle.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {

class Session {
 public:
  Session(CaseRunner* runner, Oracle* oracle) : runner_(runner), oracle_(oracle) {}

  // Compares the programs, and shrinks and classifies those that differ.
  void Run(absl::Span<const Program> programs);

  uint64_t programs() const { return programs_; }
  // Differences that no class explains.
  uint64_t unexplained() const { return unexplained_.size(); }

  // The tables: how many programs of each kind, the classes with counts and the shortest example, and, for information,
  // the errors that most often point to another place.
  void Print(std::ostream& out) const;

 private:
  struct KindTally {
    uint64_t values = 0;  // both sides give one
    uint64_t errors = 0;  // both sides fail
    uint64_t places = 0;  // of these: at the same place
    uint64_t differences = 0;
  };
  struct ClassTally {
    uint64_t count = 0;
    std::string example;
  };

  std::vector<Answers> AskBoth(absl::Span<const Program> programs);
  // The program calls a function that only our library has.
  bool CallsOurs(const Program& program) const;
  void Explain(Answers answers);
  void CountPlace(const Answers& answers);
  void PrintPlaces(std::ostream& out) const;

  CaseRunner* runner_;
  Oracle* oracle_;
  uint64_t programs_ = 0;
  uint64_t left_out_ = 0;
  KindTally kinds_[kProgramKinds];
  std::map<const DifferenceClass*, ClassTally> classes_;
  std::map<std::string, ClassTally> places_;        // errors at other places, by kind and summary
  std::map<std::string, std::string> unexplained_;  // the smallest programs, with what the sides say
};

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_SESSION_H_
