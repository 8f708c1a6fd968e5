// PlainGenerator: calls of functions that fast code has no instruction for. Tested by compiler/plain_generator_test.cc.

#include <algorithm>

#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxSharedCalls = 16;  // more are not looked for

}  // namespace

// Not those with code of their own: the general one evaluates their arguments in other ways.
bool PlainGenerator::IsShareable(const BoundExpr& expr) const {
  if (session_ != nullptr || expr.kind != BoundKind::kCall || expr.plain_value || !expr.pure) return false;
  const auto& call = As<BoundCall>(expr);
  return !call.is(Function::Special::kTry) && !call.is(Function::Special::kCan) && call.lookup == BoundCall::kNone;
}

// The nodes of `expr` are those with ids from its first to its own. Numbers are made for all nodes of the tree, so that
// they are only asked for where there are two calls.
void PlainGenerator::ShareCalls(const BoundExpr& expr) {
  ShortList<const BoundExpr*> calls;
  for (uint32_t id = expr.first; id < expr.id && calls.size() < kMaxSharedCalls; ++id) {
    const BoundExpr* const node = g_.tree_->nodes()[id];
    if (IsShareable(*node) && node->reads()) calls.push_back(node);
  }
  if (calls.size() < 2) return;
  for (size_t n = 1; n < calls.size(); ++n) {
    const uint32_t number = g_.tree_->ValueNumberOf(*calls[n]);
    const bool again = std::any_of(calls.begin(), calls.begin() + static_cast<ptrdiff_t>(n),
                                   [&](const BoundExpr* call) { return g_.tree_->ValueNumberOf(*call) == number; });
    if (again && SharedCallOf(*calls[n]) == nullptr) shared_.push_back({number, g_.Allocate(), false});
  }
}

PlainGenerator::SharedCall* PlainGenerator::SharedCallOf(const BoundExpr& expr) {
  const uint32_t number = g_.tree_->ValueNumberOf(expr);
  const auto found =
      std::find_if(shared_.begin(), shared_.end(), [number](const SharedCall& call) { return call.number == number; });
  return found == shared_.end() ? nullptr : &*found;
}

void PlainGenerator::YieldCall(const BoundCall& call, uint16_t dest, PlainCheck check) {
  SharedCall* const shared = shared_.empty() ? nullptr : SharedCallOf(call);
  if (shared != nullptr && shared->is_there) return Load(shared->reg, dest);
  const uint16_t mark = g_.next();
  const auto count = static_cast<uint32_t>(call.arguments.size());
  const uint16_t run = g_.Allocate();
  for (uint32_t n = 1; n < count; ++n) g_.Allocate();
  for (uint32_t n = 0; n < count; ++n) {
    Yield(*call.arguments[n], static_cast<uint16_t>(run + n), /*returns=*/false);
  }
  g_.builder_->EmitX(Opcode::kCall, run, call.site, call.spans);
  g_.builder_->Emit(Opcode::kPlainCheck, run, static_cast<uint16_t>(check));
  Load(run, dest);
  if (shared != nullptr && branches_ == 0) {
    Load(run, shared->reg);
    shared->is_there = true;
  }
  g_.FreeTo(mark);
}

}  // namespace hcl::internal
