// PlainSession. Tested by compiler/literal_loop_test.cc.

#include "hclvm/compiler/plain_session.h"

#include <algorithm>

#include "absl/types/span.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Spreads numbers that are given in a row.
uint64_t HashNumber(uint32_t number) { return uint64_t{number} * 0x9E3779B1u; }

bool IsCheckable(Type type) {
  return type.is_primitive() || (type.kind() == TypeKind::kList && type.element() == Type::String());
}

}  // namespace

// Answers of fast_forms.h for what the variable stands for.
struct PlainSession::Parts {
  static constexpr bool kMakesLists = false;

  PlainSession* session;

  const BoundExpr& inner(const BoundExpr& expr) const { return session->Inner(expr); }
  bool yield(const BoundExpr& expr) const { return session->CanYield(expr); }
  bool list(const BoundExpr& expr) const { return session->CanYield(expr); }
  static bool makes_calls() { return false; }
  bool has_register(const LocalVariable* local) const { return local != session->variable_; }
  bool test(const BoundExpr& expr) const { return session->CanTest(expr); }
  bool branch(const BoundExpr& expr) const {
    const BoundExpr& inner = session->Inner(expr);
    if (IsMixedChoice(inner)) return false;
    if (IsChoice(inner)) return HasFastBranches(As<BoundConditional>(inner), *this);
    return IsNull(inner) || session->CanYield(inner);
  }
};

// By type alone; that it is known and not null is for others to say.
bool Passes(Type type, PlainCheck check) {
  switch (check) {
    case PlainCheck::kNoError:
      return true;
    case PlainCheck::kScalar:
      return type.is_primitive();
    case PlainCheck::kString:
      return type == Type::String();
    case PlainCheck::kNumber:
      return type == Type::Number();
    case PlainCheck::kBool:
      return type == Type::Bool();
    case PlainCheck::kScalars:
      return type.kind() == TypeKind::kList && type.element().is_primitive();
    case PlainCheck::kBoolOrBlank:
    case PlainCheck::kBoolOrNothing:
    case PlainCheck::kSide:
    case PlainCheck::kBoolSide:
      return type == Type::Bool();
    case PlainCheck::kNotNull:
    case PlainCheck::kKnown:
    case PlainCheck::kSplat:
    case PlainCheck::kMapping:
      return false;
    case PlainCheck::kUnmarked:
    case PlainCheck::kWhole:
      return type.is_primitive();
    case PlainCheck::kNumberOrBlank:
      return type == Type::Number();
    case PlainCheck::kStringOrBlank:
      return type == Type::String();
  }
  return false;
}

bool IsTotalCall(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall || !expr.total) return false;
  const auto& call = As<BoundCall>(expr);
  for (size_t n = 0; n < call.arguments.size(); ++n) {
    if (!IsCheckable(call.function->parameter(n).type)) return false;
  }
  return true;
}

PlainCheck CheckOfParameter(Type type) {
  if (type == Type::String()) return PlainCheck::kScalar;
  if (type == Type::Number()) return PlainCheck::kNumber;
  return type == Type::Bool() ? PlainCheck::kBool : PlainCheck::kScalars;
}

PlainSession::PlainSession(const BoundTree& tree, const BoundFor& loop)
    : tree_(tree),
      first_(loop.first),
      variable_(loop.variables.value),
      ways_(loop.size()),
      verifiable_known_(loop.size()),
      verifiable_(loop.size()),
      counted_(loop.size()),
      verified_(loop.size()) {}

void PlainSession::Bind(const BoundExpr& element) {
  element_ = &element;
  object_ = ObjectLiteral(element);
  tuple_ = TupleLiteral(element);
  parts_.clear();
  if (object_ != nullptr) {
    for (const BoundItem& item : object_->items) parts_.push_back(item.value);
  } else if (tuple_ != nullptr) {
    parts_.assign(tuple_->elements.begin(), tuple_->elements.end());
  } else {
    parts_.push_back(element_);
  }
}

