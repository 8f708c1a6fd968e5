// DecodeGenerator: specs about blocks. Tested by decode/decoder_test.cc.
//
// Which blocks there are, and how many, is in the text: it is checked here, and a run of the program looks at values
// only.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/decode/decode_functions.h"
#include "hclvm/decode/decode_generator.h"
#include "hclvm/vm/builders.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

using Kind = DecodeSpec::Kind;

// So many labeled blocks are put together from as many registers, in one instruction. More than these are put together
// one by one, which takes a few registers for any number: a chunk has no more than 16 bits to name its registers by.
constexpr size_t kMaxInRegisters = 4096;

// The blocks of that type, in the order of the text, in which the content has them.
std::vector<const BlockView*> BlocksOf(const BodyContent& content, std::string_view type) {
  std::vector<const BlockView*> blocks;
  for (const BlockView& block : content.blocks) {
    if (block.type == type) blocks.push_back(&block);
  }
  return blocks;
}

// `type` is that of the block, which stands in the summary.
Diagnostic Message(DiagnosticCode code, std::string_view type, std::string detail, SourceRange subject,
                   const Source* source) {
  Diagnostic diagnostic(code, {type});
  diagnostic.detail = std::move(detail);
  diagnostic.subject = subject;
  diagnostic.source = source;
  return diagnostic;
}

Diagnostic MissingBlock(const std::string& type, const BodyView& body) {
  return Message(DiagnosticCode::kMissingBlock, type, absl::StrCat("A block of type \"", type, "\" is required here."),
                 body.MissingItemRange(), body.source());
}

// The two blocks may stand in different files, so the place of the first is told in words.
Diagnostic SecondBlock(const std::string& type, const BlockView& first, const BlockView& second) {
  const Source* const source = first.body->source();
  return Message(DiagnosticCode::kDuplicateBlock, type,
                 absl::StrCat("Only one block of type \"", type, "\" is allowed. There is one already in ",
                              source == nullptr ? "" : source->name(), " on line ",
                              source == nullptr ? 0 : source->LineAt(first.header.begin), "."),
                 second.header, second.body->source());
}

Diagnostic SameLabels(const std::string& type, const BlockView& block) {
  std::string labels;
  for (const BlockLabel& label : block.labels) absl::StrAppend(&labels, " \"", ToAbsl(label.text), "\"");
  return Message(
      DiagnosticCode::kDuplicateLabels, type,
      absl::StrCat("There is a block ", type, labels, " already. The labels of ", type, " blocks must be unique."),
      block.header, block.body->source());
}

}  // namespace

// When there are several blocks, the first is decoded for what is wrong in it, and the value is the error about the
// second. That error is raised first, so that its message comes before those from inside of the block.
Result DecodeGenerator::GenerateBlock(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const std::vector<const BlockView*> blocks = BlocksOf(place.content, spec.name());
  const uint16_t mark = registers_.next();
  std::vector<Diagnostic> found;
  if (blocks.empty() && spec.required()) found.push_back(MissingBlock(spec.name(), place.body));
  if (blocks.size() > 1) found.push_back(SecondBlock(spec.name(), *blocks[0], *blocks[1]));
  const uint16_t error = registers_.Allocate();
  WithErrors(found, Result::Register(error), error);
  Result result = Constant(blocks.empty() ? NullOf(spec) : Value());
  if (!blocks.empty()) {
    const std::vector<LabelValue> labels = LabelsOf(*blocks[0]);
    result = GenerateBody(*spec.content(), *blocks[0]->body, labels, found.empty() ? dest : registers_.Allocate());
  }
  builder_->UseSource(place.body.source());
  if (!found.empty()) {
    registers_.MoveTo(Result::Register(error), dest);
    result = Result::Register(dest);
  }
  registers_.FreeTo(mark);
  return result;
}

