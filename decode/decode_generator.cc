// DecodeGenerator: bodies, attributes, and specs that put others together. Tested by decode/decoder_test.cc.
//
// Registers are handed out like those of expressions: each function frees what it has allocated, and leaves its value
// in `dest` or says where it is. An error is a value like others, so code goes straight on behind one.

#include "hclvm/decode/decode_generator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/decode/decode_functions.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {

using Kind = DecodeSpec::Kind;

// Everything is in one chunk, as the code runs from its beginning to its end, but for the jumps around fallbacks and in
// loops of dynamic blocks.
void DecodeGenerator::Generate(const DecodeSpec& spec, const BodyView& body) {
  CheckPlans(spec);
  if (faults_->has_errors()) return;
  builder_->BeginChunk();
  registers_.Reset();
  const uint16_t dest = registers_.Allocate();
  const Result result = GenerateBody(spec, body, {}, dest);
  builder_->Emit(Opcode::kReturn, 0, registers_.Rk(result));
  builder_->SetMain(builder_->EndChunk(registers_.used()));
}

// All specs are looked at before any body is, so that a contradiction is found whatever a body has. Blocks of a body
// that was opened with a contradictory schema may have fewer labels than their specs ask for, so no code may be
// generated for them.
void DecodeGenerator::CheckPlans(const DecodeSpec& spec) {
  if (plans_.contains(&spec)) return;
  const Plan& plan = PlanOf(spec);
  if (!plan.error.empty()) {
    Diagnostic diagnostic(DiagnosticCode::kContradictorySpec);
    diagnostic.detail = plan.error;
    faults_->Add(std::move(diagnostic));
  }
  CheckContents(spec);
}

void DecodeGenerator::CheckContents(const DecodeSpec& spec) {
  if (spec.content() != nullptr) return CheckPlans(*spec.content());
  for (const DecodeSpecPtr& child : spec.children()) CheckContents(*child);
}

// Made once for a spec, since a thousand blocks are opened with the same one. Plans are held by pointer: references to
// them stay valid when the map grows.
const DecodeGenerator::Plan& DecodeGenerator::PlanOf(const DecodeSpec& spec) {
  std::unique_ptr<Plan>& plan = plans_[&spec];
  if (plan == nullptr) {
    plan = std::make_unique<Plan>();
    ImpliedSchema(spec, &plan->schema, &plan->error);
    // A spec for blocks of that type goes first.
    if (options_.expand_dynamic_blocks) plan->schema.AddBlock("dynamic", {"type"}).IgnoreError();
  }
  return *plan;
}

// What an instruction needs to know beside its operands, once for a spec, so that a thousand attributes share one rule.
// Rules have the texts of messages as well: the machine knows neither specs nor bodies. A type with `any` in it is
// known only when the program runs, which GenerateBlockSequence() asks for.
const DecodeRule* DecodeGenerator::RuleOf(const DecodeSpec& spec) {
  const auto [it, is_new] = rules_.try_emplace(&spec, nullptr);
  if (!is_new) return it->second;
  DecodeRule rule;
  if (spec.kind() == Kind::kAttribute) {
    rule.type = Import(spec.type());
    rule.defaults = spec.defaults();
    rule.code = DiagnosticCode::kAttributeType;
    rule.detail = absl::StrCat("Inappropriate value for attribute \"", spec.name(), "\": ");
  } else {
    rule.type = ImpliedType(spec, builder_->heap());
    rule.code = DiagnosticCode::kInconsistentBlocks;
    rule.detail = "Corresponding arguments in all blocks of this type must come to one type";
    rule.block_type = spec.name();
    const bool one = spec.kind() == Kind::kBlock || spec.kind() == Kind::kBlockAttributes;
    rule.expansion = one                    ? DecodeRule::Expansion::kOne
                     : spec.names().empty() ? DecodeRule::Expansion::kSequence
                                            : DecodeRule::Expansion::kLabeled;
    rule.min_blocks = one ? (spec.required() ? 1 : 0) : spec.count().min;
    rule.max_blocks = one ? 1 : spec.count().max;
    rule.map_levels = spec.kind() == Kind::kBlockAttributes ? 1 : static_cast<uint32_t>(spec.names().size());
  }
  if (rule.type.has_dynamic()) open_types_.insert(&spec);
  return rules_[&spec] = Keep(std::move(rule));
}

