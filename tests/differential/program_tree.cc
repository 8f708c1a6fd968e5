// ProgramTree. Tested by tests/differential/shrink_test.cc.

#include "hclvm/tests/differential/program_tree.h"

#include "hclvm/base/diagnostic.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/walk.h"

namespace hcl::differential {
namespace {

void AppendRoots(const Body& body, std::vector<const Expr*>* roots) {
  for (const Attribute& attribute : body.attributes) roots->push_back(attribute.expr);
  for (const Block& block : body.blocks) AppendRoots(*block.body, roots);
}

}  // namespace

ProgramTree::ProgramTree(const Program& program) : source_("<program>", program.source) {
  Diagnostics diagnostics;
  if (program.kind == ProgramKind::kExpr) file_ = ParseExpression(source_, {}, &diagnostics);
  if (program.kind == ProgramKind::kTemplate) file_ = ParseTemplate(source_, {}, &diagnostics);
  if (program.kind == ProgramKind::kBody) file_ = ParseConfig(source_, {}, &diagnostics);
  if (file_ == nullptr || diagnostics.has_errors()) return;
  if (file_->expr != nullptr) roots_.push_back(file_->expr);
  if (file_->body != nullptr) AppendRoots(*file_->body, &roots_);
}

std::vector<const Expr*> ProgramTree::Below(std::vector<const Expr*> nodes, size_t limit) {
  for (size_t at = 0; at < nodes.size() && nodes.size() < limit; ++at) internal::AppendChildren(*nodes[at], &nodes);
  return nodes;
}

}  // namespace hcl::differential
