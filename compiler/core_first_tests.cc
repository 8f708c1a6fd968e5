// FindFirstTests. Tested by compiler/first_tests_test.cc and tests/slow/set_search_law_test.cc.
//
// Core is gone through in the order in which the emitter makes jumps of it, as long as what is false ends all. What
// fast code looks at on the way so that it takes no side exit is a demand.

#include "hclvm/compiler/core_first_tests.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/first_tests.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/guard_tags.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

constexpr int kMaxConditions = 64;
constexpr size_t kMaxDemands = 64;
// Of one test; one with more is none.
constexpr size_t kMaxConstants = 1024;

class FirstTestFinder {
 public:
  explicit FirstTestFinder(const ProgramBuilder& builder) : builder_(builder) {}

  FirstTests Find(const CoreNode& root) && {
    PassValue(root);
    return std::move(found_);
  }

 private:
  // The same as Pass() for the value of the policy, which need not be a bool.
  bool PassValue(const CoreNode& node) {
    if (node.kind != CoreKind::kIf) return Pass(node);
    return --left_ >= 0 && EndsUntrue(*node.args[2]) && Pass(*node.args[0]) && PassValue(*node.args[1]);
  }

  // Adds what `node` asks as a condition, where the policy is not true if it is false. False where nobody knows what
  // comes behind it.
  bool Pass(const CoreNode& node) {
    if (--left_ < 0) return false;
    switch (node.kind) {
      case CoreKind::kAll:
        return PassAll(node);
      case CoreKind::kAny:
        return AddTest(node);
      case CoreKind::kNeed:
        return Need(node) && Pass(*node.args[0]);
      case CoreKind::kIf:
        return node.args[2]->is_bool(false) && Pass(*node.args[0]) && Pass(*node.args[1]);
      case CoreKind::kSlot:
      case CoreKind::kStep:
        return Demand(node, kBoolTags);
      case CoreKind::kPrim:
        return PassPrim(node);
      default:
        return node.is_bool(true);
    }
  }

  // A constant that is known, and not true.
  static bool EndsUntrue(const CoreNode& node) {
    return node.is_const() && !node.value.is_true() && !node.value.is_unknown() && !node.value.is_marked();
  }

  // Operands that might be no bools are looked at first, from the last on (CoreEmitter::JumpOnLogic).
  bool PassAll(const CoreNode& all) {
    absl::InlinedVector<const CoreNode*, 8> operands;
    const CoreNode* rest = &all;
    for (; rest->kind == CoreKind::kAll; rest = rest->args[1]) operands.push_back(rest->args[0]);
    operands.push_back(rest);
    for (size_t n = operands.size(); n-- > 1;) {
      if (!IsSureOfBool(*operands[n]) && !Demand(*operands[n], kBoolTags, /*or_absent=*/true)) return false;
    }
    return std::all_of(operands.begin(), operands.end(), [this](const CoreNode* operand) { return Pass(*operand); });
  }

  bool PassPrim(const CoreNode& node) {
    const CoreNode& first = *node.args[0];
    switch (node.op) {
      case CoreOp::kNot:
        if (first.is(CoreOp::kEqual) || first.is(CoreOp::kIn)) return DemandAll(first, kScalarTags);
        return (first.kind == CoreKind::kSlot || first.kind == CoreKind::kStep) && Demand(first, kBoolTags);
      case CoreOp::kLess:
        return DemandAll(node, kNumberTags);
      case CoreOp::kEqual:
        return AddTest(node) || DemandAll(node, kScalarTags);
      case CoreOp::kPrefix:
        return AddTest(node) || DemandAll(node, kStringTags);
      case CoreOp::kSuffix:
      case CoreOp::kWithin:
        return DemandAll(node, kStringTags);
      case CoreOp::kIn:
        return AddTest(node);
      default:
        return false;
    }
  }

  // What has to be there, as the node says.
  bool Need(const CoreNode& node) {
    for (const CoreNode* need : node.args.subspan(1)) {
      const bool is_checked = need->is(CoreOp::kCheck);
      const auto check = static_cast<uint16_t>(is_checked ? need->index : static_cast<uint32_t>(Guard::kNoError));
      if (!Demand(is_checked ? *need->args[0] : *need, kPassingTags[check], AbsentPasses(check))) return false;
    }
    return true;
  }

  // That a value at one path is one of some constants, or begins with one. False, and nothing is added, for others.
  bool AddTest(const CoreNode& node) {
    const CoreNode* subject = nullptr;
    FirstTests::Test test{{}, {}, {}, found_.demands.size()};
    const CoreNode* rest = &node;
    for (; rest->kind == CoreKind::kAny; rest = rest->args[1]) {
      if (!AddConstants(*rest->args[0], &subject, &test)) return false;
    }
    if (!AddConstants(*rest, &subject, &test)) return false;
    std::optional<FirstTests::Path> path = PathOf(*subject);
    if (!path) return false;
    test.subject = *std::move(path);
    const bool is_text = !test.prefixes.empty();
    if (test.hashes.size() + test.prefixes.size() <= kMaxConstants) found_.tests.push_back(std::move(test));
    return Demand(*subject, is_text ? kStringTags : kScalarTags);
  }

  bool AddConstants(const CoreNode& node, const CoreNode** subject, FirstTests::Test* test) const {
    const bool is_in = node.is(CoreOp::kIn);
    if (!is_in && !node.is(CoreOp::kEqual) && !node.is(CoreOp::kPrefix)) return false;
    if (*subject != nullptr && *subject != node.args[0]) return false;
    *subject = node.args[0];
    if (is_in) {
      for (const Value& member : builder_.lookup(node.index).members()) test->hashes.push_back(ShortHash(member));
      return true;
    }
    if (!node.args[1]->is_scalar()) return false;
    const Value& constant = node.args[1]->value;
    if (node.is(CoreOp::kEqual)) return test->hashes.push_back(ShortHash(constant)), true;
    return constant.is_string() && (test->prefixes.push_back(constant.AsString()), true);
  }

  bool DemandAll(const CoreNode& node, uint32_t tags) {
    return std::all_of(node.args.begin(), node.args.end(),
                       [&](const CoreNode* operand) { return Demand(*operand, tags); });
  }
  bool Demand(const CoreNode& node, uint32_t tags, bool or_absent = false) {
    if (node.is_const()) return HasTag(node.value, tags);
    std::optional<FirstTests::Path> path = PathOf(node);
    if (!path || found_.demands.size() == kMaxDemands) return false;
    found_.demands.push_back({*std::move(path), tags, or_absent});
    return true;
  }

  // Of a variable that hosts know, and names of attributes.
  std::optional<FirstTests::Path> PathOf(const CoreNode& node) const {
    FirstTests::Path path;
    const CoreNode* at = &node;
    for (; at->kind == CoreKind::kStep; at = at->args[0]) {
      if (!at->value.is_string()) return std::nullopt;
      path.push_back(at->value.AsString());
    }
    if (at->kind != CoreKind::kSlot) return std::nullopt;
    path.push_back(builder_.slot_name(at->index));
    std::reverse(path.begin(), path.end());
    return path;
  }

  const ProgramBuilder& builder_;
  int left_ = kMaxConditions;
  FirstTests found_;
};

}  // namespace

FirstTests FindFirstTests(const CoreNode& root, const ProgramBuilder& builder) {
  return FirstTestFinder(builder).Find(root);
}

}  // namespace hcl::internal
