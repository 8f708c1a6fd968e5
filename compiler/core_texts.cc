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

bool CoreLowering::AppendTextParts(const BoundTemplate& expr, Nodes* parts) {
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
  Nodes parts;
  if (!AppendTextParts(expr, &parts)) return nullptr;
  const auto is_text = [](const CoreNode* node) { return node->is_const() && node->value.is_string(); };
  Nodes joined;
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
    return is_sure ? parts[0] : tree_.Make(CoreNode(CoreKind::kNeed), {parts[0], NeedNode({parts[0], Guard::kString})});
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
  Nodes arguments;
  if (!LowerAll(call.arguments, &arguments)) return nullptr;
  const CoreNode* const list = arguments[1];
  const bool has_needs = list->kind == CoreKind::kNeed;
  const CoreNode& tuple = has_needs ? *list->args[0] : *list;
  if (tuple.kind != CoreKind::kTuple || tuple.args.empty()) return CallOf(call, arguments);
  Nodes joined;
  for (const CoreNode* element : tuple.args) {
    if (!joined.empty() && !separator->AsString().empty()) joined.push_back(tree_.Const(*separator));
    joined.push_back(element);
  }
  if (joined.size() > kMaxInline) return CallOf(call, arguments);
  Nodes needs = {TextOf(joined, call, kByFunction)};
  if (has_needs) needs.insert(needs.end(), list->args.begin() + 1, list->args.end());
  return tree_.Make(CoreNode(CoreKind::kNeed), needs);
}

// A call that joins texts as a template does. What a verb does not take as it is, the function converts.
const CoreNode* CoreLowering::LowerJoined(const BoundCall& call) {
  const absl::Span<const BoundExpr* const> parts = JoinedParts(call);
  if (parts.empty()) return LowerJoinedList(call);
  const std::vector<std::string> texts = TextsAround(call);
  const std::string verbs = VerbsOf(call);
  Nodes joined, needs(1);
  const CoreNode* is_whole = nullptr;
  for (size_t n = 0; n < texts.size(); ++n) {
    if (!texts[n].empty()) joined.push_back(ConstText(texts[n]));
    if (n == parts.size()) break;
    const CoreNode* const part = Lower(*parts[n]);
    if (part == nullptr) return nullptr;
    joined.push_back(part);
    if (verbs[n] == 't') needs.push_back(NeedNode({part, Guard::kBool}));
    if (verbs[n] != 'd') continue;
    const CoreNode* const test = tree_.Prim(CoreOp::kEqual, {part, tree_.Prim(CoreOp::kFloor, {part})});
    is_whole = is_whole == nullptr ? test : tree_.Make(CoreNode(CoreKind::kAll), {is_whole, test});
  }
  const CoreNode* result = TextOf(joined, call, kByFunction);
  if (is_whole != nullptr) {
    is_whole = tree_.Prim(CoreOp::kLeaving, {is_whole});
    result = tree_.Make(CoreNode(CoreKind::kIf), {is_whole, result, General(call, kByFunction)});
  }
  if (needs.size() == 1) return result;
  needs[0] = result;
  return tree_.Make(CoreNode(CoreKind::kNeed), needs);
}

// What the call's pattern, of a text that is no other scalar, names.
TextPattern CoreLowering::TextPatternOf(const BoundCall& call) const {
  const Value* const pattern = call.arguments.size() == 2 ? ScalarOf(*call.arguments[0]) : nullptr;
  if (pattern == nullptr || !pattern->is_string() || call.arguments[1]->is_constant()) return {};
  const Type type = call.arguments[1]->type;
  if (type.is_primitive() && type != Type::String()) return {};
  return ReadTextPattern(pattern->AsString());
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
  return tree_.Make(CoreNode(CoreKind::kNeed), {any, NeedNode({text, Guard::kString})});
}

// A piece of what is split, or of a part of that, which is not made. From the end, the last place is -1. Null for other
// lists. `by_function`: where there is no such piece, it gives another one.
const CoreNode* CoreLowering::PieceOf(const CoreNode& list, int64_t place, bool by_function) {
  if (place < INT16_MIN || place > INT16_MAX) return nullptr;
  if (list.kind == CoreKind::kNeed) {
    Nodes args = {PieceOf(*list.args[0], place, by_function)};
    if (args[0] == nullptr) return nullptr;
    // The pieces of a text are a list of texts, without marks where the text has none.
    const auto is_of_list = [&](const CoreNode* need) {
      return need->is(CoreOp::kCheck) && need->args[0] == list.args[0];
    };
    std::remove_copy_if(list.args.begin() + 1, list.args.end(), std::back_inserter(args), is_of_list);
    return tree_.Make(CoreNode(CoreKind::kNeed), args);
  }
  if (list.kind != CoreKind::kCall) return nullptr;
  const auto& call = As<BoundCall>(*list.origin);
  if (call.expand_last) return nullptr;
  const uint32_t other = by_function ? kOtherPiece : 0;
  switch (call.function->special) {
    case Function::Special::kSplit:
      return list.args.size() == 2 ? tree_.Prim(CoreOp::kPiece, list.args, &call, static_cast<uint16_t>(place) | other)
                                   : nullptr;
    case Function::Special::kReverse:
      return PieceOf(*list.args[0], -1 - place, /*by_function=*/true);
    case Function::Special::kSlice: {
      const auto is_place = [&](size_t n) { return list.args[n]->is_const() && list.args[n]->value.is_int(); };
      if (list.args.size() != 3 || !is_place(1) || !is_place(2)) return nullptr;
      const int64_t from = list.args[1]->value.AsInt(), to = list.args[2]->value.AsInt();
      if (place < 0 || from < 0 || to > INT16_MAX || place >= to - from) return nullptr;
      const CoreNode* const piece = PieceOf(*list.args[0], from + place, /*by_function=*/true);
      const CoreNode* const last = piece == nullptr ? nullptr : PieceOf(*list.args[0], to - 1, /*by_function=*/true);
      return last == nullptr ? nullptr : tree_.Make(CoreNode(CoreKind::kNeed), {piece, last});
    }
    default:
      return nullptr;
  }
}

const CoreNode* CoreLowering::PieceAt(const CoreNode& list, const Value& place, bool by_function) {
  if (!place.is_int() || (place.AsInt() < 0 && !by_function)) return nullptr;
  return PieceOf(list, place.AsInt(), by_function);
}

}  // namespace hcl::internal
