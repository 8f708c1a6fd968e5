// The requests of a session: one line of a file at a time. Tested by cmd/hclvm/repl_session_test.cc.

#ifndef HCLVM_CMD_HCLVM_REPL_REQUESTS_H_
#define HCLVM_CMD_HCLVM_REPL_REQUESTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "hclvm/cmd/hclvm/repl_session.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {

// Not thread-safe. Memory: the longest line, and the value of one.
struct ReplSession::Requests {
 public:
  Requests(std::string path, const CompileOptions& compile) : path_(std::move(path)), compile_(compile) {}

  // Reads the file up to line `number`, from 1, and takes that. Returns an exit status; unless it is kSuccess, *error
  // says what is wrong, and the request before stays. Time: linear in the file up to that line.
  int Choose(uint64_t number, std::string* error);

  const std::string& path() const { return path_; }
  uint64_t line() const { return line_; }
  // An object; lives until the next Choose().
  const Value& scope() const { return scope_; }

 private:
  std::string path_;
  CompileOptions compile_;
  uint64_t line_ = 0;
  std::unique_ptr<Heap> heap_;
  Value scope_;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_REPL_REQUESTS_H_
