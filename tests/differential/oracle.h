// The reference implementation as a process that answers programs.
//
// Not thread-safe. Tested by tests/differential/oracle_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_ORACLE_H_
#define HCLVM_TESTS_DIFFERENTIAL_ORACLE_H_

#include <sys/types.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {

class Oracle {
 public:
  // `command` is the program and its arguments. It speaks what tests/differential/oracle/main.go says.
  explicit Oracle(std::vector<std::string> command) : command_(std::move(command)) {}
  ~Oracle() { Stop(); }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // False when the process does not start or does not say who it is.
  bool Start();

  // Sends programs; Receive() must follow. Between the two calls the oracle works by itself.
  void Send(absl::Span<const Program> programs);
  // The answers to what was sent, one for each program. A program that ends the process or takes 20 seconds
  // has the answer {"error":"crash"}.
  std::vector<std::string> Receive();

  std::vector<std::string> Ask(absl::Span<const Program> programs) {
    Send(programs);
    return Receive();
  }

  // What answers, and the functions that it knows.
  const std::string& version() const { return version_; }
  const std::set<std::string, std::less<>>& functions() const { return functions_; }

 private:
  void Stop();
  bool Write(std::string_view text);
  // The next `count` lines; false when the process ended or took too long.
  bool ReadLines(size_t count, std::vector<std::string>* lines);
  bool Fill();

  std::vector<std::string> command_;
  std::vector<Program> sent_;
  std::string version_;
  std::set<std::string, std::less<>> functions_;
  pid_t pid_ = -1;
  int in_ = -1;   // we write
  int out_ = -1;  // we read
  std::string buffer_;
};

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_ORACLE_H_