const DecodeRule* DecodeGenerator::Keep(DecodeRule rule) {
  const auto kept = std::make_shared<const DecodeRule>(std::move(rule));
  builder_->Keep(kept, sizeof(DecodeRule));
  return kept.get();
}

void DecodeGenerator::EmitDecode(InternalFunction function, const char* name, const DecodeRule* rule, uint16_t dest,
                                 absl::Span<const SourceRange> spans) {
  const auto [call, is_new] = calls_.try_emplace({function, rule}, 0);
  if (is_new) {
    const std::string shown = rule == nullptr ? name : absl::StrCat(name, " ", ToTypeSyntax(rule->type));
    call->second = builder_->AddInternalCall(function, rule, shown);
  }
  builder_->EmitX(Opcode::kCallInternal, dest, call->second, spans);
}

// Cloned, as the spec need not outlive the program; once, as any number of blocks may have the same literal.
Value DecodeGenerator::LiteralOf(const DecodeSpec& spec) {
  const auto [it, is_new] = literals_.try_emplace(&spec);
  if (is_new) it->second = Clone(spec.value(), builder_->heap()->arena(), builder_->heap()->types());
  return it->second;
}

Value DecodeGenerator::NullOf(const DecodeSpec& spec) {
  const auto [it, is_new] = literals_.try_emplace(&spec);
  if (is_new) it->second = Value::Null(ImpliedType(spec, builder_->heap()));
  return it->second;
}

// What does not fit is code that reports it, so that one run gives all messages in the order of the text, those about
// values in the scope among them. It is reported to the caller of the compiler too, but not in a loop or a fallback: a
// dynamic block may stand for no block at all, and a fallback may not be needed.
Result DecodeGenerator::WithErrors(const std::vector<Diagnostic>& found, Result result, uint16_t dest) {
  Result error = result;
  for (const Diagnostic& diagnostic : found) {
    const uint16_t reg = registers_.Allocate();
    generator_.Raise(diagnostic, reg);
    if (conditions_ == 0) mismatches_->Add(diagnostic);
    if (&diagnostic == &found.front()) error = Result::Register(reg);
  }
  if (found.empty()) return result;
  registers_.MoveTo(error, dest);
  return Result::Register(dest);
}

