// TreeBuilder. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/tree_builder.h"

#include <algorithm>

#include "hclvm/compiler/facts.h"

namespace hcl::internal {

// A short text is one expression, mostly, whose tree then takes one block of memory.
TreeBuilder::TreeBuilder(ProgramBuilder* builder, PartTypes* types) : builder_(*builder), types_(*types) {
  constexpr size_t kLeastBytes = 2048, kMostBytes = 1 << 15, kBytesPerByte = 32;
  const size_t bytes = std::min(builder->source_bytes(), kMostBytes) * kBytesPerByte;
  arena_ = Arena(std::clamp(bytes, kLeastBytes, kMostBytes));
}

void TreeBuilder::ForgetTrees() {
  arena_.Reset();
  tree_count_ = 0;
}

void TreeBuilder::BeginKept() {
  kept_trees_.push_back(std::make_unique<BoundTree>());
  std::swap(arena_, kept_arena_);
  BeginIn(kept_trees_.back().get());
}

void TreeBuilder::BeginIn(BoundTree* tree) {
  tree_ = tree;
  tree_->nodes_.clear();
  tree_->path_reads_.clear();
  tree_->local_reads_.clear();
  tree_->decisions_ = tree_->calls_ = tree_->loops_ = tree_->templates_ = tree_->raises_ = 0;
  tree_->value_numbers_.clear();
}

// Trees are kept with their memory. Most compilations need one.
BoundTree* TreeBuilder::TakeTree() {
  const size_t n = tree_count_++;
  if (n == 0) return &first_tree_;
  if (n > other_trees_.size()) other_trees_.push_back(std::make_unique<BoundTree>());
  return other_trees_[n - 1].get();
}

const NamedTree* TreeBuilder::Name(const BoundTree& kept, bool is_read_once) {
  auto* const named = kept_arena_.New<NamedTree>();
  uint64_t size = kept.nodes().size();
  named->tree = &kept;
  named->is_read_once = is_read_once;
  for (const BoundPath* read : kept.path_reads()) {
    if (read->named == nullptr) continue;
    size += read->named->size;
    named->height = std::max(named->height, read->named->height);
  }
  named->size = static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX));
  named->height += kept.root().height;
  return named;
}

void TreeBuilder::AddPath(BoundPath* node) {
  ScratchList<PathStep> path(&path_);
  for (const BoundStep& step : node->steps) path.Add({step.key, step.is_attribute});
  node->path = builder_.AddPath(node->slot, path.view());
}

void TreeBuilder::AddPaths() {
  for (BoundExpr* node : tree_->nodes_) {
    if (node->kind == BoundKind::kPath) AddPath(static_cast<BoundPath*>(node));
  }
}

void TreeBuilder::Rewind(const Mark& mark) {
  tree_->nodes_.Shrink(mark.id);
  tree_->path_reads_.Shrink(mark.paths);
  tree_->local_reads_.Shrink(mark.locals);
  tree_->decisions_ = mark.decisions;
}

void TreeBuilder::Place(BoundExpr* node, const Mark& mark) {
  Append(node, mark);
  SetFacts(node, is_for_code_);
  if (node->first == node->id) return;
  if (node->kind == BoundKind::kTuple || node->kind == BoundKind::kObject) node->type = types_.OfParts(*node);
}

// The path gets its number in the program's table here, and not when code is emitted: two reads of one path then are
// one number to all code that compares or counts them.
void TreeBuilder::AddRead(BoundPath* node, const Mark& mark) {
  if (is_for_code_) AddPath(node);
  tree_->path_reads_.push_back(node);
  Append(node, mark);
}

void TreeBuilder::AddRead(BoundLocal* node, const Mark& mark) {
  tree_->local_reads_.push_back(node);
  Place(node, mark);
}

BoundConstant* TreeBuilder::AddConstant(const Mark& mark, SourceRange range, const Value& value) {
  if (tree_->nodes_.size() != mark.id) Rewind(mark);
  auto* const node = New<BoundConstant>(range, value);
  Append(node, mark);
  SetConstantFacts(node);
  return node;
}

BoundConstant* TreeBuilder::AddFolded(const Mark& mark, SourceRange range, const Value& value, Type type,
                                      bool never_null) {
  BoundConstant* const node = AddConstant(mark, range, value);
  node->type = type;
  node->never_null = never_null;
  node->sure_bool = type == Type::Bool();
  return node;
}

BoundConstant* TreeBuilder::AddLiteral(const Mark& mark, const BoundExpr* literal, const Value& value) {
  auto* const node = New<BoundConstant>(literal->range, value);
  node->literal = literal;
  return Add(node, mark);
}

BoundRaise* TreeBuilder::AddRaise(const Mark& mark, SourceRange range, Diagnostic diagnostic) {
  Rewind(mark);
  ++tree_->raises_;
  const SourceRange subject = diagnostic.subject.value_or(range);
  return Add(New<BoundRaise>(range, builder_.AddDiagnostic(std::move(diagnostic)), subject), mark);
}

void TreeBuilder::SetConstant(const BoundExpr& constant, const Value& value) {
  auto* const node = static_cast<BoundConstant*>(tree_->nodes_[constant.id]);
  node->value = value;
  node->literal = nullptr;
  SetFacts(node);
}

}  // namespace hcl::internal