const BoundExpr& PlainSession::InnerOfLocal(const BoundLocal& expr) const {
  if (variable_ == nullptr || expr.local != variable_) return expr;
  if (expr.steps.empty()) return *element_;
  if (expr.steps.size() != 1) return expr;
  const Value& key = expr.steps[0].key;
  if (tuple_ != nullptr && key.is_int() && key.AsInt() >= 0 && key.AsInt() < static_cast<int64_t>(parts_.size())) {
    return *parts_[static_cast<size_t>(key.AsInt())];
  }
  const bool is_name = object_ != nullptr && object_->shape != nullptr && key.is_string();
  const int64_t at = is_name ? object_->shape->Find(key) : -1;
  if (at < 0) return expr;
  for (const BoundItem& item : object_->items) {
    if (item.position == static_cast<uint32_t>(at)) return *item.value;
  }
  return expr;
}

PlainSession::Way PlainSession::WayOf(const BoundExpr& expr) {
  Way& way = ways_[expr.id - first_];
  if (way == Way::kUnknown) way = CanYieldNode(expr) ? Way::kFast : expr.pure ? Way::kGeneral : Way::kNone;
  return way;
}

// What reads the variable is another expression for each element, and there is no general code for it.
bool PlainSession::CanYield(const BoundExpr& expr) {
  const BoundExpr& inner = Inner(expr);
  return ReadsElement(inner) ? CanYieldNode(inner) || CanCall(inner) : WayOf(inner) != Way::kNone;
}

// Functions that fast code knows are left out: their parts have been looked at then, and would be once more at each
// level.
bool PlainSession::CanCall(const BoundExpr& expr) {
  if (!IsOrdinaryCall(expr) || As<BoundCall>(expr).expand_last) return false;
  if (As<BoundCall>(expr).function->special != Function::Special::kNone) return false;
  const auto& arguments = As<BoundCall>(expr).arguments;
  return std::all_of(arguments.begin(), arguments.end(), [&](const BoundExpr* part) { return CanYield(*part); });
}

bool PlainSession::CanYieldNode(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kLocal && As<BoundLocal>(expr).local == variable_) return false;
  if (expr.kind == BoundKind::kObject || expr.kind == BoundKind::kTuple || expr.kind == BoundKind::kTemplate) {
    return CanYieldItems(expr);
  }
  const Parts parts{this};
  return HasFastValue(expr, IsChoice(expr) ? BranchTypeOf(expr, parts) : BranchType(), parts);
}

bool PlainSession::CanYieldItems(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kObject) {
    const auto& object = As<BoundObject>(expr);
    return object.is_short() && std::all_of(object.items.begin(), object.items.end(),
                                            [&](const BoundItem& item) { return CanYield(*item.value); });
  }
  absl::Span<const BoundExpr* const> parts =
      expr.kind == BoundKind::kTuple ? As<BoundTuple>(expr).elements : As<BoundTemplate>(expr).parts;
  return parts.size() <= kMaxInline &&
         std::all_of(parts.begin(), parts.end(), [&](const BoundExpr* part) { return CanYield(*part); });
}

bool PlainSession::CanTest(const BoundExpr& expr) {
  const BoundExpr& inner = Inner(expr);
  if (!CanYield(inner)) return false;
  if (IsGeneral(inner)) return true;
  return MayBeBool(inner, IsChoice(inner) ? BranchTypeOf(inner, Parts{this}) : BranchType());
}

// Remembers the answer for what does not read the variable.
bool PlainSession::CanVerify(const BoundExpr& expr) {
  const BoundExpr& inner = Inner(expr);
  if (ReadsElement(inner)) return CanVerifyNode(inner);
  const uint32_t at = inner.id - first_;
  if (!verifiable_known_[at]) {
    verifiable_[at] = CanVerifyNode(inner);
    verifiable_known_[at] = true;
  }
  return verifiable_[at];
}

