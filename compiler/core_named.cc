// CoreLowering: locals and functions of a module. What a local is made of stands where it is read, and what a function
// gives where it is called, so that rules and loops see it, and no chunk or program is run for it. The slow path reads
// the local's value, and calls the function.
//
// Tested by module/inlined_locals_test.cc, module/inlined_functions_test.cc and tests/slow/local_law_test.cc.

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

// Whether an argument is a list that stands in the text, or a loop over one.
bool IsListedInText(const BoundExpr& list) {
  if (list.kind != BoundKind::kFor) return TupleLiteral(list) != nullptr || list.is_constant();
  return As<BoundFor>(list).key == nullptr && IsListedInText(*As<BoundFor>(list).collection);
}

// Whether the time that the call itself takes is bounded by the text, whatever its arguments are.
bool IsBoundedCall(const BoundCall& call) {
  using Special = Function::Special;
  if (call.arguments.empty()) return false;
  switch (call.function->special) {
    case Special::kTry:
    case Special::kCan:
    case Special::kStartsWith:
    case Special::kEndsWith:
    case Special::kLength:
    case Special::kLookup:
    case Special::kCoalesce:
      return true;
    case Special::kContains:
      return call.lookup != BoundCall::kNone || IsListedInText(*call.arguments[0]);
    case Special::kAllTrue:
    case Special::kAnyTrue:
    case Special::kSum:
    case Special::kOne:
    case Special::kElement:
      return IsListedInText(*call.arguments[0]);
    case Special::kMin:
    case Special::kMax:
      return !call.expand_last;
    default:
      return false;
  }
}

// The same of an expression. Recursion follows its height.
bool IsBoundedByText(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kFor && !IsListedInText(*As<BoundFor>(expr).collection)) return false;
  if (expr.kind == BoundKind::kTemplateFor) return false;
  if (expr.kind == BoundKind::kCall && !IsBoundedCall(As<BoundCall>(expr))) return false;
  bool is_bounded = true;
  ForEachPart(expr, [&](const BoundExpr& part) { is_bounded = is_bounded && IsBoundedByText(part); });
  return is_bounded;
}

}  // namespace

// What takes time that grows with the values is made once in a run, and once for all runs over a base. The rest is made
// wherever it is read, if it is small; in a loop it would be made in each pass.
bool CoreLowering::MayRepeat(const NamedTree& named) const {
  const uint32_t most = state_.depth > 0 ? kMaxRepeatedInLoop : named.is_read_once ? kMaxInlined : kMaxRepeated;
  return named.size <= most && named.height <= kMaxFastHeight && IsBoundedByText(named.tree->root());
}

CoreLowering::Frame* CoreLowering::FrameOf(const BoundExpr& expr) {
  Frame* frame = frame_;
  while (frame->outer != nullptr) {
    const absl::Span<BoundExpr* const> nodes = frame->tree->nodes();
    if (expr.id < nodes.size() && nodes[expr.id] == &expr) break;
    frame = frame->outer;
  }
  return frame;
}

// What `lower` makes of it; null where the slow path would have to make a part of it, or there is no room for it.
const CoreNode* CoreLowering::Inline(const NamedTree& named, absl::FunctionRef<const CoreNode*()> lower) {
  const BoundExpr& root = named.tree->root();
  if (!root.pure || root.kind == BoundKind::kRaise || inlined_ + named.size > kMaxInlined) return nullptr;
  if (frame_->height + named.height > kMaxFastHeight) return nullptr;
  const uint32_t inlined = inlined_;
  Frame frame{named.tree, frame_, frame_->height + named.height};
  frame_ = &frame;
  inlined_ += named.tree->root().size();
  const CoreNode* const node = lower();
  frame_ = frame.outer;
  if (node != nullptr && !frame.needs_slow_path) return node;
  inlined_ = inlined;
  return nullptr;
}

// A whole that stands in several places is lowered once.
const CoreNode* CoreLowering::LowerNamed(const BoundPath& path) {
  const NamedTree& named = *path.named;
  const BoundExpr& root = named.tree->root();
  if (!MayRepeat(named)) return nullptr;
  return Inline(named, [&]() -> const CoreNode* {
    if (const ListConsumer first = FirstOfSteps(root, path.steps)) {
      if (const CoreNode* const node = lists_.LowerConsumer(first)) return node;
    }
    HashMap<const NamedTree*, const CoreNode*>& known = named_[state_.tried > 0];
    auto found = known.find(&named);
    if (found == known.end()) {
      const CoreNode* const whole = Lower(root);
      found = known.emplace(&named, frame_->needs_slow_path ? nullptr : whole).first;
    }
    return found->second == nullptr ? nullptr : parts_.LowerStepsOfMade(found->second, path.steps);
  });
}

// Arguments are there, known and unmarked before anything else, also those that nobody reads.
const CoreNode* CoreLowering::LowerNamedCall(const BoundCall& call) {
  const NamedTree* const named = call.expand_last ? nullptr : functions_->Find(call.function);
  if (named == nullptr || named->size > kMaxCalled || named_[state_.tried > 0].contains(named)) return nullptr;
  const size_t own = call.function->parameters.size();
  CoreNodes values;
  if (!LowerAll(call.arguments, &values)) return nullptr;
  CoreNodes args(1);
  for (const CoreNode* value : values) args.push_back(NeedArgument(value));
  if (call.function->variadic) {
    const CoreNode* const rest = tree_.Make(CoreNode(CoreKind::kTuple), absl::MakeConstSpan(values).subspan(own));
    values.resize(own);
    values.push_back(rest);
  }
  const size_t outer = state_.bindings.size();
  args[0] = Inline(*named, [&] {
    for (const BoundLocal* read : named->tree->local_reads()) {
      const uint32_t parameter = UINT32_MAX - read->local->level;
      if (parameter < values.size()) state_.bindings.push_back({read->local, values[parameter]});
    }
    return Lower(named->tree->root());
  });
  state_.bindings.resize(outer);
  if (args[0] == nullptr) {
    named_[state_.tried > 0].emplace(named, nullptr);
    return nullptr;
  }
  return needs_.Make(args);
}

// What fast code makes of operations is all that, unless it fails.
const CoreNode* CoreLowering::NeedArgument(const CoreNode* argument) {
  const bool is_made = (argument->kinds & (kNullKind | kStructureKind | kOtherKind)) == 0;
  return is_made ? argument : needs_.NeedNode({argument, Guard::kArgument});
}

}  // namespace hcl::internal
