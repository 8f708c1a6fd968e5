// What the programs that serve have in common: options, signals, the log of events, the listeners of HTTP, and the
// order in which all of it begins and ends.
//
// Tested by tests/serve/*_test.py and tests/envoy/*_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_SERVE_PROGRAM_H_
#define HCLVM_CMD_HCLVM_SERVE_SERVE_PROGRAM_H_

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/cmd/hclvm-serve/serve_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

// What a program has beside HTTP. Called by the main thread, but for Refresh().
class ServeAddition {
 public:
  virtual ~ServeAddition() = default;
  // Adds the setters of its options.
  virtual void AddTo(cmd::CommandSyntax* syntax) = 0;
  // Takes what the options are, after all have been read. What is wrong, or nothing.
  virtual std::string Finish(const ServeOptions& options) = 0;
  // Starts to serve, with nothing started where that fails. The service outlives what was started.
  virtual absl::Status Start(Service* service) = 0;
  // Where it listens, after Start().
  virtual std::vector<std::string> Addresses() const = 0;
  // The service may have become ready, or be so no longer. From any thread, after Start().
  virtual void Refresh() = 0;
  // Takes no further requests, lets those under way finish for at most `time` or until `is_urgent`, and ends.
  virtual void Stop(std::chrono::milliseconds time, const Server::IsUrgent& is_urgent) = 0;
};

// Runs the program `command`, of which `arguments` are those behind its name, until a signal ends it. `addition` may be
// null. Returns an exit status.
int RunServeProgram(const char* command, const std::vector<std::string_view>& arguments, ServeAddition* addition);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_SERVE_PROGRAM_H_
