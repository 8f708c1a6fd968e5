// CodeGenerator: registers, placement, and the way to each kind of expression.
// Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/code_generator.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/literal_loop.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

bool IsWithin(const Expr& inner, const Expr& outer) {
  return inner.range.begin >= outer.range.begin && inner.range.end <= outer.range.end;
}

}  // namespace

CodeGenerator::CodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics)
    : options_(options),
      builder_(builder),
      folding_(options.limits, builder),
      diagnostics_(diagnostics),
      functions_(options.functions.get()) {}

CodeGenerator::Scope CodeGenerator::ExchangeScope(Scope scope) {
  Scope before{functions_, has_variables_, std::move(locals_)};
  functions_ = scope.functions;
  ForgetTexts();
  has_variables_ = scope.has_variables;
  locals_ = std::move(scope.locals);
  return before;
}

uint32_t CodeGenerator::GenerateChunk(const Expr& expr) {
  builder_->BeginChunk();
  ResetRegisters();
  const uint16_t dest = Allocate();
  ForgetTexts();
  obstacle_ = nullptr;
  light_ = nullptr;
  tail_ = &Unwrap(expr);
  const Result result = Generate(expr, dest);
  tail_ = nullptr;
  builder_->Emit(Opcode::kReturn, 0, Rk(result));
  return builder_->EndChunk(used_);
}

uint16_t CodeGenerator::Allocate() {
  if (next_ >= kMaxRegisters) {
    if (!reported_too_complex_) {
      reported_too_complex_ = true;
      diagnostics_->AddLimit(std::nullopt, "Expression too complex",
                             absl::StrCat("An expression needs more than ", kMaxRegisters,
                                          " values at the same time, which is the limit."));
    }
    return next_;  // the program is not used
  }
  const uint16_t reg = next_++;
  if (next_ > used_) used_ = next_;
  return reg;
}

uint16_t CodeGenerator::AllocateRun(uint16_t dest, uint32_t count) {
  uint16_t run = dest;
  if (next_ != dest + 1) {
    run = Allocate();
  }
  for (uint32_t n = 1; n < count; ++n) Allocate();
  return run;
}

Result CodeGenerator::FromRun(uint16_t run, uint16_t dest) {
  if (run != dest) builder_->Emit(Opcode::kMove, dest, run);
  FreeTo(run == dest ? static_cast<uint16_t>(dest + 1) : run);
  return Result::Register(dest);
}

void CodeGenerator::MoveTo(const Result& result, uint16_t dest) {
  if (result.is_constant) {
    builder_->EmitX(Opcode::kLoadConst, dest, builder_->AddConstant(result.value));
  } else if (result.reg != dest) {
    builder_->Emit(Opcode::kMove, dest, result.reg);
  }
}

void CodeGenerator::GenerateTo(const Expr& expr, uint16_t dest) { MoveTo(Generate(expr, dest), dest); }

uint16_t CodeGenerator::RkConstant(const Value& value) {
  const uint32_t index = builder_->AddConstant(value);
  if (index < kMaxRkConstants) return static_cast<uint16_t>(index | kConstantBit);
  const uint16_t reg = Allocate();
  builder_->EmitX(Opcode::kLoadConst, reg, index);
  return reg;
}

uint16_t CodeGenerator::Rk(const Result& result) { return result.is_constant ? RkConstant(result.value) : result.reg; }

Value CodeGenerator::StringConstant(std::string_view text) {
  Arena* arena = builder_->heap()->arena();
  if (general_only_ && text.size() > kMaxInlineString) {  // then plain code has it already, most likely
    if (const std::optional<Value> known = builder_->FindString(text)) return *known;
  }
  return IsKnownNfc(text) ? Value::String(text, arena) : Value::String(ToNfc(text), arena);
}

Result CodeGenerator::Raise(Diagnostic diagnostic, uint16_t dest) {
  const SourceRange range = diagnostic.subject.value_or(SourceRange{});
  builder_->EmitX(Opcode::kRaise, dest, builder_->AddDiagnostic(std::move(diagnostic)), {range});
  return Result::Register(dest);
}

