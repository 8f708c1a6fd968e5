// BodyGenerator. Recursion follows the nesting of blocks and their labels, which the parser has bounded together.
// Tested as compiler/body_generator.h says.

#include "hclvm/compiler/body_generator.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/intern_index.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Bytes that the paths of entries may take for each byte of a config, and besides. Each path repeats the types and
// labels of the blocks around, so a config with one long label could ask for the square of its size. Ten is much in
// practice.
constexpr size_t kPathBytesPerByte = 64;
constexpr size_t kFreePathBytes = 16 << 20;

}  // namespace

// Blocks grouped by a name, in the order of first appearance.
class BodyGenerator::Groups {
 public:
  struct Group {
    std::string_view name;
    Blocks blocks;
  };

  // `name` must live as long as this; when `names` is not null, it is copied there instead.
  void Add(std::string_view name, const Block* block, Arena* names = nullptr) {
    const uint64_t hash = index_ ? HashString(name) : 0;
    Group* group = Find(name, hash);
    if (group == nullptr) {
      groups_.emplace_back().name = names != nullptr ? names->CopyString(name) : name;
      group = &groups_.back();
      if (index_) {
        index_->Add(hash, static_cast<uint32_t>(groups_.size() - 1));
      } else if (groups_.size() > kMaxLinear) {
        IndexAll();
      }
    }
    group->blocks.push_back(block);
  }

  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  static constexpr size_t kMaxLinear = 8;  // so many are compared one by one

  Group* Find(std::string_view name, uint64_t hash) {
    const auto is_that = [name](const Group& group) { return group.name == name; };
    if (!index_) {
      const auto group = std::find_if(groups_.begin(), groups_.end(), is_that);
      return group == groups_.end() ? nullptr : &*group;
    }
    const auto found = index_->Find(hash, [&](uint32_t group) { return is_that(groups_[group]); });
    return found ? &groups_[*found] : nullptr;
  }

  void IndexAll() {
    index_.emplace();
    for (size_t n = 0; n < groups_.size(); ++n) index_->Add(HashString(groups_[n].name), static_cast<uint32_t>(n));
  }

  std::vector<Group> groups_;
  std::optional<InternIndex> index_;  // of all, where they are many
};

void BodyGenerator::BindEntries(const Body& body, bool names_entries) {
  needs_code_ = false;
  names_entries_ = names_entries;
  generator_.SetBindsOnly();
  GenerateAll(body);
}

void BodyGenerator::GenerateAll(const Body& body) {
  max_path_bytes_ = kFreePathBytes + kPathBytesPerByte * (body.range.end - body.range.begin);
  GenerateAttributes(body);
  generator_.FinishChunks();
}

void BodyGenerator::Generate(const Body& body) {
  GenerateAll(body);
  builder_->BeginChunk();
  registers_.Reset();
  const uint16_t dest = registers_.Allocate();
  AssembleBody(body, dest);
  builder_->Emit(Opcode::kReturn, 0, dest);
  builder_->SetMain(builder_->EndChunk(registers_.used()));
}

void BodyGenerator::AppendToPath(const Block& block) {
  path_.append(block.type);
  for (const BlockLabel& label : block.labels) path_.append(".").append(label.text);
}

void BodyGenerator::AddEntry(const Attribute& attribute, uint32_t chunk) {
  const size_t bytes = path_.size() + attribute.name.size();
  const bool was_full = path_bytes_ > max_path_bytes_;
  path_bytes_ += bytes;
  if (path_bytes_ <= max_path_bytes_) {
    if (names_entries_) builder_->AddEntry(path_, attribute.name, chunk, attribute.name_range);
    return;
  }
  if (was_full) return;  // and was reported
  diagnostics_->AddLimit(attribute.name_range, DiagnosticCode::kPathsTooLong,
                         absl::StrCat("The types and labels of the blocks around each attribute take more than ",
                                      max_path_bytes_, " bytes in all, which is the limit for a config of this size."));
}

// An observer looks at each chunk as soon as it is told of it.
uint32_t BodyGenerator::ChunkOf(const Expr& expr) {
  if (!needs_code_) return generator_.BindChunk(expr);
  return observer_ == nullptr ? generator_.PostponeChunk(expr) : generator_.GenerateChunk(expr);
}

