// Functions of modules. Tested by module/module_test.cc.
//
// A function is a program, and a program knows the functions that it calls when it is compiled. So they are compiled
// level by level: first those that call none of the module's, then those that call these, and so on.

#include "hclvm/module/module_functions.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/decode/user_function.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/module/dependency_order.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/variable_reader.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Of max_nesting_depth.
constexpr uint32_t kLevelsForEachCall = 8;

// What a function reads are its parameters. The block has been read without errors.
void CheckParameters(const BlockView& block, Diagnostics* diagnostics) {
  Diagnostics ignored(0);
  const AttributeMap attributes = block.body->JustAttributes(&ignored);
  std::vector<std::string_view> parameters;
  const std::optional<std::vector<ExprView>> list = AsStaticList(attributes.Find("params")->expr, &ignored);
  for (const ExprView& parameter : *list) parameters.push_back(AsKeyword(parameter));
  if (const AttributeView* variadic = attributes.Find("variadic_param")) {
    parameters.push_back(AsKeyword(variadic->expr));
  }
  HashSet<absl::string_view> known;
  for (const std::string_view parameter : parameters) known.insert(ToAbsl(parameter));
  for (const StaticTraversal& read : Variables(attributes.Find("result")->expr)) {
    if (known.contains(ToAbsl(read.root))) continue;
    // Among many names, many times, the search takes long.
    const std::string_view nearest = diagnostics->full() ? std::string_view() : NearestName(read.root, parameters);
    AddModuleError(
        {read.root_range, read.source}, DiagnosticCode::kUndeclaredVariable,
        absl::StrCat("A function reads its parameters only, and \"", ToAbsl(read.root), "\" is none of them.",
                     nearest.empty() ? "" : absl::StrCat(" Did you mean \"", ToAbsl(nearest), "\"?")),
        diagnostics);
  }
}

Value FailAlways(FunctionCall* call, absl::Span<const Value>) { return call->Error("it has mistakes"); }

// What stands for a function that could not be made, so that its calls are not told to call none. The module has been
// told what is wrong with it, and never runs.
Function InPlaceOf(std::string_view name) {
  Parameter parameter;
  parameter.name = "arguments";
  parameter.type = Type::Dynamic();
  parameter.allow_null = true;
  Function function;
  function.name = std::string(name);
  function.variadic = std::move(parameter);
  function.result_type = Type::Dynamic();
  function.body = FailAlways;
  function.pure = false;
  return function;
}

class FunctionMaker {
 public:
  FunctionMaker(const std::vector<FunctionBlock>& blocks, const CompileOptions& options, Arena* arena)
      : blocks_(blocks),
        options_(options),
        arena_(*arena),
        dependents_(blocks.size()),
        results_(blocks.size()),
        functions_(blocks.size()) {}

  ModuleFunctions Make(Diagnostics* diagnostics) {
    ReadResults();
    static constexpr DependencyMessages kMessages = {
        DiagnosticCode::kCycleOfFunctions, "A function cannot call itself",  //
        DiagnosticCode::kFunctionsTooDeep, "Functions that call each other"};
    order_ = OrderByNeed(dependents_, std::max(options_.limits.max_nesting_depth / kLevelsForEachCall, 1u), kMessages,
                         diagnostics);
    for (const std::vector<size_t>& level : Levels()) MakeLevel(level);
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [n, found] : found_) AddAll(found, blocks_[n].source.get(), diagnostics);
    const auto is_bad = [this](size_t n) { return !functions_[n]; };
    order_.erase(std::remove_if(order_.begin(), order_.end(), is_bad), order_.end());
    for (size_t n = 0; n < blocks_.size(); ++n) {
      if (!functions_[n]) functions_[n] = InPlaceOf(blocks_[n].name);
    }
    std::vector<size_t> all(blocks_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return {With(all), std::move(results_), std::move(order_)};
  }

