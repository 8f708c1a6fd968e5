// Functions of patterns with wildcards. Tested by vm/functions/glob_functions_test.cc.

#include "hclvm/vm/functions/glob_functions.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/glob_pattern.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Reading a pattern costs more for a byte than a look at it. False when the call has failed.
bool Pay(FunctionCall* call, std::string_view pattern) { return call->Charge(2 + pattern.size() / 8); }

// Reads the pattern, which is paid for. False when the call has failed.
bool Read(FunctionCall* call, std::string_view text, GlobPattern* pattern) {
  if (!CanMake(call, text.size(), GlobPattern::kBytesForEach)) return false;
  const char* const error = pattern->Parse(text);
  if (error != nullptr) call->ArgumentError(0, error);
  return error == nullptr;
}

// Function::prepare: the pattern. A wrong one is reported when the call runs.
Prepared PrepareGlob(FunctionCall* call, absl::Span<const Value* const> constants) {
  if (constants[0] == nullptr) return {};
  auto pattern = std::make_shared<GlobPattern>();
  const std::string_view text = constants[0]->AsString();
  if (!Pay(call, text) || !Read(call, text, pattern.get())) return {};
  const size_t bytes = sizeof(*pattern) + pattern->HeldBytes();
  return {std::move(pattern), bytes};
}

void CheckGlob(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[0].is_unknown()) return;
  GlobPattern pattern;
  const std::string_view text = arguments[0].AsString();
  if (Pay(call, text)) Read(call, text, &pattern);
}

Value GlobMatch(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[1].AsString();
  if (call->prepared() != nullptr) {
    return Value::Bool(static_cast<const GlobPattern*>(call->prepared())->Matches(call, text));
  }
  const std::string_view wanted = arguments[0].AsString();
  if (!Pay(call, wanted)) return Value();
  bool matches;
  if (GlobPattern::MatchTexts(wanted, text, &matches)) return Value::Bool(matches);
  GlobPattern pattern;
  return Read(call, wanted, &pattern) ? Value::Bool(pattern.Matches(call, text)) : Value();
}

}  // namespace

void RegisterGlobFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  Function match = Define("globmatch", {Param("pattern", string), Param("text", string)}, Type::Bool(), GlobMatch);
  match.prepare = PrepareGlob;
  builder->Add(Checked(CheckGlob, std::move(match)));
}

}  // namespace hcl::internal