bool PlainSession::IsVerifiedByJumps(const BoundExpr& inner) {
  if (!IsTypedChoice(inner)) return false;
  const auto& choice = As<BoundConditional>(inner);
  return CanTest(*choice.condition) && CanVerify(*choice.if_true) && CanVerify(*choice.if_false);
}

// What is put together is verified by its parts.
bool PlainSession::CanVerifyNode(const BoundExpr& inner) {
  const auto can_verify = [this](const BoundExpr* part) { return CanVerify(*part); };
  if (IsVerifiedByJumps(inner)) return true;
  if (!CanYield(inner)) return false;
  const bool is_general = IsGeneral(inner);
  if (IsTotalCall(inner)) {
    const auto& arguments = As<BoundCall>(inner).arguments;
    return std::all_of(arguments.begin(), arguments.end(), can_verify);
  }
  if (inner.kind == BoundKind::kTemplate) {
    const auto& parts = As<BoundTemplate>(inner).parts;
    return std::all_of(parts.begin(), parts.end(), can_verify);
  }
  if (is_general) return true;
  if (inner.kind == BoundKind::kTuple) {
    const auto& elements = As<BoundTuple>(inner).elements;
    return std::all_of(elements.begin(), elements.end(), can_verify);
  }
  if (inner.kind == BoundKind::kObject) {
    const auto& items = As<BoundObject>(inner).items;
    return std::all_of(items.begin(), items.end(), [&](const BoundItem& item) { return CanVerify(*item.value); });
  }
  return true;
}

// The paths and general values in `expr`. Where mostly only the parts are verified, those of the parts.
void PlainSession::AppendReads(const BoundExpr& expr) {
  absl::InlinedVector<const BoundExpr*, 16> stack = {&expr};
  const auto push = [&](const BoundExpr& part) { stack.push_back(&part); };
  while (!stack.empty()) {
    const BoundExpr& at = Inner(*stack.back());
    stack.pop_back();
    if (at.is_constant()) continue;
    const bool is_path = at.kind == BoundKind::kPath && !As<BoundPath>(at).steps.empty();
    const bool in_parts = !is_path && (IsVerifiedByJumps(at) || IsTotalCall(at));
    if (is_path || (!in_parts && IsGeneral(at))) {
      reads_.push_back(&at);
    } else if (IsAttempt(at)) {
      // What need not be there is looked for where it stands.
      if (As<BoundCall>(at).is(Function::Special::kTry)) push(*As<BoundCall>(at).arguments.back());
    } else {
      ForEachPart(at, push);
    }
  }
}

PlainSession::KnownValue* PlainSession::FindNumber(uint32_t number) {
  const auto found = value_index_.Find(HashNumber(number), [&](uint32_t at) { return values_[at].number == number; });
  return found ? &values_[*found] : nullptr;
}

// The value of which this was the second use: it is worth a register from then on.
PlainSession::KnownValue* PlainSession::CountRead(const BoundExpr& expr) {
  const uint32_t at = expr.id - first_;
  if (counted_[at]) return nullptr;
  counted_[at] = true;
  const uint32_t number = tree_.ValueNumberOf(expr);
  if (KnownValue* const known = FindNumber(number)) return ++known->uses == 2 ? known : nullptr;
  if (values_.size() == kMaxKnownValues) return nullptr;
  value_index_.Add(HashNumber(number), static_cast<uint32_t>(values_.size()));
  values_.push_back({number, 1});
  return nullptr;
}

void PlainSession::Forget() {
  for (KnownValue& value : values_) {
    value.is_there = false;
    value.checks = 0;
  }
  verified_.assign(verified_.size(), false);
}

PlainSession::KnownValue* PlainSession::Find(const BoundExpr& expr) {
  if (expr.is_constant()) return nullptr;
  KnownValue* const known = FindNumber(tree_.ValueNumberOf(expr));
  return known == nullptr || known->reg == 0 ? nullptr : known;
}

}  // namespace hcl::internal