// A body that does not fit is decoded all the same, for the messages about its values; its own value is then an error.
// The source is set for the code that follows, since bodies may stand in several files and ranges do not tell which;
// whoever generates a part that stands in another one sets it back.
Result DecodeGenerator::GenerateBody(const DecodeSpec& spec, const BodyView& body, Labels labels, uint16_t dest) {
  const uint16_t mark = registers_.next();
  Diagnostics found(UINT32_MAX);
  const Plan& plan = PlanOf(spec);
  const BodyContent content = body.Content(plan.schema, &found);
  const std::vector<DynamicBlock> dynamic = ReadDynamicBlocks(plan.schema, content, &found);
  builder_->UseSource(body.source());
  if (found.empty()) return GenerateSpec(spec, {body, content, labels, dynamic}, dest);
  // The messages about the body come before those about its values.
  const uint16_t error = registers_.Allocate();
  WithErrors(found.kept(), Result::Register(error), error);
  GenerateSpec(spec, {body, content, labels, dynamic}, registers_.Allocate());
  registers_.MoveTo(Result::Register(error), dest);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// The result may be a constant, or another register than `dest`: whoever needs it in a place of its own moves it there.
Result DecodeGenerator::GenerateSpec(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  if (spec.is_block() && HasDynamic(spec, place)) return GenerateExpanded(spec, place, dest);
  switch (spec.kind()) {
    case Kind::kObject:
      return GenerateObject(spec, place, dest);
    case Kind::kTuple:
      return GenerateTuple(spec, place, dest);
    case Kind::kAttribute:
      return GenerateAttribute(spec, place, dest);
    case Kind::kLiteral:
      return Constant(LiteralOf(spec));
    case Kind::kBlock:
      return GenerateBlock(spec, place, dest);
    case Kind::kBlockList:
    case Kind::kBlockSet:
    case Kind::kBlockTuple:
      return GenerateBlockSequence(spec, place, dest);
    case Kind::kBlockMap:
    case Kind::kBlockObject:
      return GenerateLabeledBlocks(spec, place, dest);
    case Kind::kBlockAttributes:
      return GenerateBlockAttributes(spec, place, dest);
    case Kind::kLabel:
      if (spec.label_index() >= place.labels.size()) break;
      if (place.labels[spec.label_index()].reg) return Result::Register(*place.labels[spec.label_index()].reg);
      return Constant(generator_.StringConstant(place.labels[spec.label_index()].label.text));
    case Kind::kDefault:
      return GenerateDefault(spec, place, dest);
    case Kind::kTransform:
      return GenerateTransform(spec, place, dest);
  }
  // A label where there is no block.
  return Constant(Value::Null(Type::String()));
}

// An object of constants is a constant. Constants are therefore placed only when the first value comes up that is none;
// registers are allocated for all the same, as the instruction takes a run of them. The shape is the spec's and not the
// body's: objects of all blocks share it, which is what inline caches go by.
Result DecodeGenerator::GenerateObject(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const size_t count = spec.children().size();
  std::vector<uint16_t> registers;  // one behind the other
  std::vector<Value> constants;
  for (size_t n = 0; n < count; ++n) {
    registers.push_back(registers_.Allocate());
    const Result result = GenerateSpec(*spec.children()[n], place, registers[n]);
    if (result.is_constant() && constants.size() == n && options_.compile.optimize) {
      constants.push_back(*result.constant);  // placed below, if not all are constant
      continue;
    }
    if (constants.size() == n) {
      for (size_t k = 0; k < n; ++k) registers_.MoveTo(Result::Constant(constants[k]), registers[k]);
    }
    registers_.MoveTo(result, registers[n]);
  }
  std::vector<Value> keys;
  if (constants.size() == count || !shapes_.contains(&spec)) {
    for (const std::string& name : spec.names()) keys.push_back(generator_.StringConstant(name));
  }
  Arena* const arena = builder_->heap()->arena();
  if (constants.size() == count) {
    registers_.FreeTo(mark);
    return Constant(MakeObject(MakeShape(keys, arena), constants, arena));
  }
  const auto [shape, is_new] = shapes_.try_emplace(&spec, 0);
  if (is_new) shape->second = builder_->AddShape(MakeShape(keys, arena));
  EmitShaped(shape->second, count, registers[0], dest);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// A builder is used, which needs two registers for any number of elements.
Result DecodeGenerator::GenerateTuple(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t tuple = registers_.Allocate();
  const uint16_t item = registers_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const DecodeSpecPtr& child : spec.children()) {
    const uint16_t inner = registers_.next();
    builder_->Emit(Opcode::kTuplePush, tuple, registers_.Rk(GenerateSpec(*child, place, item)));
    registers_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// That a required attribute is missing was found when the body was opened.
Result DecodeGenerator::GenerateAttribute(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const AttributeView* const attribute = place.content.attributes.Find(spec.name());
  if (attribute == nullptr) return Constant(Value::Null(Import(spec.type())));
  return GenerateConverted(*attribute, spec, RuleOf(spec), dest);
}

// A constant is converted here and now. When that fails, it is left to the program, which reports it among its other
// errors. Without optimization every attribute is converted by an instruction, so that tests can compare the two.
Result DecodeGenerator::GenerateConverted(const AttributeView& attribute, const DecodeSpec& spec,
                                          const DecodeRule* rule, uint16_t dest) {
  const uint16_t mark = registers_.next();
  builder_->UseSource(attribute.expr.source());
  Diagnostics found(UINT32_MAX);
  const Expr* const expr = ToNativeExpr(attribute.expr, options_.json, &arena_, &found);
  if (!found.empty()) {
    const Result result = WithErrors(found.kept(), Result::Register(dest), dest);
    registers_.FreeTo(mark);
    return result;
  }
  Type type;
  Result result = generator_.Generate(*expr, dest, &type);
  if (result.is_constant()) result = Constant(*result.constant);
  registers_.FreeTo(mark);
  if (spec.type().is_dynamic()) return result;
  if (result.is_constant() && options_.compile.optimize) {
    Heap* const heap = builder_->heap();
    Value converted;
    ConversionError error;
    const Value& given = *result.constant;
    const Value whole = spec.defaults() == nullptr ? given : ApplyDefaults(given, *spec.defaults(), heap);
    if (Convert(whole, Import(spec.type()), heap, &converted, &error)) return Constant(converted);
  }
  if (options_.compile.optimize && type.is_primitive() && type == spec.type()) return result;
  registers_.MoveTo(result, dest);
  const SourceRange range = attribute.expr.range();
  EmitDecode(ConvertAttribute, "ConvertAttribute", rule, dest, {Cover(attribute.name_range, range), range});
  return Result::Register(dest);
}

// An unknown value is not null, nor is an error: the jump takes either for the result. Where the first value is
// constant, only one of the two has code.
Result DecodeGenerator::GenerateDefault(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const Result primary = GenerateSpec(*spec.children()[0], place, dest);
  if (primary.is_constant()) {
    return primary.constant->is_null() ? GenerateSpec(*spec.children()[1], place, dest) : primary;
  }
  registers_.MoveTo(primary, dest);
  const uint32_t done = builder_->EmitJump(Opcode::kSkipIfSet, dest);
  ++conditions_;
  registers_.MoveTo(GenerateSpec(*spec.children()[1], place, dest), dest);
  --conditions_;
  builder_->PatchToHere(done);
  return Result::Register(dest);
}

// The expression is the spec's: it sees the value and the functions of spec files, and nothing of the scope that the
// config is decoded in. Its source and functions are kept by the program, for messages and calls, as the spec may be
// gone when it runs.
Result DecodeGenerator::GenerateTransform(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t content = registers_.Allocate();
  registers_.MoveTo(GenerateSpec(*spec.children()[0], place, content), content);
  const SpecExpression& expression = spec.expression();
  builder_->Keep(expression.source);
  builder_->Keep(spec.functions());
  CodeGenerator::Scope inside{spec.functions().get(), /*has_variables=*/false, {}};
  inside.locals.push_back({spec.name(), content});
  CodeGenerator::Scope outside = generator_.ExchangeScope(std::move(inside));
  builder_->UseSource(expression.source.get());
  const Result result = generator_.Generate(*expression.expr, dest);
  registers_.MoveTo(result, dest);
  generator_.ExchangeScope(std::move(outside));
  builder_->UseSource(place.body.source());
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// The place is where the value comes from in the text, through specs that pass one on. What has no place of its own is
// blamed on the point where it would be added.
SourceRange DecodeGenerator::RangeOf(const DecodeSpec& spec, const Place& place) {
  switch (spec.kind()) {
    case Kind::kAttribute: {
      const AttributeView* const attribute = place.content.attributes.Find(spec.name());
      return attribute == nullptr ? place.body.MissingItemRange() : attribute->expr.range();
    }
    case Kind::kLabel:
      if (spec.label_index() >= place.labels.size()) break;
      return place.labels[spec.label_index()].label.range;
    case Kind::kDefault:
    case Kind::kTransform:
      return RangeOf(*spec.children()[0], place);
    default:
      break;
  }
  // A spec about blocks stands where the first of them does.
  for (const BlockView& block : place.content.blocks) {
    if (!spec.is_block() || block.type != spec.name()) continue;
    return spec.content() == nullptr ? block.header : RangeInBlock(*spec.content(), block);
  }
  return place.body.MissingItemRange();
}

// Opens the block once more. This is done for two blocks of a sequence at most, and once for each block of a spec that
// has dynamic ones. What is wrong in the block was reported when it was decoded.
SourceRange DecodeGenerator::RangeInBlock(const DecodeSpec& content, const BlockView& block) {
  Diagnostics unused(0);
  const BodyContent opened = block.body->Content(PlanOf(content).schema, &unused);
  const std::vector<LabelValue> labels = LabelsOf(block);
  return RangeOf(content, {*block.body, opened, labels, {}});
}

}  // namespace hcl::internal
