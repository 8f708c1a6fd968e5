// CoreLowering: texts that are joined, and what patterns ask of them. Tested by compiler/core_values_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/unicode.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_text_parts.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/compiler/text_pattern.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

bool CoreLowering::AppendTextParts(const BoundTemplate& expr, CoreNodes* parts) {
  for (const BoundExpr* part : expr.parts) {
    if (part->kind == BoundKind::kTemplate) {
      if (!AppendTextParts(As<BoundTemplate>(*part), parts)) return false;
      continue;
    }
    parts->push_back(Lower(*part));
    if (parts->back() == nullptr || parts->size() > kMaxInline) return false;
  }
  return true;
}

const CoreNode* CoreLowering::ConstText(const std::string& text) {
  return tree_.Const(binder_.StringConstant(IsKnownNfc(text) ? text : ToNfc(text)));
}

// Constant texts side by side are one, also those around a choice between texts: each part costs the join a copy.
const CoreNode* CoreLowering::LowerText(const BoundTemplate& expr) {
  CoreNodes parts;
  if (!AppendTextParts(expr, &parts)) return nullptr;
  const auto is_text = [](const CoreNode* node) { return node->is_const() && node->value.is_string(); };
  CoreNodes joined;
  size_t n = 0;
  const auto take_texts = [&] {
    std::string text;
    for (; n < parts.size() && is_text(parts[n]); ++n) text.append(parts[n]->value.AsString());
    return text;
  };
  while (n < parts.size()) {
    const std::string before = take_texts();
    const CoreNode* const part = n < parts.size() ? parts[n] : nullptr;
    const bool is_choice =
        part != nullptr && part->kind == CoreKind::kIf && is_text(part->args[1]) && is_text(part->args[2]);
    if (!is_choice && !before.empty()) joined.push_back(ConstText(before));
    if (part == nullptr) break;
    ++n;
    if (!is_choice) {
      joined.push_back(part);
      continue;
    }
    const std::string after = take_texts();
    const auto around = [&](const CoreNode* text) {
      std::string all = before;
      all.append(text->value.AsString()).append(after);
      return ConstText(all);
    };
    joined.push_back(
        tree_.Make(CoreNode(CoreKind::kIf), {part->args[0], around(part->args[1]), around(part->args[2])}));
  }
  return TextOf(joined, expr, /*flags=*/0);
}

// A text alone that is one already is that.
const CoreNode* CoreLowering::TextOf(absl::Span<const CoreNode* const> parts, const BoundExpr& origin, uint8_t flags) {
  if (parts.size() == 1 && (parts[0]->kinds & ~(kStringKind | kOtherKind)) == 0) {
    const bool is_sure = parts[0]->kinds == kStringKind;
    return is_sure ? parts[0] : needs_.Make({parts[0], needs_.NeedNode({parts[0], Guard::kString})});
  }
  CoreNode node(CoreKind::kText);
  node.origin = &origin;
  node.flags = flags;
  return tree_.Make(node, parts);
}

// A list of which each element is a node is joined element by element, whatever it was made of.
const CoreNode* CoreLowering::LowerJoinedList(const BoundCall& call) {
  const Value* const separator = call.arguments.size() == 2 ? ScalarOf(*call.arguments[0]) : nullptr;
  const bool is_join = call.is(Function::Special::kJoin) && !call.expand_last && call.site != BoundCall::kNone;
  if (!is_join || separator == nullptr || !separator->is_string()) return LowerOrdinaryCall(call);
  const CoreNode* const producer = lists_.LowerJoined(*call.arguments[1]);
  CoreNodes arguments, elements, needs(1);
  if (producer == nullptr && !LowerAll(call.arguments, &arguments)) return nullptr;
  bool are_sure;
  if (producer != nullptr) {
    are_sure = lists_.SureElements(*producer, Guard::kWhole, &elements, &needs);
  } else {
    const CoreNode& list = *arguments[1];
    const CoreNode& tuple = list.kind == CoreKind::kNeed ? *list.args[0] : list;
    are_sure = tuple.kind == CoreKind::kTuple;
    elements.assign(tuple.args.begin(), tuple.args.end());
    if (&tuple != &list) needs.insert(needs.end(), list.args.begin() + 1, list.args.end());
  }
  if (are_sure && !elements.empty() && 2 * elements.size() <= kMaxInline) {
    CoreNodes joined;
    for (const CoreNode* element : elements) {
      if (!joined.empty() && !separator->AsString().empty()) joined.push_back(tree_.Const(*separator));
      joined.push_back(element);
    }
    needs[0] = TextOf(joined, call, kByFunction);
    return needs_.Make(needs);
  }
  return producer != nullptr ? lists_.JoinOf(producer, tree_.Const(*separator), call) : CallOf(call, arguments);
}