Result CodeGenerator::GenerateLiteral(const LiteralExpr& expr) {
  switch (expr.literal) {
    case LiteralKind::kTrue:
      return Result::Constant(Value::Bool(true));
    case LiteralKind::kFalse:
      return Result::Constant(Value::Bool(false));
    case LiteralKind::kNull:
      return Result::Constant(Value::Null());
    case LiteralKind::kNumber:
      break;
  }
  NumberError error = NumberError::kNone;
  const Number number =
      Number::Parse(expr.spelling, NumberSyntax::kLiteral, options_.limits, builder_->heap()->arena(), &error);
  if (error == NumberError::kNone) return Result::Constant(Value::FromNumber(number));
  if (error == NumberError::kTooManyDigits) {
    diagnostics_->AddLimit(expr.range, "Number too long",
                           absl::StrCat("A number must not need more than ", options_.limits.max_number_digits,
                                        " digits when written without an exponent (limit max_number_digits)."));
  } else {
    diagnostics_->AddError(expr.range, "Invalid number literal",
                           error == NumberError::kTooPrecise
                               ? "This integer has more digits than can be represented exactly."
                               : "This number is out of the range of numbers that can be represented.");
  }
  return Result::Constant(Value::Dynamic());
}

bool CodeGenerator::Interrupted() {
  if (folding_.Step() && !folding_.interrupted()) return false;
  if (!reported_interrupt_) {
    diagnostics_->AddLimit(std::nullopt, "Compilation interrupted",
                           "The compilation was stopped before its end (limit interrupt).");
    reported_interrupt_ = true;
  }
  return true;
}

// An interrupted compilation goes quickly through what is left: the program is not used.
Result CodeGenerator::Generate(const Expr& expr, uint16_t dest) {
  if (Interrupted()) return Result::Register(dest);
  if (options_.optimize && options_.plain_code && !general_only_) {
    if (const std::optional<Result> result = GeneratePlain(expr, dest)) return *result;
  }
  return GenerateGeneral(expr, dest);
}

void CodeGenerator::GenerateBehindPlain(const Expr& expr, uint16_t dest) {
  general_only_ = true;
  GenerateTo(expr, dest);
  general_only_ = false;
}

std::optional<Result> CodeGenerator::GenerateLiteralLoop(const Expr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const size_t known_lookups = known_lookups_.size();
  LiteralLoop loop(this);
  if (!loop.Suits(expr)) return std::nullopt;
  in_literal_loop_ = true;
  loop.Yield(dest);
  in_literal_loop_ = false;
  FreeTo(mark);
  const uint32_t done = builder_->EmitJump(Opcode::kJump);
  loop.AddRegions(builder_->here());
  GenerateBehindPlain(expr, dest);
  known_lookups_.resize(known_lookups);
  builder_->PatchToHere(done);
  return Result::Register(dest);
}

std::optional<Result> CodeGenerator::GeneratePlain(const Expr& expr, uint16_t dest) {
  if (!in_literal_loop_ && LiteralLoop::Find(expr)) return GenerateLiteralLoop(expr, dest);
  const bool operation =
      expr.kind == ExprKind::kBinary || expr.kind == ExprKind::kUnary || expr.kind == ExprKind::kConditional;
  const bool is_light = light_ != nullptr && IsWithin(expr, *light_);
  if (!operation || is_light || (obstacle_ != nullptr && IsWithin(*obstacle_, expr))) return std::nullopt;
  PlainGenerator plain(this);
  if (!plain.Suits(expr)) {
    obstacle_ = plain.obstacle();
    return std::nullopt;
  }
  const uint16_t mark = next_;
  const size_t known_lookups = known_lookups_.size();
  const bool returns = &expr == tail_;
  if (plain.tests() < (returns ? 1 : 2)) {
    light_ = &expr;
    return std::nullopt;
  }
  PlainRegion region;
  region.begin = builder_->here();
  plain.Yield(expr, dest, returns);
  FreeTo(mark);
  const std::optional<uint32_t> done = returns ? std::nullopt : std::make_optional(builder_->EmitJump(Opcode::kJump));
  region.end = region.general = builder_->here();
  builder_->AddPlainRegion(region);
  GenerateBehindPlain(expr, dest);
  known_lookups_.resize(known_lookups);
  if (done) builder_->PatchToHere(*done);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateGeneral(const Expr& expr, uint16_t dest) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return GenerateLiteral(As<LiteralExpr>(expr));
    case ExprKind::kVariable:
      return GenerateVariable(As<VariableExpr>(expr), dest);
    case ExprKind::kTraversal:
    case ExprKind::kIndex:
      return GenerateSteps(expr, dest);
    case ExprKind::kSplat:
      return GenerateSplat(As<SplatExpr>(expr), dest);
    case ExprKind::kSplatItem:
      return Result::Register(splat_items_.back());
    case ExprKind::kCall:
      return GenerateCall(As<CallExpr>(expr), dest);
    case ExprKind::kTuple:
      return GenerateTuple(As<TupleExpr>(expr), dest);
    case ExprKind::kObject:
      return GenerateObject(As<ObjectExpr>(expr), dest);
    case ExprKind::kFor:
      return GenerateFor(As<ForExpr>(expr), dest);
    case ExprKind::kUnary:
      return GenerateUnary(As<UnaryExpr>(expr), dest);
    case ExprKind::kBinary:
      return GenerateBinary(As<BinaryExpr>(expr), dest);
    case ExprKind::kConditional:
      return GenerateConditional(As<ConditionalExpr>(expr), dest);
    case ExprKind::kParen:
      return Generate(*As<ParenExpr>(expr).inner, dest);
    case ExprKind::kTemplate:
      return GenerateTemplate(As<TemplateExpr>(expr), dest);
    case ExprKind::kTemplateText:
      return Result::Constant(StringConstant(As<TemplateTextExpr>(expr).text));
    case ExprKind::kTemplateWrap:
      return Generate(*As<TemplateWrapExpr>(expr).inner, dest);
    case ExprKind::kTemplateIf: {
      const auto& node = As<TemplateIfExpr>(expr);
      return GenerateChoice(expr, *node.condition, *node.if_true, node.if_false, dest);
    }
    case ExprKind::kTemplateFor:
      return GenerateTemplateFor(As<TemplateForExpr>(expr), dest);
    case ExprKind::kError:
      break;
  }
  return RaiseInvalid(expr);
}

