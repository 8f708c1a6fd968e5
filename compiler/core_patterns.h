// Patterns of Core nodes: what the rows of compiler/rules.def are written in.
//
// A pattern is a value without state whose type is its structure, so that matching is code that the compiler has
// unfolded. Match() fills the bindings; Build() makes the node that a pattern stands for with them.
//
// Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_PATTERNS_H_
#define HCLVM_COMPILER_CORE_PATTERNS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_searches.h"
#include "hclvm/compiler/core_sure.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal::core_patterns {

constexpr size_t kNames = 5;
using Bindings = std::array<const CoreNode*, kNames>;

// Any node, or any constant; the same one wherever the name stands.
template <size_t kName, bool kIsConstant>
struct Name {
  static bool Match(const CoreNode& node, Bindings* bindings) {
    if (kIsConstant && !node.is_const()) return false;
    const CoreNode*& bound = (*bindings)[kName];
    if (bound != nullptr) return bound == &node;
    bound = &node;
    return true;
  }
  static const CoreNode* Build(CoreTree*, const Bindings& bindings, const BoundExpr*) { return bindings[kName]; }
};

enum class Literal { kTrue, kFalse, kNull, kZero, kOne };

template <Literal kLiteral>
struct Constant {
  static Value value() {
    return kLiteral == Literal::kNull   ? Value::Null()
           : kLiteral == Literal::kZero ? Value::Int(0)
           : kLiteral == Literal::kOne  ? Value::Int(1)
                                        : Value::Bool(kLiteral == Literal::kTrue);
  }
  static bool Match(const CoreNode& node, Bindings*) { return node.is_const() && node.value.SameBits(value()); }
  static const CoreNode* Build(CoreTree* tree, const Bindings&, const BoundExpr*) { return tree->Const(value()); }
};

template <CoreKind kKind, CoreOp kOp, typename... Args>
struct Node {
  static constexpr CoreKind kRootKind = kKind;
  static constexpr CoreOp kRootOp = kOp;
  static bool Match(const CoreNode& node, Bindings* bindings) {
    // What items owe where there are none stands behind what they are made of.
    const size_t count = kKind == CoreKind::kItems ? 2 : node.args.size();
    if (node.kind != kKind || node.op != kOp || count != sizeof...(Args)) return false;
    return MatchArgs(node, bindings, std::index_sequence_for<Args...>());
  }
  static const CoreNode* Build(CoreTree* tree, const Bindings& bindings, const BoundExpr* origin) {
    const std::array<const CoreNode*, sizeof...(Args)> args = {Args::Build(tree, bindings, origin)...};
    CoreNode node(kKind, kOp);
    node.origin = origin;
    return tree->Make(node, args);
  }

 private:
  template <size_t... kAt>
  static bool MatchArgs(const CoreNode& node, Bindings* bindings, std::index_sequence<kAt...>) {
    return (Args::Match(*node.args[kAt], bindings) && ...);
  }
};

// A check of what `Arg` stands for, which no pattern asks for.
template <hcl::internal::Guard kCheck, typename Arg>
struct Checking {
  static const CoreNode* Build(CoreTree* tree, const Bindings& bindings, const BoundExpr* origin) {
    return tree->Prim(CoreOp::kCheck, {Arg::Build(tree, bindings, origin)}, nullptr, static_cast<uint32_t>(kCheck));
  }
};

// A chain of the conditions that `Arg` gives, or by which it gives something, which ConditionOf() tells.
template <CoreKind kChain, typename Arg>
struct ChainOf {
  static const CoreNode* Build(CoreTree* tree, const Bindings& bindings, const BoundExpr* origin) {
    const CoreNode* const producer = Arg::Build(tree, bindings, origin);
    const CoreNode* chain = ConditionOf(*producer->args.back());
    for (size_t n = producer->args.size() - 1; n-- > 0;) {
      chain = tree->Make(CoreNode(kChain), {ConditionOf(*producer->args[n]), chain});
    }
    return chain;
  }
};

// The elements that a search, which FindSearch() takes, compares with what it seeks; and what it seeks.
template <typename Arg>
struct ComparedIn {
  static const CoreNode* Build(CoreTree* tree, const Bindings& bindings, const BoundExpr* origin) {
    const CoreNode& producer = *Arg::Build(tree, bindings, origin);
    return WithElement(tree, producer, *FindSearch(producer).element);
  }
};
template <typename Arg>
struct SoughtIn {
  static const CoreNode* Build(CoreTree* tree, const Bindings& bindings, const BoundExpr* origin) {
    return FindSearch(*Arg::Build(tree, bindings, origin)).sought;
  }
};