// A tuple first, of whatever types, since elements of a list or set must be of one type, which is known when all are
// there; GatherBlocks makes it so. The count is checked here, as the blocks are in the text. The messages about blocks
// come before the one about their number, and point into the first block that is too many.
Result DecodeGenerator::GenerateBlockSequence(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const std::vector<const BlockView*> blocks = BlocksOf(place.content, spec.name());
  const uint16_t mark = registers_.next();
  const uint16_t tuple = registers_.Allocate();
  const uint16_t item = registers_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const BlockView* block : blocks) {
    const uint16_t inner = registers_.next();
    const std::vector<LabelValue> labels = LabelsOf(*block);
    const Result result = GenerateBody(*spec.content(), *block->body, labels, item);
    builder_->Emit(Opcode::kTuplePush, tuple, registers_.Rk(result));
    registers_.FreeTo(inner);
  }
  builder_->UseSource(place.body.source());
  std::vector<Diagnostic> found;
  const BlockCount count = spec.count();
  const absl::string_view noun = " blocks are ";
  if (blocks.size() < count.min) {
    found.push_back(Message(DiagnosticCode::kTooFewBlocks, spec.name(),
                            absl::StrCat("At least ", count.min, " \"", spec.name(), "\"", noun, "required, and there ",
                                         blocks.size() == 1 ? "is " : "are ", blocks.size(), "."),
                            place.body.MissingItemRange(), place.body.source()));
  } else if (count.max > 0 && blocks.size() > count.max) {
    const BlockView& extra = *blocks[count.max];
    found.push_back(Message(DiagnosticCode::kTooManyBlocks, spec.name(),
                            absl::StrCat("No more than ", count.max, " \"", spec.name(), "\"", noun,
                                         "allowed, and there are ", blocks.size(), "."),
                            RangeInBlock(*spec.content(), extra), extra.body->source()));
  }
  const uint16_t error = registers_.Allocate();
  WithErrors(found, Result::Register(error), error);
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  if (spec.kind() != Kind::kBlockTuple) {
    const DecodeRule* const rule = RuleOf(spec);
    // Only types that are not known before can turn out not to come to one.
    const bool may_fail = !blocks.empty() && open_types_.contains(&spec);
    const SourceRange at = may_fail ? RangeInBlock(*spec.content(), *blocks[0]) : place.body.MissingItemRange();
    if (may_fail) builder_->UseSource(blocks[0]->body->source());
    EmitDecode(GatherBlocks, "GatherBlocks", rule, dest, {at});
    builder_->UseSource(place.body.source());
  }
  if (!found.empty()) registers_.MoveTo(Result::Register(error), dest);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// Objects have their keys in order, so the blocks are sorted by their labels here, once, and need no sorting when the
// program runs. Equal labels are then neighbors; the sort is stable, so it is the later block that is one too many.
// Code is generated in the order of the text again, in which the blocks lie in memory: messages come in that order.
Result DecodeGenerator::GenerateLabeledBlocks(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const size_t levels = spec.names().size();
  std::vector<LabeledBlock> labeled;
  for (const BlockView* block : BlocksOf(place.content, spec.name())) {
    LabeledBlock entry{{}, block};
    for (size_t n = 0; n < levels; ++n) entry.labels.push_back(generator_.StringConstant(block->labels[n].text));
    labeled.push_back(std::move(entry));
  }
  std::stable_sort(labeled.begin(), labeled.end(), [](const LabeledBlock& a, const LabeledBlock& b) {
    return std::lexicographical_compare(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(),
                                        [](const Value& x, const Value& y) { return x.AsString() < y.AsString(); });
  });
  const auto same_labels = [](const LabeledBlock& a, const LabeledBlock& b) {
    return std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(),
                      [](const Value& x, const Value& y) { return x.AsString() == y.AsString(); });
  };
  // A block with labels that were there is looked at for what is wrong in it, and left out.
  std::vector<Diagnostic> found;
  for (size_t n = 1; n < labeled.size(); ++n) {
    if (!same_labels(labeled[n - 1], labeled[n])) continue;
    found.push_back(SameLabels(spec.name(), *labeled[n].block));
    const std::vector<LabelValue> all = LabelsOf(*labeled[n].block);
    const uint16_t unused = registers_.Allocate();
    GenerateBody(*spec.content(), *labeled[n].block->body, absl::MakeConstSpan(all).subspan(levels), unused);
  }
  labeled.erase(std::unique(labeled.begin(), labeled.end(), same_labels), labeled.end());
  const LabeledBlocks blocks = absl::MakeSpan(labeled);
  if (labeled.size() <= kMaxInRegisters) {
    for (LabeledBlock& entry : labeled) entry.reg = registers_.Allocate();
    std::vector<LabeledBlock*> in_order;
    for (LabeledBlock& entry : labeled) in_order.push_back(&entry);
    std::sort(in_order.begin(), in_order.end(),
              [](const LabeledBlock* a, const LabeledBlock* b) { return a->block < b->block; });
    for (LabeledBlock* entry : in_order) {
      const std::vector<LabelValue> all = LabelsOf(*entry->block);
      const Labels labels = absl::MakeConstSpan(all).subspan(levels);
      registers_.MoveTo(GenerateBody(*spec.content(), *entry->block->body, labels, entry->reg), entry->reg);
    }
    AssembleFromRegisters(blocks, 0, dest);
  } else {
    AssembleOneByOne(spec, blocks, 0, dest);
  }
  builder_->UseSource(place.body.source());
  if (spec.kind() == Kind::kBlockMap) {
    EmitDecode(GatherBlocks, "GatherBlocks", RuleOf(spec), dest, {place.body.MissingItemRange()});
  }
  const Result result = WithErrors(found, Result::Register(dest), dest);
  registers_.FreeTo(mark);
  return result;
}

