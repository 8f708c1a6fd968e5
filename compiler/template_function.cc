// The function templatestring. Tested by compiler/template_function_test.cc.

#include "hclvm/compiler/template_function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_call.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What a template may call.
struct Scope {
  const FunctionRegistry* functions;
};

// Levels of nesting in a template. The stack of the compilation or evaluation around it may be nearly used up: it is
// bounded by max_nesting_depth alone.
constexpr uint32_t kMaxDepth = 32;

// Units of fuel for parsing and compiling: to begin with, for a byte of the template, and for what its constants may
// take while compiling, for a byte as well.
constexpr uint64_t kSetUp = 1000;
constexpr uint64_t kCostOfByte = 40;
constexpr uint64_t kConstantFuelOfByte = 20;

// Reports what is wrong with a template, or with its evaluation.
Value Fail(FunctionCall* call, const Diagnostics& diagnostics, const Source& source) {
  const Diagnostic& first = FirstToReport(diagnostics);
  std::string reason = ReasonOf(first);
  if (first.subject) {
    const SourcePosition at = source.PositionAt(first.subject->begin);
    reason = absl::StrCat("line ", at.line, ", column ", at.column, " of the text: ", reason);
  }
  return first.is_limit ? call->LimitError(reason) : call->ArgumentError(0, reason);
}

CompileOptions OptionsFor(const FunctionCall& call, size_t bytes, bool optimize) {
  CompileOptions options;
  options.dialect = call.heap()->dialect();
  options.limits = call.heap()->limits();
  options.limits.max_nesting_depth = std::min(options.limits.max_nesting_depth, kMaxDepth);
  options.limits.max_diagnostics = 1;
  options.limits.max_compile_fuel = kConstantFuelOfByte * bytes;
  const FunctionRegistry* const functions = static_cast<const Scope*>(call.function().state.get())->functions;
  // Without a share in them: the program around the template keeps them.
  options.functions = std::shared_ptr<const FunctionRegistry>(std::shared_ptr<const void>(), functions);
  options.optimize = optimize;
  return options;
}

// The program of a template; null when the call has failed. A program that is used once is not optimized: that would
// take more time than it saves.
std::shared_ptr<const Program> Compile(FunctionCall* call, std::string_view text, bool optimize) {
  if (!call->Charge(kSetUp + (kCostOfByte + (optimize ? kConstantFuelOfByte : 0)) * text.size())) return nullptr;
  const CompileOptions options = OptionsFor(*call, text.size(), optimize);
  const auto source = std::make_shared<const Source>("template", std::string(text));
  Diagnostics diagnostics(1);
  const std::unique_ptr<ParsedFile> file = ParseTemplate(*source, ParseOptionsFor(options), &diagnostics);
  std::shared_ptr<const Program> program;
  if (!diagnostics.has_errors()) {
    ProgramBuilder builder(source, options.functions, options.dialect, options.limits);
    CodeGenerator generator(options, &builder, &diagnostics);
    generator.ForbidTemplates();
    builder.SetMain(generator.GenerateChunk(*file->expr));
    if (!diagnostics.has_errors()) program = std::move(builder).FinishVerified(&diagnostics);
  }
  if (program == nullptr) Fail(call, diagnostics, *source);
  return program;
}

// Reads the program's variables from `variables`, a map or object. What it does not have is an error where the template
// reads it.
const Value* Bind(const ProgramTables& program, const Value& variables, Arena* arena) {
  const size_t count = program.variables().size();
  Value* const slots = arena->NewArray<Value>(count);
  for (size_t n = 0; n < count; ++n) {
    const int64_t at = variables.shape().Find(Value::StringView(program.variables()[n]));
    slots[n] = at < 0 ? NoValue() : variables.values()[static_cast<size_t>(at)];
  }
  return slots;
}

// What a template gives as a string: a single interpolation gives a value of any type.
Value ToText(FunctionCall* call, const Value& result) {
  if (result.unmarked().is_null()) return call->ArgumentError(0, "the template gives null instead of a string");
  Value text;
  ConversionError error = NewError(call);
  if (Convert(result, Type::String(), call->heap(), &text, &error)) return text;
  return error.is_limit
             ? call->LimitError(error.ToString())
             : call->ArgumentError(0, [&] { return absl::StrCat("the template gives no string: ", error.ToString()); });
}

// A template that is constant has been compiled with the program around it, and is run only.
Value EvaluateTemplate(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& variables = arguments[1];
  if (!variables.is_mapping()) {
    return call->ArgumentError(
        1, [&] { return absl::StrCat("a map or object is required, not ", WithArticle(variables)); });
  }
  const auto* program = static_cast<const Program*>(call->prepared());
  std::shared_ptr<const Program> compiled;
  if (program == nullptr) {
    compiled = Compile(call, arguments[0].AsString(), /*optimize=*/false);
    if (compiled == nullptr) return Value();
    program = compiled.get();
  }
  const ProgramTables& tables = TablesOf(*program);
  if (!call->Charge(tables.variables().size() + (tables.frame_size() + tables.code().size()) / 4)) return Value();
  const Value* const slots = Bind(tables, variables, call->arena());
  // One is told, but which comes first is known when all are there.
  Diagnostics diagnostics(call->heap()->limits().max_diagnostics);
  const Value result =
      EvaluateInCall(*program, {slots, tables.variables().size()}, &variables.shape(), call, &diagnostics);
  if (call->failed()) return Value();
  if (!diagnostics.empty()) return Fail(call, diagnostics, program->source());
  const Value text = ToText(call, result);
  // What was compiled for this call goes with it, and its constants do.
  return compiled == nullptr || call->failed() ? text : Clone(text, call->arena(), call->types());
}

Prepared PrepareTemplate(FunctionCall* call, absl::Span<const Value* const> constants) {
  if (constants[0] == nullptr) return {};
  std::shared_ptr<const Program> program = Compile(call, constants[0]->AsString(), /*optimize=*/true);
  if (program == nullptr) return {};
  const size_t bytes = program->MemoryBytes();
  return {std::move(program), bytes};
}

// A template that is no template is none for all variables.
void CheckTemplate(FunctionCall* call, absl::Span<const Value> arguments) {
  const TypeKind kind = KindOf(arguments[1]);
  if (kind != TypeKind::kMap && kind != TypeKind::kObject && kind != TypeKind::kDynamic) {
    call->ArgumentError(1,
                        [&] { return absl::StrCat("a map or object is required, not ", WithArticle(arguments[1])); });
  } else if (!arguments[0].is_unknown()) {
    Compile(call, arguments[0].AsString(), /*optimize=*/false);
  }
}

Value FailNested(FunctionCall* call, absl::Span<const Value>) {
  return call->Error("a template that it evaluates must not call it");
}

}  // namespace

Function TemplateFunction(const Function& declared, const FunctionRegistry& functions) {
  Function function = declared;
  function.special = Function::Special::kNone;
  function.body = EvaluateTemplate;
  function.prepare = PrepareTemplate;
  function.check = CheckTemplate;
  function.state = std::make_shared<const Scope>(Scope{&functions});
  // The template may call whatever there is.
  function.pure = functions.is_pure();
  return function;
}

Function NestedTemplateFunction(const Function& declared, const FunctionRegistry&) {
  Function function = declared;
  function.special = Function::Special::kNone;
  function.body = FailNested;
  return function;
}

}  // namespace hcl::internal
