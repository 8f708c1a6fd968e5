// DecodeGenerator: specs about blocks. Tested by decode/decoder_test.cc.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/decode/decode_generator.h"
#include "hclvm/vm/builders.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {
namespace {

using Kind = DecodeSpec::Kind;

// So many labeled blocks are put together from as many registers, in one instruction.
constexpr size_t kMaxInRegisters = 4096;

std::vector<const BlockView*> BlocksOf(const BodyContent& content, std::string_view type) {
  std::vector<const BlockView*> blocks;
  for (const BlockView& block : content.blocks) {
    if (block.type == type) blocks.push_back(&block);
  }
  return blocks;
}

Diagnostic Message(std::string summary, std::string detail, SourceRange subject, const Source* source) {
  Diagnostic diagnostic;
  diagnostic.summary = std::move(summary);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = subject;
  diagnostic.source = source;
  return diagnostic;
}

Diagnostic MissingBlock(const std::string& type, const BodyView& body) {
  return Message(absl::StrCat("Missing ", type, " block"),
                 absl::StrCat("A block of type \"", type, "\" is required here."), body.MissingItemRange(),
                 body.source());
}

Diagnostic SecondBlock(const std::string& type, const BlockView& first, const BlockView& second) {
  const Source* const source = first.body->source();
  return Message(absl::StrCat("Duplicate ", type, " block"),
                 absl::StrCat("Only one block of type \"", type, "\" is allowed. There is one already in ",
                              source == nullptr ? "" : source->name(), " on line ",
                              source == nullptr ? 0 : source->PositionAt(first.header.begin).line, "."),
                 second.header, second.body->source());
}

Diagnostic SameLabels(const std::string& type, const BlockView& block) {
  std::string labels;
  for (const BlockLabel& label : block.labels) absl::StrAppend(&labels, " \"", ToAbsl(label.text), "\"");
  return Message(
      absl::StrCat("Duplicate ", type, " block"),
      absl::StrCat("There is a block ", type, labels, " already. The labels of ", type, " blocks must be unique."),
      block.header, block.body->source());
}

}  // namespace

Result DecodeGenerator::GenerateBlock(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const std::vector<const BlockView*> blocks = BlocksOf(place.content, spec.name());
  const uint16_t mark = generator_.next();
  std::vector<Diagnostic> found;
  if (blocks.empty() && spec.required()) found.push_back(MissingBlock(spec.name(), place.body));
  if (blocks.size() > 1) found.push_back(SecondBlock(spec.name(), *blocks[0], *blocks[1]));
  const uint16_t error = generator_.Allocate();
  WithErrors(found, Result::Register(error), error);
  Result result = Result::Constant(blocks.empty() ? NullOf(spec) : Value());
  if (!blocks.empty()) {
    const std::vector<LabelValue> labels = LabelsOf(*blocks[0]);
    result = GenerateBody(*spec.content(), *blocks[0]->body, labels, found.empty() ? dest : generator_.Allocate());
  }
  builder_->UseSource(place.body.source());
  if (!found.empty()) {
    generator_.MoveTo(Result::Register(error), dest);
    result = Result::Register(dest);
  }
  generator_.FreeTo(mark);
  return result;
}

Result DecodeGenerator::GenerateBlockSequence(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const std::vector<const BlockView*> blocks = BlocksOf(place.content, spec.name());
  const uint16_t mark = generator_.next();
  const uint16_t tuple = generator_.Allocate();
  const uint16_t item = generator_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const BlockView* block : blocks) {
    const uint16_t inner = generator_.next();
    const std::vector<LabelValue> labels = LabelsOf(*block);
    const Result result = GenerateBody(*spec.content(), *block->body, labels, item);
    builder_->Emit(Opcode::kTuplePush, tuple, generator_.Rk(result));
    generator_.FreeTo(inner);
  }
  builder_->UseSource(place.body.source());
  std::vector<Diagnostic> found;
  const BlockCount count = spec.count();
  const absl::string_view noun = " blocks are ";
  if (blocks.size() < count.min) {
    found.push_back(Message(absl::StrCat("Insufficient ", spec.name(), " blocks"),
                            absl::StrCat("At least ", count.min, " \"", spec.name(), "\"", noun, "required, and there ",
                                         blocks.size() == 1 ? "is " : "are ", blocks.size(), "."),
                            place.body.MissingItemRange(), place.body.source()));
  } else if (count.max > 0 && blocks.size() > count.max) {
    const BlockView& extra = *blocks[count.max];
    found.push_back(Message(absl::StrCat("Too many ", spec.name(), " blocks"),
                            absl::StrCat("No more than ", count.max, " \"", spec.name(), "\"", noun,
                                         "allowed, and there are ", blocks.size(), "."),
                            RangeInBlock(*spec.content(), extra), extra.body->source()));
  }
  const uint16_t error = generator_.Allocate();
  WithErrors(found, Result::Register(error), error);
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  if (spec.kind() != Kind::kBlockTuple) {
    const uint32_t rule = RuleOf(spec);
    // Only types that are not known before can turn out not to come to one.
    const bool may_fail = !blocks.empty() && open_types_.contains(&spec);
    const SourceRange at = may_fail ? RangeInBlock(*spec.content(), *blocks[0]) : place.body.MissingItemRange();
    if (may_fail) builder_->UseSource(blocks[0]->body->source());
    builder_->EmitX(Opcode::kGatherBlocks, dest, rule, {at});
    builder_->UseSource(place.body.source());
  }
  if (!found.empty()) generator_.MoveTo(Result::Register(error), dest);
  generator_.FreeTo(mark);
  return Result::Register(dest);
}

Result DecodeGenerator::GenerateLabeledBlocks(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const uint16_t mark = generator_.next();
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
    const uint16_t unused = generator_.Allocate();
    GenerateBody(*spec.content(), *labeled[n].block->body, absl::MakeConstSpan(all).subspan(levels), unused);
  }
  labeled.erase(std::unique(labeled.begin(), labeled.end(), same_labels), labeled.end());
  const LabeledBlocks blocks = absl::MakeSpan(labeled);
  if (labeled.size() <= kMaxInRegisters) {
    for (LabeledBlock& entry : labeled) entry.reg = generator_.Allocate();
    std::vector<LabeledBlock*> in_order;
    for (LabeledBlock& entry : labeled) in_order.push_back(&entry);
    std::sort(in_order.begin(), in_order.end(),
              [](const LabeledBlock* a, const LabeledBlock* b) { return a->block < b->block; });
    for (LabeledBlock* entry : in_order) {
      const std::vector<LabelValue> all = LabelsOf(*entry->block);
      const Labels labels = absl::MakeConstSpan(all).subspan(levels);
      generator_.MoveTo(GenerateBody(*spec.content(), *entry->block->body, labels, entry->reg), entry->reg);
    }
    AssembleFromRegisters(blocks, 0, dest);
  } else {
    AssembleOneByOne(spec, blocks, 0, dest);
  }
  builder_->UseSource(place.body.source());
  if (spec.kind() == Kind::kBlockMap) {
    builder_->EmitX(Opcode::kGatherBlocks, dest, RuleOf(spec), {place.body.MissingItemRange()});
  }
  const Result result = WithErrors(found, Result::Register(dest), dest);
  generator_.FreeTo(mark);
  return result;
}

void DecodeGenerator::EmitObject(absl::Span<const Value> keys, uint16_t run, uint16_t dest) {
  if (builder_->shape_count() <= UINT16_MAX) {
    const uint32_t shape = builder_->AddShape(MakeShape(keys, builder_->heap()->arena()));
    builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(shape));
    return;
  }
  const uint16_t mark = generator_.next();
  const uint16_t object = generator_.Allocate();
  builder_->Emit(Opcode::kObjectBegin, object, static_cast<uint16_t>(RepeatedKey::kReplace));
  for (size_t n = 0; n < keys.size(); ++n) {
    const uint16_t inner = generator_.next();
    builder_->Emit(Opcode::kObjectPut, object, generator_.RkConstant(keys[n]), static_cast<uint16_t>(run + n),
                   {SourceRange{}});
    generator_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, object);
  generator_.FreeTo(mark);
}

void DecodeGenerator::AssembleFromRegisters(LabeledBlocks blocks, size_t level, uint16_t dest) {
  const uint16_t mark = generator_.next();
  std::vector<Value> keys;
  uint16_t run = blocks.empty() ? dest : blocks[0].reg;
  if (!blocks.empty() && level + 1 < blocks[0].labels.size()) {
    run = generator_.next();
    for (size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
      const std::string_view key = blocks[begin].labels[level].AsString();
      while (end < blocks.size() && blocks[end].labels[level].AsString() == key) ++end;
      keys.push_back(blocks[begin].labels[level]);
      AssembleFromRegisters(blocks.subspan(begin, end - begin), level + 1, generator_.Allocate());
    }
  } else {
    for (const LabeledBlock& entry : blocks) keys.push_back(entry.labels[level]);
  }
  EmitObject(keys, run, dest);
  generator_.FreeTo(mark);
}

void DecodeGenerator::AssembleOneByOne(const DecodeSpec& spec, LabeledBlocks blocks, size_t level, uint16_t dest) {
  const uint16_t mark = generator_.next();
  const uint16_t object = generator_.Allocate();
  const uint16_t value = generator_.Allocate();
  builder_->Emit(Opcode::kObjectBegin, object, static_cast<uint16_t>(RepeatedKey::kReplace));
  for (size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
    const uint16_t inner = generator_.next();
    const LabeledBlock& first = blocks[begin];
    while (end < blocks.size() && blocks[end].labels[level].AsString() == first.labels[level].AsString()) ++end;
    if (level + 1 < first.labels.size()) {
      AssembleOneByOne(spec, blocks.subspan(begin, end - begin), level + 1, value);
    } else {
      const std::vector<LabelValue> all = LabelsOf(*first.block);
      const Labels labels = absl::MakeConstSpan(all).subspan(first.labels.size());
      generator_.MoveTo(GenerateBody(*spec.content(), *first.block->body, labels, value), value);
    }
    builder_->Emit(Opcode::kObjectPut, object, generator_.RkConstant(first.labels[level]), value, {SourceRange{}});
    generator_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, object);
  generator_.FreeTo(mark);
}

Result DecodeGenerator::GenerateBlockAttributes(const DecodeSpec& spec, const Place& place, uint16_t dest) {
  const std::vector<const BlockView*> blocks = BlocksOf(place.content, spec.name());
  const uint16_t mark = generator_.next();
  std::vector<Diagnostic> found;
  if (blocks.empty()) {
    if (spec.required()) found.push_back(MissingBlock(spec.name(), place.body));
    const Result null = Result::Constant(NullOf(spec));
    const Result result = found.empty() ? null : WithErrors(found, null, dest);
    generator_.FreeTo(mark);
    return result;
  }
  if (blocks.size() > 1) found.push_back(SecondBlock(spec.name(), *blocks[0], *blocks[1]));
  const uint16_t error = generator_.Allocate();
  WithErrors(found, Result::Register(error), error);
  generator_.MoveTo(GenerateAttributesOf(spec, *blocks[0]->body, dest), dest);
  builder_->UseSource(place.body.source());
  if (!found.empty()) generator_.MoveTo(Result::Register(error), dest);
  generator_.FreeTo(mark);
  return Result::Register(dest);
}

Result DecodeGenerator::GenerateAttributesOf(const DecodeSpec& spec, const BodyView& body, uint16_t dest) {
  const uint16_t mark = generator_.next();
  Diagnostics found(UINT32_MAX);
  const AttributeMap attributes = body.JustAttributes(&found);
  const uint16_t error = generator_.Allocate();
  builder_->UseSource(body.source());
  WithErrors(found.kept(), Result::Register(error), error);
  const auto [rule, is_new] = element_rules_.try_emplace(&spec, 0);
  if (is_new) {
    DecodeRule conversion;
    conversion.type = Import(spec.type());
    conversion.summary = "Invalid attribute value";
    conversion.detail = absl::StrCat("Invalid value for attribute of \"", spec.name(), "\" block: ");
    rule->second = builder_->AddRule(std::move(conversion));
  }
  std::map<std::string, const AttributeView*> sorted;  // by name, normalised
  for (const AttributeView& attribute : attributes) {
    sorted.emplace(generator_.StringConstant(attribute.name).AsString(), &attribute);
  }
  const uint16_t run = generator_.next();
  std::vector<Value> keys;
  for (const auto& [name, attribute] : sorted) {
    const uint16_t reg = generator_.Allocate();
    generator_.MoveTo(GenerateConverted(*attribute, spec, rule->second, reg), reg);
    keys.push_back(generator_.StringConstant(name));
  }
  EmitObject(keys, keys.empty() ? dest : run, dest);
  builder_->UseSource(body.source());
  builder_->EmitX(Opcode::kGatherBlocks, dest, RuleOf(spec), {body.MissingItemRange()});
  if (!found.empty()) generator_.MoveTo(Result::Register(error), dest);
  generator_.FreeTo(mark);
  return Result::Register(dest);
}

}  // namespace hcl::internal
