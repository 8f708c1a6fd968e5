// ApplyRules: the rows of compiler/rules.def, tried one after the other for a root of their kind.
// Tested by compiler/core_test.cc.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "hclvm/base/unicode.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_patterns.h"
#include "hclvm/compiler/core_searches.h"
#include "hclvm/compiler/core_sure.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

using namespace core_patterns;  // NOLINT(google-build-using-namespace)

// What a row's condition is asked of: the nodes that its names stand for.
template <typename Pattern, typename Replacement, typename Condition>
const CoreNode* ApplyRule(CoreTree* tree, const CoreNode& node, Pattern pattern, Replacement replacement,
                          Condition condition) {
  core_patterns::Bindings bindings = {};
  if (!pattern.Match(node, &bindings) || !condition(bindings, node)) return nullptr;
  return replacement.Build(tree, bindings, node.origin);
}

// A name that the pattern has not is asked for by no condition.
const CoreNode& NodeOf(const core_patterns::Bindings& bindings, size_t name) {
  static const CoreNode* const kNone = new CoreNode(CoreKind::kConst);
  return bindings[name] == nullptr ? *kNone : *bindings[name];
}

// Whether the value is of these kinds wherever fast code goes on behind it.
bool IsSure(const CoreNode& node, KindSet kinds) { return (node.kinds & ~kinds) == 0; }

// Whether each element that the producer gives is a bool, whatever the values are.
bool GivesBools(const CoreNode& producer) {
  switch (producer.kind) {
    case CoreKind::kYield:
      return IsSure(*producer.args[0], kBoolKind);
    case CoreKind::kItems:
    case CoreKind::kGuard:
      return GivesBools(*producer.args[1]);
    case CoreKind::kNeed:
      return GivesBools(*producer.args[0]);
    case CoreKind::kSeq:
      return std::all_of(producer.args.begin(), producer.args.end(), [](const CoreNode* p) { return GivesBools(*p); });
    default:
      return false;
  }
}

const Function* FunctionOf(const CoreNode& node) {
  return node.kind == CoreKind::kCall ? As<BoundCall>(*node.origin).function : nullptr;
}

// Of two numbers in the text.
bool IsLess(const CoreNode& a, const CoreNode& b) {
  const bool are_numbers = a.is_const() && a.value.is_number() && b.is_const() && b.value.is_number();
  return are_numbers && Compare(a.value.AsNumber(), b.value.AsNumber()) < 0;
}

// Whether `node` calls the library's function of that name, with its arguments one by one.
bool IsCallOf(const CoreNode& node, std::string_view name) {
  const Function* const function = FunctionOf(node);
  return function != nullptr && function->is_library_function(name) && !As<BoundCall>(*node.origin).expand_last;
}

// Whether `outer` makes nothing else of what `inner` gives, as it is the same function.
bool IsTwice(const CoreNode& outer, const CoreNode& inner) {
  static constexpr std::string_view kNames[] = {"abs",    "compact", "distinct", "flatten",  "lower",     "sort",
                                                "tobool", "tolist",  "tonumber", "tostring", "trimspace", "upper"};
  const Function* const function = FunctionOf(outer);
  if (function == nullptr || FunctionOf(inner) != function || inner.args.size() != 1) return false;
  if (As<BoundCall>(*outer.origin).expand_last) return false;
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return function->is_library_function(name); });
}

// Whether `call` makes a text of a bool, and `c` is the text that it makes of one of them.
bool IsTextOf(const CoreNode& call, const CoreNode& x, const CoreNode& c, std::string_view text) {
  const Function* const function = FunctionOf(call);
  return function != nullptr && function->is_library_function("tostring") && IsSure(x, kBoolKind) &&
         c.value.is_string() && c.value.AsString() == text;
}

// Whether `call` takes as many characters from the beginning of a text as `beginning` has.
bool IsBeginning(const CoreNode& call, const CoreNode& count, const CoreNode& beginning) {
  const Function* const function = FunctionOf(call);
  if (function == nullptr || !function->is_library_function("substr")) return false;
  if (!count.is_const() || !count.value.is_int() || !beginning.value.is_string()) return false;
  const std::string_view text = beginning.value.AsString();
  return IsAscii(text) && !text.empty() && text.back() != '\r' &&
         static_cast<uint64_t>(count.value.AsInt()) == text.size();
}

// Whether the producer is that of a list in the text whose parts are conditions, or guarded by such.
bool IsOfConditions(const CoreNode& producer, CoreKind part) {
  return producer.kind == CoreKind::kSeq && producer.args.size() > 1 &&
         std::all_of(producer.args.begin(), producer.args.end(),
                     [part](const CoreNode* node) { return node->kind == part && ConditionOf(*node) != nullptr; });
}
// Whether those behind one that decides need not be looked at.
bool IsSureChain(const CoreNode& producer) {
  return IsOfConditions(producer, CoreKind::kYield) && AreTestsOfOne(producer.args);
}