void BodyGenerator::GenerateAttributes(const Body& body) {
  if (observer_ != nullptr) observer_->BeginBody(body);
  for (const Attribute& attribute : body.attributes) {
    if (observer_ != nullptr) observer_->BeginExpr(*attribute.expr);
    const uint32_t chunk = ChunkOf(*attribute.expr);
    if (observer_ != nullptr) observer_->EndChunk(*attribute.expr, chunk);
    if (needs_code_ && &attribute == body.attributes.data()) first_chunk_[&body] = chunk;
    AddEntry(attribute, chunk);
  }
  if (!body.blocks.empty()) GenerateBlocks(body);
}

// The path of an entry is put together in one text that grows and shrinks, since most of it is that of the entry
// before. Paths are grouped for two and more blocks only: nested ones are alone, mostly.
void BodyGenerator::GenerateBlocks(const Body& body) {
  const size_t outer = path_.size();
  if (body.blocks.size() == 1) {  // its path is its own
    AppendToPath(body.blocks[0]);
    path_.append(".");
    GenerateAttributes(*body.blocks[0].body);
    path_.resize(outer);
    return;
  }
  Arena names;
  Groups by_path;
  for (const Block& block : body.blocks) {
    AppendToPath(block);
    by_path.Add(std::string_view(path_).substr(outer), &block, &names);
    path_.resize(outer);
  }
  for (const auto& [name, blocks] : by_path) {
    path_.append(name).append(".");
    const size_t inner = path_.size();
    for (size_t n = 0; n < blocks.size(); ++n) {
      // Blocks with the same type and labels are told apart by their number.
      if (blocks.size() > 1) absl::StrAppend(&path_, n, ".");
      GenerateAttributes(*blocks[n]->body);
      path_.resize(inner);
    }
    path_.resize(outer);
  }
}

BodyGenerator::KnownObject BodyGenerator::ObjectOf(absl::Span<const std::string_view> names) {
  absl::InlinedVector<Value, 8> keys;
  for (std::string_view name : names) keys.push_back(generator_.StringConstant(name));
  KnownObject object;
  object.positions.resize(names.size());
  object.shape = builder_->AddShape(MakeShape(keys, absl::MakeSpan(object.positions), builder_->heap()->arena()));
  return object;
}

// Blocks of one type mostly have the same attributes in the same order, so what is known of a list of names is kept,
// and most of them stand behind each other.
const BodyGenerator::Positions& BodyGenerator::BeginObject(absl::Span<const std::string_view> names, uint16_t object) {
  if (last_object_ == nullptr || names != absl::MakeConstSpan(last_names_)) {
    last_object_ = &KnownObjectOf(names);
    last_names_.clear();
    last_names_.Append(names);
  }
  builder_->EmitX(Opcode::kFixedBegin, object, last_object_->shape);
  return last_object_->positions;
}

const BodyGenerator::KnownObject& BodyGenerator::KnownObjectOf(absl::Span<const std::string_view> names) {
  std::string key;
  for (std::string_view name : names) {
    const auto size = static_cast<uint32_t>(name.size());
    key.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(name);
  }
  const auto [known, is_new] = objects_.try_emplace(std::move(key));
  if (is_new) known->second = std::make_unique<const KnownObject>(ObjectOf(names));
  return *known->second;
}

// Properties are put from the register behind the object's.
void BodyGenerator::AssembleBody(const Body& body, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t object = registers_.Allocate();
  const uint16_t value = registers_.Allocate();
  Names names;
  for (const Attribute& attribute : body.attributes) names.push_back(attribute.name);
  Groups by_type;
  for (const Block& block : body.blocks) by_type.Add(block.type, &block);
  for (const auto& [type, blocks] : by_type) names.push_back(type);
  const Positions& positions = BeginObject(names, object);
  const uint32_t first_chunk = body.attributes.empty() ? 0 : first_chunk_[&body];
  size_t n = 0;
  for (; n < body.attributes.size(); ++n) {
    AssembleAttribute(first_chunk + static_cast<uint32_t>(n), object, value);
    builder_->EmitX(Opcode::kFixedPut, object, positions[n]);
  }
  HashSet<uint32_t> taken;
  if (!body.blocks.empty()) taken.insert(positions.begin(), positions.begin() + static_cast<ptrdiff_t>(n));
  for (const auto& [type, blocks] : by_type) {
    if (taken.contains(positions[n])) {
      if (observer_ != nullptr) observer_->BeginBlock(*blocks[0]);
      RaiseNameTaken(*blocks[0], value);
    } else {
      AssembleBlocks(blocks, 0, value);
    }
    builder_->EmitX(Opcode::kFixedPut, object, positions[n++]);
  }
  builder_->Emit(Opcode::kFixedEnd, dest, object);
  registers_.FreeTo(mark);
}

