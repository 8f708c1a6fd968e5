// Results of functions, bound once more in programs that nobody runs: what a call runs was made while the declarations
// were read, and tells no types. Tested by module/function_checker_test.cc.
//
// A parameter has no type of its own. So the result is looked at with any types, which finds what fails in each call,
// and again for each call, with the types of its arguments, and so are the calls in it.

#include "hclvm/module/function_checker.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

// Each takes some kilobytes, however short it is.
constexpr size_t kMaxBodies = 1'000;

}  // namespace

struct FunctionChecker::Body {
  Body(const PlacedExpr& result, const CompileOptions& options)
      // The source is kept by whoever has read the module.
      : source(std::shared_ptr<void>(), result.source),
        told(options.limits.max_diagnostics),
        builder(source, options.functions, options.dialect, options.limits),
        generator(options, &builder, &told) {
    CodeGenerator::Scope scope;
    scope.functions = options.functions.get();
    generator.ExchangeScope(std::move(scope));
    generator.GenerateChunk(*result.expr);
  }

  uint32_t height() const { return generator.tree().root().height; }

  std::shared_ptr<const Source> source;
  Diagnostics told;  // when the function was read
  ProgramBuilder builder;
  CodeGenerator generator;
};

FunctionChecker::FunctionChecker(const CompileOptions& options, StaticTypes* types)
    : options_(options), types_(*types), levels_left_(options.limits.max_nesting_depth) {}

FunctionChecker::~FunctionChecker() = default;

const StaticType* FunctionChecker::Add(const Function* function, const PlacedExpr& result, Diagnostics* diagnostics) {
  auto body = std::make_unique<Body>(result, options_);
  const BoundTree& tree = body->generator.tree();
  Diagnostics found(options_.limits.max_diagnostics);
  for (const BoundExpr* node : tree.nodes()) {
    if (node->kind == BoundKind::kRaise) found.Add(body->builder.diagnostic(As<BoundRaise>(*node).diagnostic));
  }
  // Nothing is known of the parameters, so that what may fail is not told.
  TypeChecker checker(&types_, options_.dialect, &found, /*warnings=*/nullptr);
  checker.set_functions(this);
  const StaticType* const type = checker.Check(tree, result.source);
  AddAll(found, result.source, diagnostics);
  if (!found.has_errors() && bodies_.size() < kMaxBodies) bodies_.emplace(function, std::move(body));
  return type;
}

// Arguments that are expanded may be any number.
const StaticType* FunctionChecker::ParameterType(const Function& function, const std::string& name,
                                                 const std::vector<const StaticType*>& arguments, bool expand_last) {
  const size_t given = arguments.size() - (expand_last ? 1 : 0);
  const StaticType* rest = nullptr;
  if (expand_last) {
    const StaticType& last = *arguments.back();
    rest = last.element;
    for (const StaticType* part : last.parts) {
      rest = rest == nullptr ? part : types_.Join(rest, part, /*unifies=*/false);
    }
    if (rest == nullptr || last.is_open) rest = types_.Of(StaticKind::kAny);
  }
  for (size_t n = 0; n < function.parameters.size(); ++n) {
    if (function.parameters[n].name != name) continue;
    return n < given ? arguments[n] : rest != nullptr ? rest : types_.Of(StaticKind::kAny);
  }
  // A name that is no parameter's is an error that has been told.
  if (!function.variadic || function.variadic->name != name) return types_.Of(StaticKind::kSilent);
  const size_t first = std::min(function.parameters.size(), given);
  const absl::Span<const StaticType* const> others(arguments.data() + first, given - first);
  for (const StaticType* other : others) rest = rest == nullptr ? other : types_.Join(rest, other, /*unifies=*/false);
  // Functions look how many there are, so that what they do with those that are not there is no mistake.
  return types_.Collection(StaticKind::kList, rest == nullptr ? types_.Of(StaticKind::kSilent) : rest);
}

const StaticType* FunctionChecker::Call(const Function& function, const std::vector<const StaticType*>& arguments,
                                        bool expand_last, Diagnostics* found) {
  const Body& body = *bodies_.find(&function)->second;
  const BoundTree& tree = body.generator.tree();
  // What looks at trees takes some of the stack for each level.
  if (tree.nodes().size() > nodes_left_ || body.height() > levels_left_) return types_.Of(StaticKind::kAny);
  nodes_left_ -= tree.nodes().size();
  levels_left_ -= body.height();
  Diagnostics errors(1), warnings(1);
  TypeChecker checker(&types_, options_.dialect, &errors, &warnings);
  checker.set_functions(this);
  for (const BoundPath* read : tree.path_reads()) {
    const StaticType* const type = ParameterType(function, std::string(read->name), arguments, expand_last);
    checker.Declare(read->slot, {types_.WithNull(type, type->kind == StaticKind::kAny && type->nullable), Place()});
  }
  const StaticType* const type = checker.Check(tree, body.source.get());
  levels_left_ += body.height();
  AddAll(errors, body.source.get(), found);
  AddAll(warnings, body.source.get(), found);
  return type;
}

}  // namespace hcl::internal