Result CodeGenerator::RaiseInvalid(const Expr& expr) {
  diagnostics_->AddError(expr.range, "Invalid expression", "The source has errors here and cannot be compiled.");
  return Result::Constant(Value::Dynamic());
}

const Function* CodeGenerator::FunctionOf(const CallExpr& expr) const {
  if (functions_ == nullptr) return nullptr;
  KnownFunction& known =
      known_functions_[reinterpret_cast<uintptr_t>(&expr) / alignof(CallExpr) % known_functions_.size()];
  if (known.call != &expr) known = {&expr, functions_->Find(expr.name)};
  return known.function;
}

std::optional<Type> CodeGenerator::StaticType(const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      switch (As<LiteralExpr>(expr).literal) {
        case LiteralKind::kNumber:
          return Type::Number();
        case LiteralKind::kNull:
          return std::nullopt;
        default:
          return Type::Bool();
      }
    case ExprKind::kUnary:
      return As<UnaryExpr>(expr).op == UnaryOp::kNot ? Type::Bool() : Type::Number();
    case ExprKind::kBinary:
      return IsArithmetic(As<BinaryExpr>(expr).op) ? Type::Number() : Type::Bool();
    case ExprKind::kParen:
      return StaticType(*As<ParenExpr>(expr).inner);
    case ExprKind::kTemplate:
    case ExprKind::kTemplateText:
    case ExprKind::kTemplateIf:
    case ExprKind::kTemplateFor:
      return Type::String();
    case ExprKind::kTemplateWrap:
      return StaticType(*As<TemplateWrapExpr>(expr).inner);
    case ExprKind::kConditional: {
      const auto& node = As<ConditionalExpr>(expr);
      const std::optional<Type> type = StaticType(*node.if_true);
      return type && type == StaticType(*node.if_false) ? type : std::nullopt;
    }
    case ExprKind::kCall: {
      const Function* function = FunctionOf(As<CallExpr>(expr));
      if (function == nullptr || function->result_type_rule != nullptr || !function->result_type.is_primitive()) {
        return std::nullopt;
      }
      return function->result_type;
    }
    default:
      return std::nullopt;
  }
}

bool CodeGenerator::IsSureOfBool(const Expr& wrapped) const {
  const Expr& expr = Unwrap(wrapped);
  if (StaticType(expr) == Type::Bool()) return true;
  if (expr.kind != ExprKind::kCall || As<CallExpr>(expr).expand_last) return false;
  const Function* function = FunctionOf(As<CallExpr>(expr));
  if (function == nullptr || function->special != Function::Special::kTry) return false;
  absl::Span<const Expr* const> arguments = As<CallExpr>(expr).arguments;
  return !arguments.empty() && std::all_of(arguments.begin(), arguments.end(), [this](const Expr* argument) {
    return StaticType(*argument) == Type::Bool();
  });
}

bool CodeGenerator::NeverNull(const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::kParen:
      return NeverNull(*As<ParenExpr>(expr).inner);
    case ExprKind::kTemplateWrap:
      return NeverNull(*As<TemplateWrapExpr>(expr).inner);
    case ExprKind::kConditional:
      return NeverNull(*As<ConditionalExpr>(expr).if_true) && NeverNull(*As<ConditionalExpr>(expr).if_false);
    case ExprKind::kCall:
      return FunctionOf(As<CallExpr>(expr))->never_null();
    default:
      return true;
  }
}

}  // namespace hcl::internal
