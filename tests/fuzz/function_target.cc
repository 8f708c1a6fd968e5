// Calls of the library's functions, of constants and of variables.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/scopes.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/tests/fuzz/ways.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {
namespace {

// A name that no function has chooses one by its bytes, so that whatever a fuzzer does to a name calls something.
std::string FunctionName(std::string_view line) {
  if (StandardFunctions()->Find(line) != nullptr) return std::string(line);
  uint32_t sum = 0;
  for (const char c : line) sum = sum * 31 + static_cast<unsigned char>(c);
  const std::vector<std::string_view> names = StandardFunctions()->Names();
  return std::string(names[sum % names.size()]);
}

// JSON is an expression, but for what begins a sequence in a template: every `${` becomes `$${`. Nothing for what JSON
// cannot have, and for long texts, of which one number can have many.
std::optional<std::string> Literal(const Value& value) {
  std::string json;
  Limits limits;
  limits.max_output_bytes = 1 << 20;
  JsonError error;
  if (!AppendJson(value, limits, &json, &error)) return std::nullopt;
  std::string text;
  for (size_t at = 0; at < json.size(); ++at) {
    if ((json[at] == '$' || json[at] == '%') && at + 1 < json.size() && json[at + 1] == '{') text += json[at];
    text += json[at];
  }
  return text;
}

Run Call(const std::string& expression, Dialect dialect, const Value& variables) {
  const auto source = std::make_shared<const Source>("input", expression);
  return RunCompiledWays(
      *source,
      [&](const CompileOptions& options, Diagnostics* diagnostics) {
        return CompileExpression(source, options, diagnostics);
      },
      dialect, variables);
}

// Places differ, and so does what is said of variables.
void RequireSameCall(const Run& constants, const Run& variables) {
  if (constants.stopped() || variables.stopped()) return;
  bool same = constants.ok() == variables.ok();
  if (same && constants.ok()) {
    same = Print(constants) == Print(variables);
  } else if (same) {
    same = constants.diagnostics.kept()[0].summary == variables.diagnostics.kept()[0].summary;
  }
  if (!same) Violation("constants give what variables give", Print(constants) + "\nvariables: " + Print(variables));
}

void CallBothWays(const std::string& name, const std::vector<std::string>& parameters, const Value& scope,
                  const std::optional<std::string>& constants, Dialect dialect) {
  std::string call = name + "(";
  for (size_t n = 0; n < parameters.size(); ++n) call += (n > 0 ? ", " : "") + parameters[n];
  const Run run = Call(call + ")", dialect, scope);
  // convert() takes a type, which a literal cannot be; what try() and can() look at is the form of their arguments.
  if (constants && name != "convert") RequireSameCall(Call(name + "(" + *constants + ")", dialect, scope), run);
}

}  // namespace

// The arguments become the properties v0, v1... of a scope, where an object of a type and a value is a typed value.
void FuzzFunction(std::string_view input) {
  const size_t line = input.find('\n');
  if (line == std::string_view::npos) return;
  const std::string name = FunctionName(input.substr(0, line));
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Heap heap(nullptr, dialect);
    Value arguments;
    JsonError error;
    if (!JsonReader().Read(input.substr(line + 1), &heap, &arguments, &error) || !arguments.is_tuple()) return;
    std::vector<std::string> parameters;
    std::string scope = "{";
    std::optional<std::string> constants = "";
    for (const Value& argument : arguments.elements()) {
      parameters.push_back("v" + std::to_string(parameters.size()));
      std::string json, reason;
      const std::optional<std::string> literal = Literal(argument);
      if (!literal) return;
      AppendJson(argument, &json, &reason);
      const std::string comma = parameters.size() > 1 ? ", " : "";
      scope.append(comma).append("\"").append(parameters.back()).append("\": ").append(json);
      const bool typed = argument.is_object() && argument.shape().Find("type") >= 0;
      if (typed) constants.reset();
      if (constants) *constants += comma + *literal;
    }
    CallBothWays(name, parameters, MakeScope(scope + "}", &heap), constants, dialect);
  }
}

}  // namespace hcl::fuzz
