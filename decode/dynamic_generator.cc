// DecodeGenerator: dynamic blocks, as loops that put blocks together with those that are written out. Tested by
// decode/dynamic_test.cc.
//
// What block_generator.cc finds out while compiling has to be found out by the program here, since the blocks are not
// there before. Only specs that have dynamic blocks in their body pay for that.

#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/decode/decode_functions.h"
#include "hclvm/decode/decode_generator.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

constexpr std::string_view kDynamic = "dynamic";

void Report(DiagnosticCode code, std::string detail, SourceRange subject, const Source* source,
            Diagnostics* diagnostics) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = subject;
  diagnostic.source = source;
  diagnostics->Add(std::move(diagnostic));
}

// Labels are required where the blocks have some, and an unsupported argument where they have none.
BodySchema SchemaOf(bool has_labels) {
  BodySchema schema;
  schema.AddAttribute("for_each", true).IgnoreError();
  schema.AddAttribute("iterator").IgnoreError();
  if (has_labels) schema.AddAttribute("labels", true).IgnoreError();
  schema.AddBlock("content").IgnoreError();
  return schema;
}

}  // namespace

std::vector<DecodeGenerator::LabelValue> DecodeGenerator::LabelsOf(const BlockView& block) {
  std::vector<LabelValue> labels;
  for (const BlockLabel& label : block.labels) labels.push_back({label, std::nullopt});
  return labels;
}

// A dynamic block is checked against the schema of the body that it stands in: it may stand for whatever might be
// written in its place. One for dynamic blocks is refused, and so expansion ends.
std::vector<DecodeGenerator::DynamicBlock> DecodeGenerator::ReadDynamicBlocks(const BodySchema& schema,
                                                                              const BodyContent& content,
                                                                              Diagnostics* diagnostics) {
  std::vector<DynamicBlock> result;
  if (!options_.expand_dynamic_blocks) return result;
  for (const BlockView& block : content.blocks) {
    if (block.type != kDynamic || block.labels.size() != 1) continue;
    const BlockLabel& type = block.labels[0];
    const BlockSchema* const wanted = type.text == kDynamic ? nullptr : schema.FindBlock(type.text);
    DynamicBlock dynamic;
    if (wanted == nullptr) {
      Report(DiagnosticCode::kUnsupportedBlockType,
             absl::StrCat("Blocks of type \"", ToAbsl(type.text), "\" are not expected here."), type.range,
             block.body->source(), diagnostics);
    } else if (ReadDynamicBlock(block, *wanted, &dynamic, diagnostics)) {
      result.push_back(std::move(dynamic));
    }
  }
  return result;
}

// Everything that does not hang on the scope is checked here, whether or not the block will stand for any: the
// iterator, the number of labels, and that there is one content. False leaves the block out; the messages make the body
// an error.
bool DecodeGenerator::ReadDynamicBlock(const BlockView& block, const BlockSchema& wanted, DynamicBlock* dynamic,
                                       Diagnostics* diagnostics) {
  const Source* const source = block.body->source();
  const size_t errors = diagnostics->error_count();
  const size_t count = wanted.label_names.size();
  const BodyContent parts = block.body->Content(SchemaOf(count > 0), diagnostics);
  dynamic->type = block.labels[0].text;
  dynamic->block = &block;
  dynamic->iterator = dynamic->type;
  if (const AttributeView* iterator = parts.attributes.Find("iterator")) {
    dynamic->iterator = AsKeyword(iterator->expr);
    if (dynamic->iterator.empty()) {
      Report(DiagnosticCode::kInvalidIterator, "The iterator must be the name of a variable.", iterator->expr.range(),
             source, diagnostics);
    }
  }
  if (const AttributeView* labels = parts.attributes.Find("labels")) {
    const size_t before = diagnostics->error_count();
    if (auto list = AsStaticList(labels->expr, diagnostics)) dynamic->labels = *std::move(list);
    const bool too_few = dynamic->labels.size() < count;
    if (diagnostics->error_count() == before && dynamic->labels.size() != count) {
      Report(too_few ? DiagnosticCode::kTooFewDynamicLabels : DiagnosticCode::kExtraDynamicLabel,
             absl::StrCat("Blocks of type \"", wanted.type, "\" have ", count, count == 1 ? " label." : " labels."),
             too_few ? labels->expr.range() : dynamic->labels[count].range(), source, diagnostics);
    }
  }
  if (diagnostics->error_count() > errors) return false;
  if (parts.blocks.size() != 1) {
    const bool none = parts.blocks.empty();
    Report(none ? DiagnosticCode::kMissingContent : DiagnosticCode::kExtraContent,
           "A dynamic block must have exactly one block \"content\" in it, the body of the blocks that it stands for.",
           none ? block.body->MissingItemRange() : parts.blocks[1].header, source, diagnostics);
    return false;
  }
  dynamic->for_each = parts.attributes.Find("for_each")->expr;
  dynamic->content = parts.blocks[0].body;
  return true;
}