bool IsRepeatedSearch(const CoreNode& producer, bool is_negated) {
  const CoreSearch search = FindSearch(producer);
  return search.element != nullptr && search.is_negated == is_negated;
}

// Whether `need` asks no more than that `a` and `b` are known in all parts, and unmarked.
bool NeedsOnly(const CoreNode& need, const CoreNode& a, const CoreNode& b) {
  return std::all_of(need.args.begin() + 1, need.args.end(), [&](const CoreNode* node) {
    if (node == &a || node == &b) return true;
    const auto check = static_cast<Guard>(node->index);
    return node->is(CoreOp::kCheck) && (node->args[0] == &a || node->args[0] == &b) &&
           (check == Guard::kWhole || check == Guard::kUnmarked || check == Guard::kKnown);
  });
}

// Whether `loop` compares the elements of a list, each of which is `element`, with a value that no element changes.
bool IsSearch(const CoreNode& loop, const CoreNode& element, const CoreNode& sought) {
  const CoreNode& items = *loop.args[0];
  return items.flags == 0 && element.kind == CoreKind::kVar && element.index == 2 * items.index &&
         sought.free >> items.index == 0;
}

// Whether `loop` compares the keys of a mapping, each of which is `key`, with a value that no element changes.
bool IsKeySearch(const CoreNode& loop, const CoreNode& key, const CoreNode& sought) {
  const CoreNode& items = *loop.args[0];
  const bool over_keys = items.flags == (kOverMapping | kOverKeys);
  const uint32_t variable = 2 * items.index + (over_keys ? 0 : 1);
  return (over_keys || items.flags == (kReadsKey | kNamesKey)) && key.kind == CoreKind::kVar && key.index == variable &&
         sought.free >> items.index == 0;
}

// By the kind of a node, or its operation.
constexpr size_t kOperations = 64;
constexpr size_t KeyOf(CoreKind kind, CoreOp op) {
  return op == CoreOp::kNone ? static_cast<size_t>(kind) : kOperations + static_cast<size_t>(op);
}

using RuleFunction = const CoreNode* (*)(CoreTree*, const CoreNode&);
struct Rule {
  size_t key;
  RuleFunction apply;
};

constexpr Rule kRules[] = {
#define RULE(name, pattern, replacement, condition)                                                            \
  {KeyOf(decltype(pattern)::kRootKind, decltype(pattern)::kRootOp), [](CoreTree* tree, const CoreNode& root) { \
     const auto fits = [](const core_patterns::Bindings& bindings, [[maybe_unused]] const CoreNode& node) {    \
       [[maybe_unused]] const CoreNode& x = NodeOf(bindings, 0);                                               \
       [[maybe_unused]] const CoreNode& y = NodeOf(bindings, 1);                                               \
       [[maybe_unused]] const CoreNode& z = NodeOf(bindings, 2);                                               \
       [[maybe_unused]] const CoreNode& c = NodeOf(bindings, 3);                                               \
       [[maybe_unused]] const CoreNode& w = NodeOf(bindings, 4);                                               \
       return condition;                                                                                       \
     };                                                                                                        \
     return ApplyRule(tree, root, pattern, replacement, fits);                                                 \
   }},
#include "hclvm/compiler/rules.def"
#undef RULE
};

// The rules by the keys of their roots, in the order of the table: those of key k are at begin[k] to begin[k + 1].
struct RulesByKey {
  std::array<size_t, 2 * kOperations + 1> begin = {};
  std::array<size_t, std::size(kRules)> rules = {};
};
constexpr RulesByKey SortRules() {
  RulesByKey sorted;
  size_t count = 0;
  for (size_t key = 0; key < 2 * kOperations; ++key) {
    sorted.begin[key] = count;
    for (size_t n = 0; n < std::size(kRules); ++n) {
      if (kRules[n].key == key) sorted.rules[count++] = n;
    }
  }
  sorted.begin[2 * kOperations] = count;
  return sorted;
}
constexpr RulesByKey kRulesByKey = SortRules();

}  // namespace

// Most nodes are of a kind, or an operation, that no rule is for.
const CoreNode* ApplyRules(CoreTree* tree, const CoreNode& node) {
  const size_t key = KeyOf(node.kind, node.op);
  for (size_t n = kRulesByKey.begin[key]; n < kRulesByKey.begin[key + 1]; ++n) {
    if (const CoreNode* const made = kRules[kRulesByKey.rules[n]].apply(tree, node)) return made;
  }
  return nullptr;
}

}  // namespace hcl::internal