void DecodeGenerator::EmitObject(absl::Span<const Value> keys, uint16_t run, uint16_t dest) {
  EmitShaped(builder_->AddShape(MakeShape(keys, builder_->heap()->arena())), keys.size(), run, dest);
}

// kMakeObject has 16 bits for its shape; in a program that has more shapes, an object is built value by value.
void DecodeGenerator::EmitShaped(uint32_t shape, size_t size, uint16_t run, uint16_t dest) {
  if (shape <= UINT16_MAX) {
    builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(shape));
    return;
  }
  const uint16_t mark = registers_.next();
  const uint16_t object = registers_.Allocate();
  const uint16_t value = registers_.Allocate();
  builder_->EmitX(Opcode::kFixedBegin, object, shape);
  for (size_t n = 0; n < size; ++n) {
    registers_.MoveTo(Result::Register(static_cast<uint16_t>(run + n)), value);
    builder_->EmitX(Opcode::kFixedPut, object, static_cast<uint32_t>(n));
  }
  builder_->Emit(Opcode::kFixedEnd, dest, object);
  registers_.FreeTo(mark);
}

// The values lie in registers one behind the other in the order of the labels. So the blocks of one first label are a
// run of them, and each level of labels makes its objects into a run again. Recursion: one level for each label.
void DecodeGenerator::AssembleFromRegisters(LabeledBlocks blocks, size_t level, uint16_t dest) {
  const uint16_t mark = registers_.next();
  std::vector<Value> keys;
  uint16_t run = blocks.empty() ? dest : blocks[0].reg;
  if (!blocks.empty() && level + 1 < blocks[0].labels.size()) {
    run = registers_.next();
    for (size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
      const std::string_view key = blocks[begin].labels[level].AsString();
      while (end < blocks.size() && blocks[end].labels[level].AsString() == key) ++end;
      keys.push_back(blocks[begin].labels[level]);
      AssembleFromRegisters(blocks.subspan(begin, end - begin), level + 1, registers_.Allocate());
    }
  } else {
    for (const LabeledBlock& entry : blocks) keys.push_back(entry.labels[level]);
  }
  EmitObject(keys, run, dest);
  registers_.FreeTo(mark);
}

