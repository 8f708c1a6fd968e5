// CodeGenerator: function calls. Tested by compiler/compiler_test.cc.

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/hcl/print.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// Where a diagnostic about an argument points: its first token or operator, as in the reference.
SourceRange StartOf(const Expr& expr) {
  const Expr* at = &expr;
  for (;;) {
    switch (at->kind) {
      case ExprKind::kBinary:
        at = As<BinaryExpr>(*at).lhs;
        continue;
      case ExprKind::kConditional:
        at = As<ConditionalExpr>(*at).condition;
        continue;
      case ExprKind::kParen:
        at = As<ParenExpr>(*at).inner;
        continue;
      case ExprKind::kTemplate:
        if (As<TemplateExpr>(*at).parts.empty()) return at->range;
        at = As<TemplateExpr>(*at).parts[0];
        continue;
      case ExprKind::kTemplateIf:
        at = As<TemplateIfExpr>(*at).condition;
        continue;
      case ExprKind::kCall:
        return Cover(As<CallExpr>(*at).name_range, As<CallExpr>(*at).open);
      case ExprKind::kIndex: {
        const SourceRange brackets = As<IndexExpr>(*at).brackets;
        return {brackets.begin, brackets.begin + 1};
      }
      case ExprKind::kTuple:
        return {at->range.begin, at->range.begin + 1};
      case ExprKind::kObject:
        return As<ObjectExpr>(*at).open;
      case ExprKind::kFor:
        return As<ForExpr>(*at).open;
      case ExprKind::kSplat:
        return As<SplatExpr>(*at).marker;
      case ExprKind::kUnary:
        return {at->range.begin, at->range.begin + 1};
      default:
        return at->range;
    }
  }
}

bool IsCountWrong(const CallExpr& expr, const Function& function) {
  const size_t required = function.parameters.size();
  const size_t count = expr.arguments.size();
  return count < required || (count > required && !function.variadic);
}

// What is wrong with the number of arguments. As in the reference, nothing else about such a call is reported.
Diagnostic WrongCount(const CallExpr& expr, const Function& function) {
  const size_t required = function.parameters.size();
  const size_t count = expr.arguments.size();
  Diagnostic diagnostic;
  const absl::string_view noun = required == 1 ? " argument" : " arguments";
  if (count < required) {
    diagnostic.summary = "Not enough function arguments";
    diagnostic.detail = absl::StrCat("Function \"", function.name, "\" expects ", function.variadic ? "at least " : "",
                                     required, noun, ". Missing value for \"", function.parameters[count].name, "\".");
    diagnostic.subject = expr.close;
  } else {
    diagnostic.summary = "Too many function arguments";
    diagnostic.detail = absl::StrCat("Function \"", function.name, "\" expects only ", required, noun, ".");
    diagnostic.subject = StartOf(*expr.arguments[required]);
  }
  diagnostic.context = expr.range;
  return diagnostic;
}

}  // namespace

Result CodeGenerator::RaiseWrongCount(const CallExpr& expr, const Function& function, uint16_t dest) {
  return Raise(WrongCount(expr, function), dest);
}

Result CodeGenerator::RaiseUnknownFunction(const CallExpr& expr, uint16_t dest) {
  Diagnostic diagnostic;
  diagnostic.subject = expr.name_range;
  diagnostic.context = expr.range;
  if (functions_ == nullptr) {
    diagnostic.summary = "Function calls not allowed";
    diagnostic.detail = "No functions are available here.";
  } else {
    diagnostic.summary = "Call to unknown function";
    const std::string_view nearest = NearestName(expr.name, functions_->Names());
    diagnostic.detail = absl::StrCat("There is no function named \"", ToAbsl(expr.name), "\".");
    if (!nearest.empty()) absl::StrAppend(&diagnostic.detail, " Did you mean \"", ToAbsl(nearest), "\"?");
  }
  return Raise(std::move(diagnostic), dest);
}

