// ReplSession: what `hclvm repl` does with an input. It needs no terminal: inputs come in as texts, and what they give
// goes out as texts.
//
// An input is an expression, the name of an entry of the module, or a command that begins with a colon. Expressions
// read what the module's own read: var.NAME, local.NAME, its functions. Without a module they read the variables of the
// request by their names.
//
// Tested by cmd/hclvm/repl_session_test.cc.

#ifndef HCLVM_CMD_HCLVM_REPL_SESSION_H_
#define HCLVM_CMD_HCLVM_REPL_SESSION_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {

struct ReplOptions {
  CompileOptions compile;                // its limits hold for each input, Limits::interrupt included
  std::chrono::milliseconds timeout{0};  // of each input; 0: none
  bool show_sensitive = false;
  bool has_color = false;  // of messages
  // The time that `:time` reads. Tests give another one.
  std::function<std::chrono::nanoseconds()> clock = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
};

// What an input gives. Texts end in a newline, or are empty.
struct ReplAnswer {
  std::string out;    // the value
  std::string error;  // what is wrong
  int status = 0;     // an exit status (command_line.h)
  bool ends = false;  // the session is at its end
};

// Not thread-safe, but for the flag of Limits::interrupt.
class ReplSession {
 public:
  explicit ReplSession(ReplOptions options);
  ~ReplSession();

  // Takes the module in a directory or of one file, in place of the one before. On errors, that one stays.
  ReplAnswer LoadModule(const std::string& path);
  // Takes a file of requests, a JSON object in each line, and its first request. On errors, nothing changes.
  ReplAnswer LoadRequests(const std::string& path);
  // Answers one input.
  ReplAnswer Execute(std::string_view input);

  // The words that `line`, the text up to the cursor, may end in, and how many of its bytes these replace. Sorted.
  struct Completions {
    size_t replaces = 0;
    std::vector<std::string> words;
  };
  Completions Complete(std::string_view line);

 private:
  struct Command;
  // A text that is evaluated: the program in which it is an entry.
  struct Prepared {
    std::shared_ptr<const Program> program;
    const Entry* entry = nullptr;
    std::shared_ptr<const Source> text;  // the input as it was given; null for an entry of the module
    const Source* placed = nullptr;      // the same in the program
    uint32_t shift = 0;                  // bytes before it there
  };
  // A run of a text, and what its value lives in.
  struct Ran {
    Ran(Prepared what, const CompileOptions& options)
        : prepared(std::move(what)),
          heap(nullptr, options.dialect, options.limits),
          evaluator(prepared.program, options.limits) {}

    Prepared prepared;
    Heap heap;    // of `scope`
    Value scope;  // what was bound
    Evaluator evaluator;
    const Evaluation* evaluation = nullptr;  // in `evaluator`
  };
  // A definition of `:let`. In a module it is a local, and is read for each request anew.
  struct Let {
    std::string name;
    std::string text;
    std::shared_ptr<Heap> heap;  // of `value`; null in a module
    Value value;
  };
  struct Requests;

  static const std::vector<Command>& Commands();

  CompileOptions LimitedOptions() const;
  bool Prepare(std::string_view text, bool is_recording, Prepared* prepared, ReplAnswer* answer);
  std::vector<ModuleFile> FilesWith(std::shared_ptr<const Source> source) const;
  // The request and, without a module, what was defined. What is made lives in `heap`.
  Value Scope(Heap* heap) const;
  // Prepares and runs the text; null where that fails, which is in *answer.
  std::unique_ptr<Ran> Run(std::string_view text, ReplAnswer* answer);
  // The value as JSON. False where that cannot be written, which is in *answer.
  bool ValueText(Ran* ran, std::string* out, ReplAnswer* answer) const;
  // The diagnostics, with places in the input in place of those in the program.
  void Report(const Diagnostics& diagnostics, const Prepared& prepared, ReplAnswer* answer) const;
  ReplAnswer Fail(std::string_view message, int status) const;

  ReplAnswer Evaluate(std::string_view text);
  ReplAnswer Help(std::string_view argument);
  ReplAnswer Quit(std::string_view argument);
  ReplAnswer Type(std::string_view text);
  ReplAnswer Time(std::string_view text);
  ReplAnswer Explain(std::string_view text);
  ReplAnswer Disassemble(std::string_view text);
  ReplAnswer Doc(std::string_view name);
  ReplAnswer Load(std::string_view path);
  ReplAnswer Request(std::string_view number);
  ReplAnswer DefineLet(std::string_view definition);
  ReplAnswer ListVariables(std::string_view argument);

  // The functions of the library, each with its bracket.
  static std::vector<std::string> FunctionNames();
  // What an expression may begin with; and what may follow the dot behind `path`.
  std::vector<std::string> Names() const;
  std::vector<std::string> PartsOf(std::string_view path);

  const ReplOptions options_;
  std::string module_path_;
  std::vector<ModuleFile> files_;          // of the module
  std::shared_ptr<const Program> module_;  // null without one
  std::vector<std::string> variables_;     // that the module declares
  std::vector<std::string> locals_;
  std::unique_ptr<Requests> requests_;  // null without a file
  std::vector<Let> lets_;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_REPL_SESSION_H_
