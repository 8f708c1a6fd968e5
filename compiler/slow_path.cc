// SlowPath: the way to each kind of node. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/slow_path.h"

namespace hcl::internal {

// Spines of steps and indexes, which may be as long as the text, are taken in a loop.
Result SlowPath::Yield(const BoundExpr& expr, uint16_t dest) {
  switch (expr.kind) {
    case BoundKind::kConstant:
      return Result::Constant(As<BoundConstant>(expr).value);
    case BoundKind::kPath:
      return YieldPath(As<BoundPath>(expr), dest);
    case BoundKind::kLocal:
      return YieldLocal(As<BoundLocal>(expr), dest);
    case BoundKind::kSteps:
    case BoundKind::kIndex:
      return YieldSpine(expr, dest);
    case BoundKind::kCall:
      return YieldCall(As<BoundCall>(expr), dest);
    case BoundKind::kTuple:
      return YieldTuple(As<BoundTuple>(expr), dest);
    case BoundKind::kObject:
      return YieldObject(As<BoundObject>(expr), dest);
    case BoundKind::kFor:
      return As<BoundFor>(expr).splat != nullptr ? YieldSplat(As<BoundFor>(expr), dest)
                                                 : YieldFor(As<BoundFor>(expr), dest);
    case BoundKind::kUnary:
      return YieldUnary(As<BoundUnary>(expr), dest);
    case BoundKind::kChain:
      return YieldChain(As<BoundChain>(expr), dest);
    case BoundKind::kConditional:
      return YieldConditional(As<BoundConditional>(expr), dest);
    case BoundKind::kTemplate:
      return YieldTemplate(As<BoundTemplate>(expr), dest);
    case BoundKind::kTemplateFor:
      return YieldTemplateFor(As<BoundTemplateFor>(expr), dest);
    case BoundKind::kRaise:
      builder_->EmitX(Opcode::kRaise, dest, As<BoundRaise>(expr).diagnostic, {As<BoundRaise>(expr).subject});
      break;
  }
  return Result::Register(dest);
}

}  // namespace hcl::internal