// Each block is generated where its value is put into the object, in the order of labels and not of the text; only the
// order of messages shows it. Recursion: one level for each label.
void DecodeGenerator::AssembleOneByOne(const DecodeSpec& spec, LabeledBlocks blocks, size_t level, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t object = registers_.Allocate();
  const uint16_t value = registers_.Allocate();
  std::vector<Value> keys;
  for (const LabeledBlock& block : blocks) {
    const Value& label = block.labels[level];
    if (keys.empty() || keys.back().AsString() != label.AsString()) keys.push_back(label);
  }
  builder_->EmitX(Opcode::kFixedBegin, object, builder_->AddShape(MakeShape(keys, builder_->heap()->arena())));
  uint32_t position = 0;
  for (size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
    const uint16_t inner = registers_.next();
    const LabeledBlock& first = blocks[begin];
    while (end < blocks.size() && blocks[end].labels[level].AsString() == first.labels[level].AsString()) ++end;
    if (level + 1 < first.labels.size()) {
      AssembleOneByOne(spec, blocks.subspan(begin, end - begin), level + 1, value);
    } else {
      const std::vector<LabelValue> all = LabelsOf(*first.block);
      const Labels labels = absl::MakeConstSpan(all).subspan(first.labels.size());
      registers_.MoveTo(GenerateBody(*spec.content(), *first.block->body, labels, value), value);
    }
    builder_->EmitX(Opcode::kFixedPut, object, position++);
    registers_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kFixedEnd, dest, object);
  registers_.FreeTo(mark);
}

// Like GenerateBlock(), with the block's arguments for a content.
Result DecodeGenerator::GenerateBlockAttributes(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const std::vector<const BlockView*> blocks = BlocksOf(place.content, spec.name());
  const uint16_t mark = registers_.next();
  std::vector<Diagnostic> found;
  if (blocks.empty()) {
    if (spec.required()) found.push_back(MissingBlock(spec.name(), place.body));
    const Result null = Constant(NullOf(spec));
    const Result result = found.empty() ? null : WithErrors(found, null, dest);
    registers_.FreeTo(mark);
    return result;
  }
  if (blocks.size() > 1) found.push_back(SecondBlock(spec.name(), *blocks[0], *blocks[1]));
  const uint16_t error = registers_.Allocate();
  WithErrors(found, Result::Register(error), error);
  registers_.MoveTo(GenerateAttributesOf(spec, *blocks[0]->body, dest), dest);
  builder_->UseSource(place.body.source());
  if (!found.empty()) registers_.MoveTo(Result::Register(error), dest);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// Keys are sorted as the machine compares them, normalized: names that differ in the text may be one key, of which the
// first attribute in order counts. The elements are converted one by one, so that each has a message of its own, and
// gathered to a map in the end, where those of type `any` come to one type.
Result DecodeGenerator::GenerateAttributesOf(const DecodeSpec& spec, const BodyView& body, uint16_t dest) {
  const uint16_t mark = registers_.next();
  Diagnostics found(UINT32_MAX);
  const AttributeMap attributes = body.JustAttributes(&found);
  const uint16_t error = registers_.Allocate();
  builder_->UseSource(body.source());
  WithErrors(found.kept(), Result::Register(error), error);
  const auto [rule, is_new] = element_rules_.try_emplace(&spec, nullptr);
  if (is_new) {
    DecodeRule conversion;
    conversion.type = Import(spec.type());
    conversion.code = DiagnosticCode::kElementType;
    conversion.detail = absl::StrCat("Invalid value for attribute of \"", spec.name(), "\" block: ");
    rule->second = Keep(std::move(conversion));
  }
  std::map<std::string, const AttributeView*> sorted;  // by name, normalized
  for (const AttributeView& attribute : attributes) {
    sorted.emplace(generator_.StringConstant(attribute.name).AsString(), &attribute);
  }
  const uint16_t run = registers_.next();
  std::vector<Value> keys;
  for (const auto& [name, attribute] : sorted) {
    const uint16_t reg = registers_.Allocate();
    registers_.MoveTo(GenerateConverted(*attribute, spec, rule->second, reg), reg);
    keys.push_back(generator_.StringConstant(name));
  }
  EmitObject(keys, keys.empty() ? dest : run, dest);
  builder_->UseSource(body.source());
  EmitDecode(GatherBlocks, "GatherBlocks", RuleOf(spec), dest, {body.MissingItemRange()});
  if (!found.empty()) registers_.MoveTo(Result::Register(error), dest);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

}  // namespace hcl::internal