 private:
  // The expressions, and what they call.
  void ReadResults() {
    HashMap<absl::string_view, size_t> by_name;
    for (size_t n = 0; n < blocks_.size(); ++n) by_name.emplace(blocks_[n].name, n);
    Diagnostics unused(0);  // the function is read once more
    std::vector<const Expr*> left;
    for (size_t n = 0; n < blocks_.size(); ++n) {
      dependents_[n].name = blocks_[n].name;
      dependents_[n].place = blocks_[n].place;
      const AttributeMap attributes = blocks_[n].block->body->JustAttributes(&unused);
      const AttributeView* const result = attributes.Find("result");
      if (result == nullptr) continue;
      results_[n] = {ToNativeExpr(result->expr, EvaluationMode::kFull, &arena_, &unused), result->expr.source()};
      if (results_[n].expr != nullptr) left.push_back(results_[n].expr);
      while (!left.empty()) {
        const Expr& expr = *left.back();
        left.pop_back();
        AppendChildren(expr, &left);
        if (expr.kind != ExprKind::kCall) continue;
        const auto found = by_name.find(ToAbsl(As<CallExpr>(expr).name));
        if (found != by_name.end()) dependents_[n].needs.push_back(found->second);
      }
    }
  }

  // Those that can be made, by how many calls of each other they are deep.
  std::vector<std::vector<size_t>> Levels() const {
    std::vector<std::vector<size_t>> levels;
    std::vector<size_t> level_of(blocks_.size());
    for (const size_t n : order_) {
      size_t level = 0;
      for (const size_t need : dependents_[n].needs) level = std::max(level, level_of[need] + 1);
      level_of[n] = level;
      if (level == levels.size()) levels.emplace_back();
      levels[level].push_back(n);
    }
    return levels;
  }

  // One that calls what is in error is in error itself, which needs no message.
  void MakeLevel(const std::vector<size_t>& level) {
    std::vector<size_t> needs;
    for (const size_t n : level) needs.insert(needs.end(), dependents_[n].needs.begin(), dependents_[n].needs.end());
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    CompileOptions options = options_;
    options.functions = With(needs);
    for (const size_t n : level) {
      const std::vector<size_t>& own = dependents_[n].needs;
      if (std::any_of(own.begin(), own.end(), [&](size_t need) { return !functions_[need]; })) continue;
      const FunctionBlock& block = blocks_[n];
      Diagnostics found(options.limits.max_diagnostics);
      functions_[n] = ReadUserFunction(*block.block, {block.source}, options, &found);
      if (!found.has_errors()) CheckParameters(*block.block, &found);
      if (!found.empty()) found_.emplace_back(n, std::move(found));
    }
  }

  // What was there already, and these, as far as they could be made.
  std::shared_ptr<const FunctionRegistry> With(const std::vector<size_t>& others) const {
    if (others.empty()) return options_.functions;
    FunctionRegistryBuilder builder;
    if (options_.functions != nullptr) {
      for (const std::string_view name : options_.functions->Names()) builder.Add(*options_.functions->Find(name));
    }
    for (const size_t n : others) {
      if (functions_[n]) builder.Add(*functions_[n]);
    }
    return std::move(builder).Build();
  }

  const std::vector<FunctionBlock>& blocks_;
  const CompileOptions& options_;
  Arena& arena_;
  std::vector<Dependent> dependents_;
  std::vector<PlacedExpr> results_;
  std::vector<size_t> order_;
  std::vector<std::optional<Function>> functions_;  // that could be made
  std::vector<std::pair<size_t, Diagnostics>> found_;
};

}  // namespace

ModuleFunctions MakeFunctions(const std::vector<FunctionBlock>& blocks, const CompileOptions& options, Arena* arena,
                              Diagnostics* diagnostics) {
  return FunctionMaker(blocks, options, arena).Make(diagnostics);
}

bool IsInPlace(const Function& function) { return function.body == FailAlways; }

}  // namespace hcl::internal
