// ReasonFinder. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/reason_finder.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/workbench/source_line.h"
#include "hclvm/workbench/value_diff.h"

namespace hcl::internal {
namespace {

using Kind = Reason::Kind;

constexpr int kMaxDepth = 48;
constexpr size_t kMaxTextBytes = 100;
// Of a list or object whose text is made, as Value::weight() has it.
constexpr uint64_t kMaxWeight = 10'000;
// Rules, elements and unknown variables that one reason names.
constexpr uint32_t kMaxShown = 5;
// Reads that one reason names.
constexpr size_t kMaxReads = 20;
// The parts of a loop.
constexpr size_t kCollection = 0, kCondition = 1, kElement = 3;

bool IsError(const Value& value) { return value.is_error(); }
bool IsUnknown(const Value& value) { return value.unmarked().is_unknown(); }

bool IsLogical(PointKind kind) { return kind == PointKind::kAnd || kind == PointKind::kOr; }
bool IsVariable(PointKind kind) { return kind == PointKind::kPath || kind == PointKind::kLocal; }

bool IsWithin(SourceRange inner, SourceRange outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }

}  // namespace

std::string ReasonFinder::TextOf(const TraceItem& item) const {
  const RecordPoint& point = item.point();
  return Excerpt(OneLine(point.source->Slice(point.range)), kMaxTextBytes);
}

// A text that is cut is made as a whole first, which takes too long where many expressions have a large value.
std::string ReasonFinder::ValueText(const Value& value) const {
  const Value& unmarked = value.unmarked();
  if (unmarked.weight() > kMaxWeight && !ways_.IsHidden(value)) {
    if (unmarked.is_sequence()) return absl::StrCat("[...] (", unmarked.elements().size(), " elements)");
    if (unmarked.is_mapping()) return absl::StrCat("{...} (", unmarked.shape().size, " elements)");
  }
  return value.is_error() ? "error" : ShortText(value, heap_, options_.show_sensitive);
}

ReasonPlace ReasonFinder::PlaceOf(const TraceItem& item) const {
  const RecordPoint& point = item.point();
  const SourcePosition at = point.source->PositionAt(point.range.begin);
  return {point.source->name(), at.line, at.column};
}

Reason ReasonFinder::Make(Kind kind, const TraceItem& item) const {
  Reason reason;
  reason.kind = kind;
  reason.text = TextOf(item);
  if (item.is_there()) reason.value = ValueText(item.value());
  reason.place = PlaceOf(item);
  return reason;
}

void ReasonFinder::AddRead(const TraceItem& item, Reason* out) const {
  if (out->reads.size() >= kMaxReads) return;
  ValueRead read{TextOf(item), ValueText(item.value())};
  if (std::find(out->reads.begin(), out->reads.end(), read) == out->reads.end()) out->reads.push_back(std::move(read));
}

// A reason whose only reason says the same of another place is one.
void ReasonFinder::Add(Reason reason, Reason* out) {
  if (reason.reads.empty() && reason.left_out == 0 && reason.reasons.size() == 1 &&
      reason.reasons[0].text == reason.text && reason.reasons[0].value == reason.value) {
    Reason inner = std::move(reason.reasons[0]);
    inner.kind = reason.kind;
    inner.number = reason.number;
    inner.count = reason.count;
    reason = std::move(inner);
  }
  ++added_;
  out->reasons.push_back(std::move(reason));
}

void ReasonFinder::Explain(const TraceItem& item, Reason* out) { Why(item, out); }

void ReasonFinder::Why(const TraceItem& item, Reason* out) {
  if (!item.is_there()) return;
  if (added_ >= options_.max_reasons || depth_ >= kMaxDepth) {
    if (!item.is_constant()) ++out->left_out;
    return;
  }
  ++depth_;
  if (IsError(item.value())) {
    WhyError(item, out);
  } else if (IsUnknown(item.value())) {
    WhyUnknown(item, out);
  } else {
    WhyKind(item, out);
  }
  --depth_;
}

void ReasonFinder::WhyKind(const TraceItem& item, Reason* out) {
  switch (item.kind()) {
    case PointKind::kConstant:
    case PointKind::kRaise:
      return;
    case PointKind::kPath:
      return WhyPath(item, out);
    case PointKind::kLocal:
      return WhyLoopVariable(item, out);
    case PointKind::kSteps:
    case PointKind::kIndex:
      return WhySteps(item, out);
    case PointKind::kCall:
      return WhyCall(item, out);
    case PointKind::kFor:
    case PointKind::kSplat:
    case PointKind::kTemplateFor:
      return WhyLoop(item, /*only_first=*/false, out);
    case PointKind::kAnd:
    case PointKind::kOr:
      return WhyLogical(item, out);
    case PointKind::kConditional:
      return WhyConditional(item, out);
    default:
      return WhyParts(item, out);
  }
}

void ReasonFinder::WhyParts(const TraceItem& item, Reason* out) {
  for (const TraceItem& part : ways_.PartsOf(item)) Why(part, out);
}

// A local is explained where it is read first, and where it is written.
void ReasonFinder::WhyPath(const TraceItem& path, Reason* out) {
  const std::optional<TraceItem> local = ways_.LocalOf(path);
  if (!local || !local->is_there() || local->is_constant()) return AddRead(path, out);
  const std::optional<TraceItem> origin = ways_.Origin(path);
  const TraceItem target = origin ? *origin : *local;
  if (!explained_.insert({target.table, target.number}).second) return AddRead(path, out);
  Reason reason = Make(Kind::kName, path);
  reason.place = PlaceOf(target);
  Why(target, &reason);
  reason.reads.empty() && reason.reasons.empty() ? AddRead(path, out) : Add(std::move(reason), out);
}

void ReasonFinder::WhyLoopVariable(const TraceItem& item, Reason* out) {
  const std::optional<TraceItem> origin = ways_.Origin(item);
  if (!origin || origin->is_constant()) return AddRead(item, out);
  AddOperand(*origin, out);
}

void ReasonFinder::AddOperand(const TraceItem& item, Reason* out) {
  if (!item.is_there()) return;
  if (added_ >= options_.max_reasons) {
    ++out->left_out;
    return;
  }
  if (IsError(item.value()) || IsUnknown(item.value()) || IsLogical(item.kind())) return Why(item, out);
  if (item.kind() == PointKind::kCall && ways_.BodyOf(item)) return Why(item, out);
  if (item.kind() == PointKind::kLocal) {
    const std::optional<TraceItem> origin = ways_.Origin(item);
    if (origin && !origin->is_constant()) return AddOperand(*origin, out);
  }
  Reason reason = Make(Kind::kOperand, item);
  if (IsVariable(item.kind()) && !ways_.LocalOf(item)) return Add(std::move(reason), out);
  if (item.kind() == PointKind::kPath) return WhyPath(item, out);
  Why(item, &reason);
  Add(std::move(reason), out);
}

// The first match of a table is a loop of which one element is taken.
void ReasonFinder::WhySteps(const TraceItem& item, Reason* out) {
  const std::optional<TraceItem> source = ways_.PartOf(item, 0);
  if (!source || !source->is_there()) return;
  const bool is_first =
      item.kind() == PointKind::kSteps && item.point().steps[0].key.is_int() && item.point().steps[0].key.AsInt() == 0;
  if (source->kind() == PointKind::kFor && is_first) return WhyLoop(*source, /*only_first=*/true, out);
  if (item.kind() == PointKind::kIndex) {
    const std::optional<TraceItem> key = ways_.PartOf(item, 1);
    if (key) Why(*key, out);
  }
  const std::optional<TraceItem> origin = ways_.Origin(item);
  Why(origin ? *origin : *source, out);
}

// Where an operand has decided, those behind it were not looked at.
void ReasonFinder::WhyLogical(const TraceItem& chain, Reason* out) {
  const Truth deciding = chain.kind() == PointKind::kAnd ? Truth::kFalse : Truth::kTrue;
  const std::vector<TraceItem> operands = ways_.PartsOf(chain);
  for (const TraceItem& operand : operands) {
    if (TruthOf(operand.value()) == deciding && !ways_.IsHidden(operand.value())) return AddOperand(operand, out);
  }
  // Whether those behind one that is hidden were looked at would tell what it is.
  for (const TraceItem& operand : operands) {
    if (!operand.is_constant()) AddOperand(operand, out);
    if (ways_.IsHidden(operand.value())) return;
  }
}

// Of nested conditionals, the condition that decided comes first, then those that were tried before it.
void ReasonFinder::WhyConditional(const TraceItem& item, Reason* out) {
  std::vector<TraceItem> conditions;
  TraceItem branch = item;
  while (branch.kind() == PointKind::kConditional) {
    const std::optional<TraceItem> condition = ways_.PartOf(branch, 0);
    if (!condition || !condition->is_there()) return;
    conditions.push_back(*condition);
    // The branch would tell what it is.
    if (ways_.IsHidden(condition->value())) break;
    const Truth truth = TruthOf(condition->value());
    const std::optional<TraceItem> taken = ways_.PartOf(branch, truth == Truth::kTrue ? 1 : 2);
    if (truth == Truth::kNeither || !taken || !taken->is_there()) return Why(*condition, out);
    branch = *taken;
  }
  std::rotate(conditions.begin(), conditions.end() - 1, conditions.end());
  for (const TraceItem& condition : conditions) {
    if (condition.is_constant()) continue;
    Reason reason = Make(Kind::kCondition, condition);
    if (!IsVariable(condition.kind()) || ways_.LocalOf(condition)) Why(condition, &reason);
    Add(std::move(reason), out);
    if (options_.deciding_only) return;
  }
  if (branch.kind() != PointKind::kConditional) Why(branch, out);
}

bool ReasonFinder::MayShow(const std::vector<TraceItem>& items) const {
  return std::none_of(items.begin(), items.end(),
                      [this](const TraceItem& item) { return ways_.IsHidden(item.value()); });
}

void ReasonFinder::WhyCall(const TraceItem& call, Reason* out) {
  const std::string_view name = call.point().name;
  if (name == "try") return WhyTry(call, out);
  if (name == "coalesce") return WhyCoalesce(call, out);
  if (name == "anytrue" && WhyAny(call, Truth::kTrue, out)) return;
  if (name == "alltrue" && WhyAny(call, Truth::kFalse, out)) return;
  const std::optional<TraceItem> body = ways_.BodyOf(call);
  if (!body) return WhyParts(call, out);
  Reason reason = Make(Kind::kFunction, call);
  WhyParts(call, &reason);
  // Its parameters are the arguments, which are told already.
  Reason inner;
  Why(*body, &inner);
  std::move(inner.reasons.begin(), inner.reasons.end(), std::back_inserter(reason.reasons));
  for (ValueRead& read : inner.reads) {
    if (std::find(reason.reads.begin(), reason.reads.end(), read) == reason.reads.end()) {
      reason.reads.push_back(std::move(read));
    }
  }
  Add(std::move(reason), out);
}

// The attempt that gave the value, then those that failed before it.
void ReasonFinder::WhyTry(const TraceItem& call, Reason* out) {
  const std::vector<TraceItem> attempts = ways_.PartsOf(call);
  const auto count = static_cast<uint32_t>(call.point().parts.size());
  size_t taken = 0;
  while (taken < attempts.size() && IsError(attempts[taken].value())) ++taken;
  if (taken == attempts.size()) return;
  if (taken == 0) return Why(attempts[0], out);
  const auto add = [&](size_t n) {
    Reason reason = Make(Kind::kAttempt, attempts[n]);
    reason.number = static_cast<uint32_t>(n) + 1;
    reason.count = count;
    Why(attempts[n], &reason);
    Add(std::move(reason), out);
  };
  add(taken);
  for (size_t n = 0; n < taken; ++n) add(n);
}

// Nulls and empty texts are passed over.
void ReasonFinder::WhyCoalesce(const TraceItem& call, Reason* out) {
  const std::vector<TraceItem> arguments = ways_.PartsOf(call);
  if (!MayShow(arguments)) return WhyParts(call, out);
  for (size_t n = 0; n < arguments.size(); ++n) {
    const Value& value = arguments[n].value().unmarked();
    if (value.is_null() || (value.is_string() && value.AsString().empty())) continue;
    Reason reason = Make(Kind::kAttempt, arguments[n]);
    reason.number = static_cast<uint32_t>(n) + 1;
    reason.count = static_cast<uint32_t>(arguments.size());
    Why(arguments[n], &reason);
    Add(std::move(reason), out);
    for (size_t before = 0; before < n; ++before) Why(arguments[before], out);
    return;
  }
  WhyParts(call, out);
}

// False where the argument is no list whose elements can be told apart.
bool ReasonFinder::WhyAny(const TraceItem& call, Truth deciding, Reason* out) {
  std::optional<TraceItem> list = ways_.PartOf(call, 0);
  if (list && list->is_there() && !list->is_constant()) {
    const std::optional<TraceItem> origin = ways_.Origin(*list);
    if (origin) list = origin;
  }
  if (!list || list->node == nullptr) return false;
  const bool is_loop = list->kind() == PointKind::kFor || list->kind() == PointKind::kSplat;
  if (is_loop && ways_.IsHiddenLoop(*list)) return false;
  std::vector<std::pair<uint32_t, TraceItem>> elements;
  uint32_t count = 0;
  if (list->kind() == PointKind::kTuple) {
    for (const TraceItem& part : ways_.PartsOf(*list)) elements.emplace_back(count++, part);
  } else if (is_loop) {
    count = TraceWays::PassesOf(*list);
    for (uint32_t pass = 0; pass < count; ++pass) {
      const std::optional<TraceItem> element = ways_.PartOf(*list, kElement, pass);
      if (element && element->is_there()) elements.emplace_back(pass, *element);
    }
  } else {
    return false;
  }
  const auto add = [&](const std::pair<uint32_t, TraceItem>& one) {
    Reason reason = Make(Kind::kElement, one.second);
    reason.number = one.first + 1;
    reason.count = count;
    Why(one.second, &reason);
    Add(std::move(reason), out);
  };
  for (const auto& one : elements) {
    if (TruthOf(one.second.value()) == deciding && !ways_.IsHidden(one.second.value())) return add(one), true;
  }
  for (size_t n = 0; n < elements.size() && n < kMaxShown; ++n) add(elements[n]);
  if (elements.size() > kMaxShown) out->left_out += elements.size() - kMaxShown;
  if (elements.empty()) WhyLoop(*list, /*only_first=*/false, out);
  return true;
}

// A literal's elements are told where they matter, and not all of them.
void ReasonFinder::WhyLoop(const TraceItem& loop, bool only_first, Reason* out) {
  if (loop.node == nullptr) return;
  if (ways_.IsHiddenLoop(loop)) return WhyParts(loop, out);
  if (loop.kind() == PointKind::kFor && loop.point().parts[kCondition] != RecordTable::kNoPoint) {
    return WhyTable(loop, only_first, out);
  }
  const std::optional<TraceItem> collection = ways_.PartOf(loop, kCollection);
  if (collection && collection->kind() != PointKind::kTuple && collection->kind() != PointKind::kObject) {
    Why(*collection, out);
  }
  const uint32_t passes = TraceWays::PassesOf(loop);
  const uint32_t shown = std::min(passes, only_first ? 1 : kMaxShown);
  for (uint32_t pass = 0; pass < shown; ++pass) {
    const std::optional<TraceItem> element = ways_.PartOf(loop, kElement, pass);
    if (element && !element->is_constant()) Why(*element, out);
  }
  if (!only_first) out->left_out += passes - shown;
}

// What decided first, then what was passed over: where the first one decides, only those in front of it.
void ReasonFinder::WhyTable(const TraceItem& loop, bool only_first, Reason* out) {
  const uint32_t passes = TraceWays::PassesOf(loop);
  std::vector<uint32_t> applied, passed_over;
  std::vector<TraceItem> hidden;
  for (uint32_t pass = 0; pass < passes; ++pass) {
    const std::optional<TraceItem> condition = ways_.PartOf(loop, kCondition, pass);
    if (!condition || !condition->is_there()) continue;
    if (ways_.IsHidden(condition->value())) hidden.push_back(*condition);
    const bool applies = TruthOf(condition->value()) == Truth::kTrue;
    (applies ? applied : passed_over).push_back(pass);
    if (applies && only_first) break;
  }
  // Which rules apply would tell what these are.
  if (!hidden.empty()) {
    for (size_t n = 0; n < hidden.size() && n < kMaxShown; ++n) AddOperand(hidden[n], out);
    return;
  }
  const auto collection = ways_.PartOf(loop, kCollection);
  const auto key_count = collection && collection->is_there() && collection->value().unmarked().is_sequence()
                             ? static_cast<uint32_t>(collection->value().unmarked().elements().size())
                             : passes;
  for (const bool applies : {true, false}) {
    if (!applies && options_.deciding_only) break;
    const std::vector<uint32_t>& of = applies ? applied : passed_over;
    for (size_t n = 0; n < of.size() && n < kMaxShown; ++n) AddRule(loop, of[n], key_count, applies, out);
    if (of.size() > kMaxShown) out->left_out += of.size() - kMaxShown;
  }
  // Over nothing, or all passed over: what the elements come from.
  if (passes == 0 && collection) Why(*collection, out);
}

void ReasonFinder::AddRule(const TraceItem& loop, uint32_t pass, uint32_t passes, bool applies, Reason* out) {
  Reason reason;
  const std::optional<TraceItem> element = ways_.ElementOf(loop, pass);
  if (element) {
    reason = Make(Kind::kRule, *element);
  } else {
    reason = Make(Kind::kRule, loop);
    const std::optional<TraceItem> collection = ways_.PartOf(loop, kCollection);
    const Value& all = collection->value().unmarked();
    if (all.is_mapping()) reason.value = ValueText(all.values()[pass]);
    if (all.is_sequence()) reason.value = ValueText(all.elements()[pass]);
    reason.text = reason.value;
  }
  reason.kind = applies ? Kind::kRule : Kind::kPassedOver;
  reason.number = pass + 1;
  reason.count = passes;
  if (options_.deciding_only) return Add(std::move(reason), out);
  const std::optional<TraceItem> condition = ways_.PartOf(loop, kCondition, pass);
  const std::optional<TraceItem> origin = condition ? ways_.Origin(*condition) : std::nullopt;
  if (condition && !(origin && origin->is_constant())) AddOperand(*condition, &reason);
  Add(std::move(reason), out);
}

std::vector<TraceItem> ReasonFinder::AllParts(const TraceItem& item) const {
  std::vector<TraceItem> parts;
  if (item.node != nullptr) {
    for (const TraceNode* node : item.node->parts) {
      if (node->is_done) parts.push_back({node->table, node->number, node});
    }
  }
  if (item.kind() == PointKind::kLocal) {
    const std::optional<TraceItem> origin = ways_.Origin(item);
    if (origin && origin->node != item.node) parts.push_back(*origin);
  }
  // A name may have been evaluated where it was read before.
  const std::optional<TraceItem> local = ways_.LocalOf(item);
  if (local && local->is_there()) parts.push_back(*local);
  return parts;
}

std::optional<TraceItem> ReasonFinder::PartLike(const TraceItem& item, bool (*is_like)(const Value&)) const {
  for (const TraceItem& part : AllParts(item)) {
    if (is_like(part.value())) return part;
  }
  return std::nullopt;
}

// The message about the narrowest place around or in the item.
std::string ReasonFinder::MessageAt(const TraceItem& item) const {
  const RecordPoint& point = item.point();
  const Diagnostic* found = nullptr;
  for (const Diagnostic& one : diagnostics_.kept()) {
    const Source* const source = one.source != nullptr ? one.source : &program_.source();
    if (!one.subject || source != point.source || !IsWithin(*one.subject, point.range)) continue;
    found = &one;
    break;
  }
  if (found == nullptr && !diagnostics_.kept().empty()) found = &diagnostics_.kept().front();
  if (found == nullptr) return "";
  std::string_view detail = found->detail;
  if (!detail.empty() && detail.back() == '.') detail.remove_suffix(1);
  return absl::StrCat(found->summary, ": ", ToAbsl(detail));
}

// An attempt that failed is no error any more, and has no message.
void ReasonFinder::WhyError(const TraceItem& item, Reason* out) {
  TraceItem origin = item;
  while (const std::optional<TraceItem> part = PartLike(origin, IsError)) origin = *part;
  Reason reason = Make(Kind::kError, origin);
  reason.message = MessageAt(origin);
  for (const TraceItem& part : AllParts(origin)) {
    if (!IsUnknown(part.value())) Why(part, &reason);
  }
  Add(std::move(reason), out);
}

void ReasonFinder::WhyUnknown(const TraceItem& item, Reason* out) {
  std::vector<TraceItem> open = {item};
  std::set<std::string> named;
  size_t looked_at = 0;
  constexpr size_t kMaxLooks = 10'000;
  while (!open.empty() && named.size() < kMaxShown && ++looked_at < kMaxLooks) {
    const TraceItem next = open.back();
    open.pop_back();
    std::vector<TraceItem> parts = AllParts(next);
    parts.erase(std::remove_if(parts.begin(), parts.end(), [](const TraceItem& p) { return !IsUnknown(p.value()); }),
                parts.end());
    if (parts.empty()) {
      Reason reason = Make(Kind::kUnknown, next);
      if (named.insert(reason.text).second) Add(std::move(reason), out);
    }
    open.insert(open.end(), parts.rbegin(), parts.rend());
  }
}

}  // namespace hcl::internal