Result CodeGenerator::GenerateCall(const CallExpr& expr, uint16_t dest) {
  const Function* function = FunctionOf(expr);
  if (function == nullptr) return RaiseUnknownFunction(expr, dest);
  if (!expr.expand_last) {
    if (function->special == Function::Special::kTry) return GenerateTry(expr, dest);
    if (IsCountWrong(expr, *function)) return RaiseWrongCount(expr, *function, dest);
    if (function->special == Function::Special::kCan && expr.arguments.size() == 1) {
      GenerateTo(*expr.arguments[0], dest);
      builder_->Emit(Opcode::kCanEnd, dest);
      return Result::Register(dest);
    }
    if (function->special == Function::Special::kContains && options_.optimize) {
      if (std::optional<Result> result = GenerateContains(expr, *function, dest)) return *result;
    }
  }
  const uint16_t mark = next_;
  const uint32_t count = static_cast<uint32_t>(expr.arguments.size());
  const uint16_t run = AllocateRun(dest, count > 0 ? count : 1);
  ScratchList<SourceRange> spans(&spans_);
  for (const SourceRange range : {expr.range, Cover(expr.name_range, expr.open), expr.close}) spans.Add(range);
  ScratchList<Value> constants(&constants_);
  std::vector<std::optional<Value>> prepared(function->prepare != nullptr && options_.optimize ? count : 0);
  for (uint32_t n = 0; n < count; ++n) {
    const uint16_t reg = static_cast<uint16_t>(run + n);
    const bool is_type = function->special == Function::Special::kConvert && n == 1 && !expr.expand_last;
    Result argument =
        is_type ? Result::Constant(StringConstant(PrintExpr(*expr.arguments[n]))) : Generate(*expr.arguments[n], reg);
    if (argument.is_constant && options_.optimize && !expr.expand_last) {
      argument = Result::Constant(folding_.ConvertArgument(argument.value, function->parameter(n).type));
    }
    const bool expanded = expr.expand_last && n + 1 == count;
    if (argument.is_constant && !prepared.empty()) prepared[n] = argument.value;
    spans.Add(expanded ? expr.arguments[n]->range : StartOf(*expr.arguments[n]));
    if (argument.is_constant && constants.size() == n && options_.optimize && !expr.expand_last) {
      constants.Add(argument.value);  // placed below, if the call is not folded
      continue;
    }
    if (constants.size() == n) {
      for (uint32_t k = 0; k < n; ++k) MoveTo(Result::Constant(constants[k]), static_cast<uint16_t>(run + k));
    }
    MoveTo(argument, reg);
  }
  if (constants.size() == count && options_.optimize && !expr.expand_last) {
    if (const std::optional<Value> value = folding_.Call(*function, constants.view())) {
      FreeTo(mark);
      return Result::Constant(*value);
    }
    for (uint32_t k = 0; k < count; ++k) MoveTo(Result::Constant(constants[k]), static_cast<uint16_t>(run + k));
  }
  const void* made = nullptr;
  if (!expr.expand_last && !prepared.empty()) made = folding_.Prepare(*function, prepared);
  const CallSite site{function, made, count, expr.expand_last};
  builder_->EmitX(Opcode::kCall, run, builder_->AddSite(site), spans.view());
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

std::optional<uint16_t> CodeGenerator::LookupOf(const CallExpr& expr) {
  for (const KnownLookup& known : known_lookups_) {
    if (known.call == &expr) return known.lookup;
  }
  if (expr.arguments.size() != 2 || expr.arguments[0]->kind != ExprKind::kTuple) return std::nullopt;
  const auto& list = As<TupleExpr>(*expr.arguments[0]);
  for (const Expr* element : list.elements) {
    if (!IsLiteral(*element)) return std::nullopt;
  }
  const uint16_t mark = next_;
  const Result tuple = GenerateTuple(list, Allocate());
  FreeTo(mark);
  if (!tuple.is_constant || !LookupSet::CanHold(tuple.value.elements()) || builder_->lookup_count() > UINT16_MAX) {
    return std::nullopt;
  }
  const uint16_t set = static_cast<uint16_t>(builder_->AddLookup(tuple.value));
  known_lookups_.push_back({&expr, set});
  return set;
}

std::optional<Result> CodeGenerator::GenerateContains(const CallExpr& expr, const Function& function, uint16_t dest) {
  const size_t known_lookups = known_lookups_.size();
  const std::optional<uint16_t> set = LookupOf(expr);
  if (!set) return std::nullopt;
  if (!general_only_) known_lookups_.resize(known_lookups);  // nobody else will ask
  const uint16_t mark = next_;
  const Result needle = Generate(*expr.arguments[1], dest);
  if (needle.is_constant) {
    const Value arguments[] = {builder_->lookup(*set).tuple(), needle.value};
    if (const std::optional<Value> value = folding_.Call(function, arguments)) return Result::Constant(*value);
  }
  const SourceRange spans[] = {expr.range, Cover(expr.name_range, expr.open), expr.close, StartOf(*expr.arguments[0]),
                               StartOf(*expr.arguments[1])};
  builder_->Emit(Opcode::kContains, dest, Rk(needle), *set, spans);
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateTry(const CallExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 2);
  const uint16_t attempt = static_cast<uint16_t>(run + 1);
  MoveTo(Result::Constant(Value::Null()), run);
  ShortList<uint32_t> done;
  for (const Expr* argument : expr.arguments) {
    const uint16_t inner = next_;
    GenerateTo(*argument, attempt);
    done.push_back(builder_->EmitJump(Opcode::kTryTest, run));
    FreeTo(inner);
  }
  const SourceRange spans[] = {expr.range, Cover(expr.name_range, expr.open), expr.close};
  builder_->Emit(Opcode::kTryEnd, run, 0, 0, spans);
  for (uint32_t jump : done) builder_->PatchToHere(jump);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal
