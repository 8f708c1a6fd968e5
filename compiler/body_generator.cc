// BodyGenerator. Recursion follows the nesting of blocks, which the parser has bounded, and the labels of one block,
// which are walked in a loop. Tested by compiler/body_generator_test.cc.

#include "compiler/body_generator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_string.h"
#include "vm/builders.h"

namespace hcl::internal {
namespace {

// Items grouped by a name, in the order of first appearance.
template <typename Item>
class Groups {
 public:
  void Add(std::string_view name, Item item) {
    auto [it, added] = index_.try_emplace(std::string(name), groups_.size());
    if (added) groups_.push_back({name, {}});
    groups_[it->second].second.push_back(item);
  }
  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  std::vector<std::pair<std::string_view, std::vector<Item>>> groups_;
  absl::flat_hash_map<std::string, size_t> index_;
};

std::string BlockPath(const Block& block, const std::string& prefix) {
  std::string path = absl::StrCat(prefix, ToAbsl(block.type));
  for (const BlockLabel& label : block.labels) absl::StrAppend(&path, ".", ToAbsl(label.text));
  return path;
}

uint16_t Mode(RepeatedKey mode) { return static_cast<uint16_t>(mode); }

}  // namespace

void BodyGenerator::Generate(const Body& body) {
  GenerateAttributes(body, "");
  builder_->BeginChunk();
  generator_.ResetRegisters();
  const uint16_t dest = generator_.Allocate();
  AssembleBody(body, dest);
  builder_->Emit(Opcode::kReturn, 0, dest);
  builder_->SetMain(builder_->EndChunk(generator_.used_registers()));
}

void BodyGenerator::GenerateAttributes(const Body& body, const std::string& prefix) {
  for (const Attribute& attribute : body.attributes) {
    const uint32_t chunk = generator_.GenerateChunk(*attribute.expr);
    chunks_[&attribute] = chunk;
    builder_->AddEntry(absl::StrCat(prefix, ToAbsl(attribute.name)), chunk, attribute.name_range);
  }
  Groups<const Block*> by_path;
  for (const Block& block : body.blocks) by_path.Add(BlockPath(block, prefix), &block);
  for (const auto& [unused, blocks] : by_path) {
    const std::string path = BlockPath(*blocks[0], prefix);
    for (size_t n = 0; n < blocks.size(); ++n) {
      // Blocks with the same type and labels are told apart by their number.
      GenerateAttributes(*blocks[n]->body, blocks.size() == 1 ? path + "." : absl::StrCat(path, ".", n, "."));
    }
  }
}

void BodyGenerator::PutProperty(uint16_t object, std::string_view name, uint16_t value) {
  const uint16_t mark = generator_.next();
  const uint16_t key = generator_.RkConstant(generator_.StringConstant(name));
  builder_->Emit(Opcode::kObjectPut, object, key, value, {SourceRange{}});
  generator_.FreeTo(mark);
}

void BodyGenerator::AssembleBody(const Body& body, uint16_t dest) {
  const uint16_t mark = generator_.next();
  const uint16_t object = generator_.Allocate();
  const uint16_t value = generator_.Allocate();
  builder_->Emit(Opcode::kObjectBegin, object, Mode(RepeatedKey::kReplace));
  absl::flat_hash_map<std::string, SourceRange> names;
  for (const Attribute& attribute : body.attributes) {
    names.try_emplace(std::string(attribute.name), attribute.name_range);
    builder_->EmitX(Opcode::kCallChunk, value, chunks_[&attribute]);
    PutProperty(object, attribute.name, value);
  }
  Groups<const Block*> by_type;
  for (const Block& block : body.blocks) by_type.Add(block.type, &block);
  for (const auto& [type, blocks] : by_type) {
    if (names.contains(ToAbsl(type))) {
      Diagnostic diagnostic;
      diagnostic.summary = "Attribute and block of the same name";
      diagnostic.detail =
          absl::StrCat("The name \"", ToAbsl(type), "\" stands for an attribute and for a block of this ",
                       "body, so the body has no value as an object. Each can be evaluated by itself.");
      diagnostic.subject = blocks[0]->type_range;
      builder_->EmitX(Opcode::kRaise, value, builder_->AddDiagnostic(std::move(diagnostic)), {blocks[0]->type_range});
    } else {
      AssembleBlocks(blocks, 0, value);
    }
    PutProperty(object, type, value);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, object);
  generator_.FreeTo(mark);
}

void BodyGenerator::AssembleBlocks(const Blocks& blocks, size_t level, uint16_t dest) {
  for (const Block* block : blocks) {
    if (block->labels.size() != blocks[0]->labels.size()) return AssembleMixed(blocks, dest);
  }
  if (level < blocks[0]->labels.size()) return AssembleLabels(blocks, level, dest);
  const uint16_t mark = generator_.next();
  const uint16_t tuple = generator_.Allocate();
  const uint16_t item = generator_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const Block* block : blocks) {
    AssembleBody(*block->body, item);
    builder_->Emit(Opcode::kTuplePush, tuple, item);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  generator_.FreeTo(mark);
}

void BodyGenerator::AssembleLabels(const Blocks& blocks, size_t level, uint16_t dest) {
  const uint16_t mark = generator_.next();
  const uint16_t object = generator_.Allocate();
  const uint16_t value = generator_.Allocate();
  builder_->Emit(Opcode::kObjectBegin, object, Mode(RepeatedKey::kReplace));
  Groups<const Block*> by_label;
  for (const Block* block : blocks) by_label.Add(block->labels[level].text, block);
  for (const auto& [label, labeled] : by_label) {
    AssembleBlocks(labeled, level + 1, value);
    PutProperty(object, label, value);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, object);
  generator_.FreeTo(mark);
}

void BodyGenerator::AssembleMixed(const Blocks& blocks, uint16_t dest) {
  const uint16_t mark = generator_.next();
  const uint16_t tuple = generator_.Allocate();
  const uint16_t item = generator_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const Block* block : blocks) {
    AssembleBody(*block->body, item);
    for (size_t n = block->labels.size(); n-- > 0;) {
      const uint16_t object = generator_.Allocate();
      builder_->Emit(Opcode::kObjectBegin, object, Mode(RepeatedKey::kReplace));
      PutProperty(object, block->labels[n].text, item);
      builder_->Emit(Opcode::kObjectEnd, item, object);
      generator_.FreeTo(object);
    }
    builder_->Emit(Opcode::kTuplePush, tuple, item);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  generator_.FreeTo(mark);
}

}  // namespace hcl::internal