// A call that joins texts as a template does. What a verb does not take as it is, the function converts.
const CoreNode* CoreLowering::LowerJoined(const BoundCall& call) {
  const absl::Span<const BoundExpr* const> parts = JoinedParts(call);
  if (parts.empty()) return LowerJoinedList(call);
  const std::vector<std::string> texts = TextsAround(call);
  const std::string verbs = VerbsOf(call);
  CoreNodes joined, needs(1);
  const CoreNode* is_whole = nullptr;
  for (size_t n = 0; n < texts.size(); ++n) {
    if (!texts[n].empty()) joined.push_back(ConstText(texts[n]));
    if (n == parts.size()) break;
    const CoreNode* const part = Lower(*parts[n]);
    if (part == nullptr) return nullptr;
    joined.push_back(part);
    if (verbs[n] == 't') needs.push_back(needs_.NeedNode({part, Guard::kBool}));
    if (verbs[n] != 'd') continue;
    const CoreNode* const test = tree_.Prim(CoreOp::kEqual, {part, tree_.Prim(CoreOp::kFloor, {part})});
    is_whole = is_whole == nullptr ? test : tree_.Make(CoreNode(CoreKind::kAll), {is_whole, test});
  }
  const CoreNode* result = TextOf(joined, call, kByFunction);
  if (is_whole != nullptr) {
    is_whole = tree_.Prim(CoreOp::kExiting, {is_whole});
    result = tree_.Make(CoreNode(CoreKind::kIf), {is_whole, result, General(call, kByFunction)});
  }
  if (needs.size() == 1) return result;
  needs[0] = result;
  return needs_.Make(needs);
}

// What the call's pattern, of a text that is no other scalar, names.
TextPattern CoreLowering::TextPatternOf(const BoundCall& call) const {
  const Value* const pattern = call.arguments.size() == 2 ? ScalarOf(*call.arguments[0]) : nullptr;
  if (pattern == nullptr || !pattern->is_string() || call.arguments[1]->is_constant()) return {};
  const Type type = call.arguments[1]->type;
  if (type.is_primitive() && type != Type::String()) return {};
  return ReadTextPattern(pattern->AsString());
}

// Whether `regexall` finds anything: the first match tells. Null where the list has to be made.
const CoreNode* CoreLowering::LowerMatch(const BoundCall& regexall) {
  if (const TextPattern pattern = TextPatternOf(regexall)) {
    const CoreNode* const text = Lower(*regexall.arguments[1]);
    return text == nullptr ? nullptr : LowerPattern(pattern, text);
  }
  // What fails in what is tried does not do so by finding nothing.
  const Value* const text = regexall.arguments.size() == 2 ? ScalarOf(*regexall.arguments[0]) : nullptr;
  // Groups with names and others do not go together.
  const bool may_find = state_.tried == 0 && text != nullptr && text->is_string() &&
                        text->AsString().find("(?P<") == std::string_view::npos;
  const BoundCall* const regex = may_find ? binder_.FirstMatch(regexall) : nullptr;
  CoreNodes arguments;
  if (regex == nullptr || !LowerAll(regex->arguments, &arguments)) return nullptr;
  const CoreNode* const found = tree_.Make(CoreNode(CoreKind::kCan), {CallOf(*regex, arguments)});
  return needs_.Make({found, needs_.NeedNode({arguments[1], Guard::kString})});
}

// Instructions take a text at one end; several whole texts are comparisons, which become one search.
const CoreNode* CoreLowering::LowerPattern(const TextPattern& pattern, const CoreNode* text) {
  using Place = TextPattern::Place;
  const auto test = [&](CoreOp op, const std::string& with) {
    return tree_.Prim(op, {text, tree_.Const(binder_.StringConstant(with))});
  };
  switch (pattern.place) {
    case Place::kBeginning:
      return test(CoreOp::kPrefix, pattern.texts[0]);
    case Place::kEnd:
      return test(CoreOp::kSuffix, pattern.texts[0]);
    case Place::kAnywhere:
      return test(CoreOp::kWithin, pattern.texts[0]);
    default:
      break;
  }
  const CoreNode* any = nullptr;
  for (size_t n = pattern.texts.size(); n-- > 0;) {
    const CoreNode* const equal = test(CoreOp::kEqual, pattern.texts[n]);
    any = any == nullptr ? equal : tree_.Make(CoreNode(CoreKind::kAny), {equal, any});
  }
  // What is no string, the function converts.
  return needs_.Make({any, needs_.NeedNode({text, Guard::kString})});
}

}  // namespace hcl::internal