// The elements of `Arg`, which are those of a list in the text, as conditions.
template <typename Arg>
struct ConditionsOf {
  static const CoreNode* Build(CoreTree* tree, const Bindings& bindings, const BoundExpr* origin) {
    std::vector<const CoreNode*> yields;
    for (const CoreNode* part : Arg::Build(tree, bindings, origin)->args) {
      yields.push_back(tree->Make(CoreNode(CoreKind::kYield), {ConditionOf(*part)}));
    }
    return tree->Make(CoreNode(CoreKind::kSeq), yields);
  }
};

inline constexpr Name<0, false> x;
inline constexpr Name<1, false> y;
inline constexpr Name<2, false> z;
inline constexpr Name<3, true> c;
inline constexpr Name<4, false> w;

constexpr Constant<Literal::kTrue> True() { return {}; }
constexpr Constant<Literal::kFalse> False() { return {}; }
constexpr Constant<Literal::kNull> Null() { return {}; }
constexpr Constant<Literal::kZero> Zero() { return {}; }
constexpr Constant<Literal::kOne> One() { return {}; }

#define PRIM_PATTERN(name)                                                  \
  template <typename... Args>                                               \
  constexpr Node<CoreKind::kPrim, CoreOp::k##name, Args...> name(Args...) { \
    return {};                                                              \
  }
PRIM_PATTERN(Add)
PRIM_PATTERN(Subtract)
PRIM_PATTERN(Equal)
PRIM_PATTERN(Less)
PRIM_PATTERN(IsNull)
PRIM_PATTERN(Not)
PRIM_PATTERN(Search)
PRIM_PATTERN(HasKey)
PRIM_PATTERN(Prefix)
PRIM_PATTERN(Exiting)
PRIM_PATTERN(Typed)
PRIM_PATTERN(Has)
PRIM_PATTERN(Length)
PRIM_PATTERN(Pieces)
PRIM_PATTERN(HasPiece)
#undef PRIM_PATTERN

template <typename Arg>
constexpr Checking<hcl::internal::Guard::kAscii, Arg> Ascii(Arg) {
  return {};
}
template <typename Arg>
constexpr ChainOf<CoreKind::kAll, Arg> AllIn(Arg) {
  return {};
}
template <typename Arg>
constexpr ChainOf<CoreKind::kAny, Arg> AnyIn(Arg) {
  return {};
}
template <typename Arg>
constexpr ConditionsOf<Arg> Conditions(Arg) {
  return {};
}
template <typename Arg>
constexpr ComparedIn<Arg> Compared(Arg) {
  return {};
}
template <typename Arg>
constexpr SoughtIn<Arg> Sought(Arg) {
  return {};
}

#define KIND_PATTERN(name)                                                  \
  template <typename... Args>                                               \
  constexpr Node<CoreKind::k##name, CoreOp::kNone, Args...> name(Args...) { \
    return {};                                                              \
  }
KIND_PATTERN(Call)
KIND_PATTERN(Need)
KIND_PATTERN(If)
KIND_PATTERN(Try)
KIND_PATTERN(Can)
KIND_PATTERN(All)
KIND_PATTERN(Any)
KIND_PATTERN(Items)
KIND_PATTERN(Yield)
KIND_PATTERN(Seq)
#undef KIND_PATTERN

// Something that needs whatever a condition asks.
template <typename Arg>
struct AnyNeeds {
  static constexpr CoreKind kRootKind = CoreKind::kNeed;
  static bool Match(const CoreNode& node, Bindings* bindings) {
    return node.kind == CoreKind::kNeed && Arg::Match(*node.args[0], bindings);
  }
};
template <typename Arg>
constexpr AnyNeeds<Arg> Needing(Arg) {
  return {};
}

// Not by the name of its kind, which is that of an enumeration.
template <typename... Args>
constexpr Node<CoreKind::kGuard, CoreOp::kNone, Args...> Guarded(Args...) {
  return {};
}

#define LOOP_PATTERN(name)                                                  \
  template <typename... Args>                                               \
  constexpr Node<CoreKind::kLoop, CoreOp::k##name, Args...> name(Args...) { \
    return {};                                                              \
  }
LOOP_PATTERN(AllOf)
LOOP_PATTERN(AnyOf)
LOOP_PATTERN(CountOf)
LOOP_PATTERN(Contains)
LOOP_PATTERN(ListOf)
#undef LOOP_PATTERN

}  // namespace hcl::internal::core_patterns

#endif  // HCLVM_COMPILER_CORE_PATTERNS_H_
