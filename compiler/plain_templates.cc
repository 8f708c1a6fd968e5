// PlainGenerator: templates. Each part that is joined costs about as much as a test: parts that are known beforehand
// are put together here. Tested by compiler/plain_generator_test.cc.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/joined_texts.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
// The parts of a template in it are parts of the whole: their text is not made before.
void PlainGenerator::AppendParts(const BoundTemplate& expr, ShortList<const BoundExpr*>* parts) {
  for (const BoundExpr* part : expr.parts) {
    const BoundExpr& inner = Inner(*part);
    const bool joins = inner.kind == BoundKind::kTemplate && HasFastParts(As<BoundTemplate>(inner), Parts{this});
    if (joins && parts->size() < kMaxInline) {
      AppendParts(As<BoundTemplate>(inner), parts);
    } else {
      parts->push_back(&inner);
    }
  }
}

Value PlainGenerator::JoinedText(std::string_view before, std::string_view text, std::string_view after) {
  const std::string all = absl::StrCat(ToAbsl(before), ToAbsl(text), ToAbsl(after));
  return g_.StringConstant(IsKnownNfc(all) ? all : ToNfc(all));
}

// The texts around a choice between two are part of both.
void PlainGenerator::YieldText(const BoundConditional& choice, std::string_view before, std::string_view after,
                               uint16_t dest) {
  const auto load = [&](const BoundExpr& branch) {
    const Value text = JoinedText(before, ScalarOf(branch)->AsString(), after);
    g_.builder_->EmitX(Opcode::kLoadConst, dest, g_.builder_->AddConstant(text));
  };
  PlainLabel if_false;
  Test(*choice.condition, false, &if_false);
  const Branch branch(this);
  load(*choice.if_true);
  const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
  PatchToHere(if_false);
  branch.Else();
  load(*choice.if_false);
  g_.builder_->PatchToHere(done);
}

// Constant texts side by side are one operand, also those around a choice between texts: each operand costs the join
// a copy.
void PlainGenerator::YieldTemplate(const BoundTemplate& expr, uint16_t dest) {
  ShortList<const BoundExpr*> parts;
  AppendParts(expr, &parts);
  ShortList<uint16_t> operands;
  size_t n = 0;
  // The constant texts from there on.
  const auto take_texts = [&] {
    std::string texts;
    for (; n < parts.size() && IsText(*parts[n]); ++n) texts.append(ScalarOf(*parts[n])->AsString());
    return texts;
  };
  while (n < parts.size()) {
    const std::string before = take_texts();
    if (n < parts.size() && IsTextChoice(*parts[n]) && !IsGeneral(*parts[n])) {
      const auto& choice = As<BoundConditional>(*parts[n++]);
      operands.push_back(g_.Allocate());
      YieldText(choice, before, take_texts(), operands.back());
      continue;
    }
    if (!before.empty()) operands.push_back(g_.RkConstant(JoinedText(before, "", "")));
    if (n < parts.size()) operands.push_back(InRegister(CheckedOperand(*parts[n++], PlainCheck::kScalar)));
  }
  const SourceRange spans[] = {expr.range};
  g_.builder_->EmitX(Opcode::kConcat, dest, g_.builder_->AddList(operands), spans);
}

// What a verb takes as it is. Other values, which it converts, or for which it fails, are general code's: what is tried
// does not fail for them.
uint16_t PlainGenerator::VerbOperand(const BoundExpr& part, char verb) {
  if (verb == 's') return CheckedOperand(part, PlainCheck::kScalar);
  const uint16_t operand = LeavingOperand(part);
  if (is_tried_) {
    EndRegion();
    BeginRegion();
  }
  if (verb == 't') {
    g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(PlainCheck::kBool));
  } else {
    const uint16_t whole = g_.Allocate();
    g_.builder_->Emit(Opcode::kPlainFloor, whole, operand);
    const uint32_t is_whole = g_.builder_->Emit(Opcode::kIfEqual, operand, whole);
    Leave();
    g_.builder_->PatchToHere(is_whole);
  }
  if (is_tried_) {
    EndRegion();
    BeginRegion();
    regions_.back().failed = kFailsNowhere;
  }
  return operand;
}

// A template of the same parts and texts. General code makes the call, and so the message where one is no scalar.
void PlainGenerator::YieldJoined(const BoundCall& call, uint16_t dest) {
  const absl::Span<const BoundExpr* const> parts = JoinedParts(call);
  const std::vector<std::string> texts = TextsAround(call);
  const std::string verbs = VerbsOf(call);
  ShortList<uint16_t> operands;
  for (size_t n = 0; n < texts.size(); ++n) {
    if (!texts[n].empty()) operands.push_back(g_.RkConstant(JoinedText(texts[n], "", "")));
    if (n < parts.size()) operands.push_back(InRegister(VerbOperand(*parts[n], verbs[n])));
  }
  const SourceRange spans[] = {call.range};
  g_.builder_->EmitX(Opcode::kConcat, dest, g_.builder_->AddList(operands), spans);
}

}  // namespace hcl::internal