// Most attributes of a config that holds data are constants, and of one that makes a request's parts anew paths: going
// to a chunk and back costs more than either.
void BodyGenerator::AssembleAttribute(uint32_t chunk, uint16_t object, uint16_t dest) {
  if (const std::optional<uint32_t> constant = builder_->ConstantOf(chunk)) {
    builder_->EmitX(Opcode::kLoadConst, dest, *constant);
    return;
  }
  if (const std::optional<uint32_t> path = builder_->PathOf(chunk)) {
    builder_->EmitX(Opcode::kFixedTake, object, *path);
  }
  builder_->EmitX(Opcode::kCallChunk, dest, chunk);
}

void BodyGenerator::RaiseNameTaken(const Block& block, uint16_t dest) {
  Diagnostic diagnostic(DiagnosticCode::kAttributeAndBlock);
  diagnostic.detail =
      absl::StrCat("The name \"", ToAbsl(block.type), "\" stands for an attribute and for a block of this ",
                   "body, so the body has no value as an object. Each can be evaluated by itself.");
  diagnostic.subject = block.type_range;
  builder_->EmitX(Opcode::kRaise, dest, builder_->AddDiagnostic(std::move(diagnostic)), {block.type_range});
}

void BodyGenerator::AssembleBlocks(const Blocks& blocks, size_t level, uint16_t dest) {
  const auto ended = std::count_if(blocks.begin(), blocks.end(),
                                   [level](const Block* block) { return block->labels.size() == level; });
  if (ended == 0) return AssembleLabels(blocks, level, dest);
  if (static_cast<size_t>(ended) < blocks.size()) return AssembleMixed(blocks, level, dest);
  const uint16_t mark = registers_.next();
  const uint16_t tuple = registers_.Allocate();
  const uint16_t item = registers_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const Block* block : blocks) {
    AssembleBody(*block->body, item);
    builder_->Emit(Opcode::kTuplePush, tuple, item);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  registers_.FreeTo(mark);
}

void BodyGenerator::AssembleLabels(const Blocks& blocks, size_t level, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t object = registers_.Allocate();
  const uint16_t value = registers_.Allocate();
  Groups by_label;
  for (const Block* block : blocks) by_label.Add(block->labels[level].text, block);
  Names names;
  for (const auto& [label, labeled] : by_label) names.push_back(label);
  const Positions& positions = BeginObject(names, object);
  size_t n = 0;
  for (const auto& [label, labeled] : by_label) {
    AssembleBlocks(labeled, level + 1, value);
    builder_->EmitX(Opcode::kFixedPut, object, positions[n++]);
  }
  builder_->Emit(Opcode::kFixedEnd, dest, object);
  registers_.FreeTo(mark);
}

void BodyGenerator::AssembleMixed(const Blocks& blocks, size_t level, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t tuple = registers_.Allocate();
  const uint16_t object = registers_.Allocate();
  const uint16_t item = registers_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, tuple);
  for (const Block* block : blocks) {
    AssembleBody(*block->body, item);
    for (size_t n = block->labels.size(); n-- > level;) {
      BeginObject({block->labels[n].text}, object);
      builder_->EmitX(Opcode::kFixedPut, object, 0);
      builder_->Emit(Opcode::kFixedEnd, item, object);
    }
    builder_->Emit(Opcode::kTuplePush, tuple, item);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, tuple);
  registers_.FreeTo(mark);
}

}  // namespace hcl::internal