bool DecodeGenerator::HasDynamic(const DecodeSpec& spec, const Place& place) const {
  for (const DynamicBlock& dynamic : place.dynamic) {
    if (dynamic.type == spec.name()) return true;
  }
  return false;
}

// How many blocks there are, and with which labels, is known only when the program runs. So all of them, written out or
// not, are gathered in the order of the text, each with its position and labels, and one instruction does to them what
// the other functions do here. The position is that of a source range, for messages about a block: those of one dynamic
// block share it.
Result DecodeGenerator::GenerateExpanded(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t tuple = registers_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  std::vector<SourceRange> spans = {place.body.MissingItemRange()};
  auto next = place.dynamic.begin();  // dynamic blocks are in the order of all blocks
  for (const BlockView& block : place.content.blocks) {
    const uint32_t position = static_cast<uint32_t>(spans.size()) - 1;
    const bool is_dynamic = next != place.dynamic.end() && next->block == &block;
    if (is_dynamic) ++next;
    if (block.type == spec.name()) {
      spans.push_back(BlameRange(spec, block));
      PushBlock(spec, *block.body, LabelsOf(block), position, tuple);
      continue;
    }
    if (!is_dynamic || (next - 1)->type != spec.name()) continue;
    const DynamicBlock& dynamic = *(next - 1);
    BlockView expanded = block;
    expanded.body = dynamic.content;
    expanded.labels.clear();
    for (const ExprView& label : dynamic.labels) expanded.labels.push_back({"", label.range()});
    spans.push_back(BlameRange(spec, expanded));
    GenerateLoop(spec, dynamic, position, tuple);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  builder_->UseSource(place.body.source());
  EmitDecode(ExpandBlocks, "ExpandBlocks", RuleOf(spec), dest, spans);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

SourceRange DecodeGenerator::BlameRange(const DecodeSpec& spec, const BlockView& block) {
  const bool in_order = spec.kind() == DecodeSpec::Kind::kBlockList || spec.kind() == DecodeSpec::Kind::kBlockSet ||
                        spec.kind() == DecodeSpec::Kind::kBlockTuple;
  return in_order ? RangeInBlock(*spec.content(), block) : block.header;
}

// A loop over the elements of for_each, whose body is the content, generated once. The four registers are those that
// the loop instructions own (vm/opcodes.def, "Loops"); the builder is shared with the blocks around, so that their
// order is that of the text. Where for_each is in error or unknown, there are no rounds, and TupleAbsorb lets the whole
// sequence have that fate. `conditions_` keeps mismatches in the content from being reported before there is a block
// with them.
void DecodeGenerator::GenerateLoop(const DecodeSpec& spec, const DynamicBlock& dynamic, uint32_t position,
                                   uint16_t tuple) {
  const uint16_t mark = registers_.next();
  uint16_t loop[4];  // iterator, key, element, builder
  for (uint16_t& reg : loop) reg = registers_.Allocate();
  if (!GenerateUnconverted(dynamic.for_each, loop[0])) {
    builder_->Emit(Opcode::kTupleAbsorb, loop[0], tuple);
    return registers_.FreeTo(mark);
  }
  const SourceRange range = dynamic.for_each.range();
  builder_->Emit(Opcode::kMove, loop[3], tuple);
  EmitDecode(CheckForEach, "CheckForEach", nullptr, loop[0], {range, range});
  const uint32_t none = builder_->EmitJump(Opcode::kSkipUnlessKnown, loop[0]);
  const uint32_t no_loop = builder_->EmitJump(Opcode::kForBegin, loop[0], {range, range});
  const uint32_t entry = builder_->EmitJump(Opcode::kJump);
  const uint32_t body = builder_->here();
  ++conditions_;
  const uint16_t iterator = registers_.Allocate();
  EmitObject({generator_.StringConstant("key"), generator_.StringConstant("value")}, loop[1], iterator);
  generator_.PushLocal({dynamic.iterator, iterator});
  std::vector<LabelValue> labels;
  for (const ExprView& expr : dynamic.labels) {
    const uint16_t reg = registers_.Allocate();
    if (GenerateUnconverted(expr, reg)) EmitDecode(DynamicLabel, "DynamicLabel", nullptr, reg, {expr.range()});
    labels.push_back({{"", expr.range()}, reg});
  }
  PushBlock(spec, *dynamic.content, labels, position, tuple);
  generator_.PopLocal();
  --conditions_;
  builder_->PatchToHere(entry);
  builder_->EmitX(Opcode::kForNext, loop[0], body, {range});
  const uint32_t done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(none);
  builder_->PatchToHere(no_loop);
  builder_->Emit(Opcode::kTupleAbsorb, loop[0], tuple);
  builder_->PatchToHere(done);
  registers_.FreeTo(mark);
}

// No type is asked for: for_each takes any collection, and labels are converted by an instruction of their own.
bool DecodeGenerator::GenerateUnconverted(const ExprView& view, uint16_t dest) {
  builder_->UseSource(view.source());
  const uint16_t mark = registers_.next();
  Diagnostics found(UINT32_MAX);
  const Expr* const expr = ToNativeExpr(view, options_.json, &arena_, &found);
  if (found.empty()) {
    registers_.MoveTo(generator_.Generate(*expr, dest), dest);
  } else {
    WithErrors(found.kept(), Result::Register(dest), dest);
  }
  registers_.FreeTo(mark);
  return found.empty();
}

// The tuple has the form that ExpandBlocks takes: position, labels, value. Labels behind the spec's own are the
// content's.
void DecodeGenerator::PushBlock(const DecodeSpec& spec, const BodyView& body, Labels labels, uint32_t position,
                                uint16_t tuple) {
  const uint16_t mark = registers_.next();
  const size_t own = spec.names().size();
  std::vector<uint16_t> run;
  for (size_t n = 0; n < own + 2; ++n) run.push_back(registers_.Allocate());
  registers_.MoveTo(Result::Constant(Value::Int(position)), run[0]);
  for (size_t n = 0; n < own; ++n) {
    registers_.MoveTo(labels[n].reg ? Result::Register(*labels[n].reg)
                                    : Result::Constant(generator_.StringConstant(labels[n].label.text)),
                      run[n + 1]);
  }
  const uint16_t last = run.back();
  registers_.MoveTo(spec.content() == nullptr ? GenerateAttributesOf(spec, body, last)
                                              : GenerateBody(*spec.content(), body, labels.subspan(own), last),
                    last);
  const uint16_t item = registers_.Allocate();
  builder_->Emit(Opcode::kMakeTuple, item, run[0], static_cast<uint16_t>(own + 2));
  builder_->Emit(Opcode::kTuplePush, tuple, item);
  registers_.FreeTo(mark);
}

}  // namespace hcl::internal
