// AddPoints. Tested by compiler/record_points_test.cc.

#include "hclvm/compiler/record_points.h"

#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/operators.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/record_table.h"

namespace hcl::internal {
namespace {

// Fills in the points of one tree.
class PointWriter {
 public:
  PointWriter(const BoundTree& tree, ProgramBuilder* builder)
      : tree_(tree),
        builder_(*builder),
        table_(*builder->records()),
        first_(static_cast<uint32_t>(table_.points().size())) {}

  uint32_t Write() {
    for (const BoundExpr* node : tree_.nodes()) {
      if (node->kind == BoundKind::kFor) NoteLoop(As<BoundFor>(*node).variables, *node);
      if (node->kind == BoundKind::kTemplateFor) NoteLoop(As<BoundTemplateFor>(*node).variables, *node);
    }
    for (const BoundExpr* node : tree_.nodes()) {
      point_ = RecordPoint();
      point_.range = node->range;
      point_.source = builder_.source();
      Fill(*node);
      table_.Add(std::move(point_));
    }
    // Parts stand before the nodes that they are of.
    for (uint32_t at = first_; at < table_.points().size(); ++at) {
      for (const uint32_t part : table_.at(at).parts) {
        if (part != RecordTable::kNoPoint) table_.Edit(part)->parent = at;
      }
    }
    return first_;
  }

 private:
  void NoteLoop(const LoopVariables& variables, const BoundExpr& loop) {
    if (variables.key != nullptr) loops_.emplace(variables.key, PointOf(loop));
    if (variables.value != nullptr) loops_.emplace(variables.value, PointOf(loop));
  }

  uint32_t PointOf(const BoundExpr& node) const { return first_ + node.id; }

  void AddPart(const BoundExpr* part) {
    point_.parts.push_back(part == nullptr ? RecordTable::kNoPoint : PointOf(*part));
  }
  void AddParts(absl::Span<const BoundExpr* const> parts) {
    for (const BoundExpr* part : parts) AddPart(part);
  }

  void AddSteps(absl::Span<const BoundStep> steps) {
    for (const BoundStep& step : steps) point_.steps.push_back({step.key, step.is_attribute});
  }

  void FillFor(const BoundFor& loop) {
    point_.kind = loop.splat != nullptr ? PointKind::kSplat : PointKind::kFor;
    for (const BoundExpr* part : {loop.collection, loop.condition, loop.key, loop.value}) AddPart(part);
  }

  void FillLocal(const BoundLocal& read) {
    point_.kind = PointKind::kLocal;
    point_.is_key = read.local->is_key;
    const auto loop = loops_.find(read.local);
    if (loop != loops_.end()) point_.loop = loop->second;
    AddSteps(read.steps);
  }

  void Fill(const BoundExpr& node) {
    switch (node.kind) {
      case BoundKind::kConstant:
        point_.value = As<BoundConstant>(node).value;
        return;
      case BoundKind::kPath:
        point_.kind = PointKind::kPath;
        point_.slot = As<BoundPath>(node).slot;
        point_.name = builder_.slot_name(point_.slot);
        return AddSteps(As<BoundPath>(node).steps);
      case BoundKind::kLocal:
        return FillLocal(As<BoundLocal>(node));
      case BoundKind::kSteps:
        point_.kind = PointKind::kSteps;
        AddPart(As<BoundSteps>(node).source);
        return AddSteps(As<BoundSteps>(node).steps);
      case BoundKind::kIndex:
        point_.kind = PointKind::kIndex;
        AddPart(As<BoundIndex>(node).source);
        return AddPart(As<BoundIndex>(node).key);
      case BoundKind::kCall:
        point_.kind = PointKind::kCall;
        point_.name = As<BoundCall>(node).function->name;
        return AddParts(As<BoundCall>(node).arguments);
      case BoundKind::kTuple:
        point_.kind = PointKind::kTuple;
        return AddParts(As<BoundTuple>(node).elements);
      case BoundKind::kObject:
        point_.kind = PointKind::kObject;
        for (const BoundItem& item : As<BoundObject>(node).items) AddPart(item.key), AddPart(item.value);
        return;
      case BoundKind::kFor:
        return FillFor(As<BoundFor>(node));
      case BoundKind::kUnary:
        point_.kind = As<BoundUnary>(node).op == UnaryOp::kNot ? PointKind::kNot : PointKind::kNegate;
        return AddPart(As<BoundUnary>(node).operand);
      case BoundKind::kChain: {
        const auto& chain = As<BoundChain>(node);
        point_.kind = chain.op == BinaryOp::kAnd  ? PointKind::kAnd
                      : chain.op == BinaryOp::kOr ? PointKind::kOr
                                                  : PointKind::kOperator;
        return AddParts(chain.operands);
      }
      case BoundKind::kConditional: {
        const auto& choice = As<BoundConditional>(node);
        point_.kind = PointKind::kConditional;
        for (const BoundExpr* part : {choice.condition, choice.if_true, choice.if_false}) AddPart(part);
        return;
      }
      case BoundKind::kTemplate:
        point_.kind = PointKind::kTemplate;
        return AddParts(As<BoundTemplate>(node).parts);
      case BoundKind::kTemplateFor:
        point_.kind = PointKind::kTemplateFor;
        AddPart(As<BoundTemplateFor>(node).collection), AddPart(nullptr), AddPart(nullptr);
        return AddPart(As<BoundTemplateFor>(node).body);
      case BoundKind::kRaise:
        point_.kind = PointKind::kRaise;
        return;
    }
  }

  const BoundTree& tree_;
  ProgramBuilder& builder_;
  RecordTable& table_;
  const uint32_t first_;
  RecordPoint point_;
  HashMap<const LocalVariable*, uint32_t> loops_;  // their points
};

}  // namespace

uint32_t AddPoints(const BoundTree& tree, ProgramBuilder* builder) { return PointWriter(tree, builder).Write(); }

}  // namespace hcl::internal
