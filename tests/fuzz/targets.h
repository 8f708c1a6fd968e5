// The targets: what is done with an input, and what must hold then (tests/fuzz/oracle.h). Each takes any bytes, and
// ends the process when an oracle is violated.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_TARGETS_H_
#define HCLVM_TESTS_FUZZ_TARGETS_H_

#include <string_view>

#include "absl/types/span.h"

namespace hcl::fuzz {

struct Target {
  std::string_view name;  // also of its folders in corpus/ and findings/
  void (*run)(std::string_view input);
  bool takes_programs = false;  // a line with a scope, and a program (tests/fuzz/mutator.h)
};

absl::Span<const Target> Targets();
// The target of that name, or null.
const Target* FindTarget(std::string_view name);

// A config, an expression and a traversal: parsed, printed and parsed again.
void FuzzSyntax(std::string_view input);
// The same for a standalone template, which is also evaluated in all ways.
void FuzzTemplate(std::string_view input);
// The JSON syntax: parsed, printed and parsed again, compared with simdjson, and compiled and run in all ways.
void FuzzJsonSyntax(std::string_view input);
// A line that says what the variables hold (tests/fuzz/scopes.h), and an expression or config behind it, evaluated in
// all ways (tests/fuzz/ways.h).
void FuzzExpression(std::string_view input);
// Lines of JSON, read as `hclvm run` reads scopes, and compared with simdjson.
void FuzzScope(std::string_view input);
// A spec file, a line "---", and a body of either syntax, decoded in all ways.
void FuzzDecode(std::string_view input);
// The files of a module, with a line "+++" or "+++ json" before each but the first: checked and compiled, as a module
// and as plain configs.
void FuzzCheck(std::string_view input);
// A line with the name of a function, and its arguments as a JSON array: called with constants and with variables.
void FuzzFunction(std::string_view input);
// A type as text, and a type and a typed value as JSON: read, written and read again.
void FuzzType(std::string_view input);
// Two numbers and all that is computed of them, compared with Boost.Multiprecision.
void FuzzNumber(std::string_view input);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_TARGETS_H_
