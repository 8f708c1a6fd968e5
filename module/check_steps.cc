// TypeChecker: variables, and steps into values. Tested by module/type_checker_test.cc.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/habits.h"
#include "hclvm/base/path_text.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

void AppendStep(const BoundStep& step, std::string* text) {
  if (step.key.is_string()) {
    step.is_attribute ? AppendNameStep(step.key.AsString(), text) : AppendKeyStep(step.key.AsString(), text);
  } else {
    absl::StrAppend(text, "[...]");
  }
}

// Whether a text is one of a number.
bool IsNumber(const Value& text, Heap* heap) {
  Value converted;
  ConversionError error;
  return Convert(text, Type::Number(), heap, &converted, &error);
}

// Why no list has an element with this index, a number or the text of one; empty where some may.
std::string_view NeverIndex(const Value& key, Heap* heap) {
  Value index;
  ConversionError error;
  if (!Convert(key, Type::Number(), heap, &index, &error) || !index.is_number()) return "";
  if (!index.AsNumber().IsInteger()) return "An index is a whole number.";
  if (index.AsNumber().Sign() >= 0) return "";
  return "No index is negative: elements are counted from 0, and the last one is list[length(list) - 1].";
}

}  // namespace

const StaticType* TypeChecker::InferPath(const BoundPath& path) {
  if (path.slot >= names_.size() || names_[path.slot].type == nullptr) return types_.Of(StaticKind::kAny);
  const CheckedName& name = names_[path.slot];
  Way way;
  way.slot = path.slot;
  way.steps = path.steps;
  return Follow(way, name.type, name.place, path);
}

const StaticType* TypeChecker::InferLocal(const BoundLocal& local) {
  const auto found = locals_.find(local.local);
  if (found == locals_.end()) return types_.Of(StaticKind::kAny);
  Way way;
  way.local = local.local;
  way.steps = local.steps;
  return Follow(way, found->second, Place(), local);
}

// What conditions around it say of the beginning of the way counts for the rest.
const StaticType* TypeChecker::Follow(const Way& way, const StaticType* type, const Place& declared,
                                      const BoundExpr& expr) {
  std::string text(expr.kind == BoundKind::kPath ? As<BoundPath>(expr).name : As<BoundLocal>(expr).local->name);
  if (text.empty()) text = "element";
  size_t known = way.steps.size() + 1;
  while (known-- > 0) {
    const StaticType* const fact = FactOf(way, known);
    if (fact == nullptr) continue;
    type = fact;
    break;
  }
  for (size_t n = 0; n < way.steps.size(); ++n) {
    const bool is_known = known != SIZE_MAX && n < known;
    const bool is_any = !is_known && type->kind == StaticKind::kAny;
    const bool is_list = type->kind == StaticKind::kList && IsFirst(way.steps[n]);
    if (!is_known && is_list && warns() && !IsFilled(way, n)) {
      TellEmpty(way.steps[n].range, "there is no first element, which is an error");
    }
    if (!is_known) type = TakeStep(type, way.steps[n], text, declared);
    if (is_any) break;  // said once, whatever else follows
    AppendStep(way.steps[n], &text);
  }
  return type;
}

// Each value on the way had the next one in it, so that it is not null.
void TypeChecker::AssumeOnWay(const BoundExpr& expr) {
  Way way;
  if (!WayOf(expr, &way)) return;
  const StaticType* type = nullptr;
  if (way.local != nullptr) {
    const auto found = locals_.find(way.local);
    if (found != locals_.end()) type = found->second;
  } else if (way.slot < names_.size()) {
    type = names_[way.slot].type;
  }
  const absl::Span<const BoundStep> steps = way.steps;
  ++quiet_;
  for (size_t n = 0; n < steps.size() && type != nullptr; ++n) {
    way.steps = steps.first(n);
    if (const StaticType* const fact = FactOf(way, n)) type = fact;
    if (type->is_told() && type->nullable) {
      type = types_.WithNull(type, false);
      AddFact(way, type);
    }
    type = TakeStep(type, steps[n], "", Place());
  }
  --quiet_;
}

// `text` is what the step is taken into, as the writer has written it.
const StaticType* TypeChecker::TakeStep(const StaticType* type, const BoundStep& step, const std::string& text,
                                        const Place& declared) {
  if (observer_ != nullptr) observer_->SeeStep(step.range, source_, *type);
  const StaticType* const silent = types_.Of(StaticKind::kSilent);
  // Also where nothing can be known, as of the elements of a list that has none.
  if (type->kind == StaticKind::kSilent) {
    if (step.key.is_null()) Report(step.range, DiagnosticCode::kNeverKey, "This index is null, which finds nothing.");
    return type;
  }
  const auto wrong = [&](std::string detail) {
    if (declared.source != nullptr) absl::StrAppend(&detail, " It is declared at ", TextOf(declared), ".");
    Report(step.range, DiagnosticCode::kNeverAttribute, std::move(detail));
    return silent;
  };
  if (type->kind == StaticKind::kNull) return wrong(absl::StrCat(text, " is null, which has no attributes."));
  if (type->kind == StaticKind::kAny) {
    if (!warns()) return type;
    Report(step.range, DiagnosticCode::kTypeNotTold,
           absl::StrCat("Nothing is known of the type of ", text,
                        ", so that this may fail. Declare a type, or guard it with try or can."));
    return type;
  }
  if (type->nullable) {
    Report(
        step.range, DiagnosticCode::kMayBeNull,
        absl::StrCat(text, " may be null, and then this is an error. Test it before: ", text, " != null ? ... : ..."));
  }
  const bool is_name = step.key.is_string();
  const bool is_list = type->kind == StaticKind::kList || type->kind == StaticKind::kTuple;
  if (!is_name && !step.key.is_number() && (is_list || step.key.is_null())) {
    Report(step.range, DiagnosticCode::kNeverKey,
           absl::StrCat("This index must be a ", is_list ? "number" : "string", ", and is ",
                        step.key.is_null() ? "null" : "a bool", "."));
    return silent;
  }
  const std::string_view key = is_name ? step.key.AsString() : std::string_view();
  if (is_name && is_list && !step.is_attribute && !IsNumber(step.key, &heap_)) {
    Report(step.range, DiagnosticCode::kNeverKey,
           absl::StrCat("This index must be a number, as ", text, " is a ", NameOf(*type), ", and it is a text."));
    return silent;
  }
  if (is_list && !step.is_attribute) {
    const std::string_view never = NeverIndex(step.key, &heap_);
    if (!never.empty()) return wrong(std::string(never));
  }
  switch (type->kind) {
    case StaticKind::kObject: {
      // A number or a bool finds the attribute whose name is its text.
      Value name;
      ConversionError error;
      const bool has_name = !is_name && Convert(step.key, Type::String(), &heap_, &name, &error);
      const StaticType* const part = is_name || has_name ? type->Find(is_name ? key : name.AsString()) : nullptr;
      if (part != nullptr) return part;
      if (type->is_open) {
        Report(step.range, DiagnosticCode::kTypeNotTold,
               absl::StrCat(text, " may lack this attribute. Guard it with try or can."));
        return types_.Of(StaticKind::kAny);
      }
      if (!is_name) return wrong(absl::StrCat(text, " is an object, which has no numbered elements."));
      if (is_quiet() || errors_.full()) return wrong("");  // among many names, many times, the search takes long
      const std::vector<std::string_view> names(type->names.begin(), type->names.end());
      const std::string_view nearest = NearestName(key, names);
      return wrong(absl::StrCat(text, " has no attribute \"", ToAbsl(key), "\".",
                                nearest.empty() ? "" : absl::StrCat(" Did you mean \"", ToAbsl(nearest), "\"?")));
    }
    case StaticKind::kMap:
      return type->element;
    case StaticKind::kList:
    case StaticKind::kTuple:
      if (is_name && step.is_attribute) {
        const std::string hint = HintAtAttribute(key, text, /*is_text=*/false);
        if (!hint.empty()) return wrong(absl::StrCat(text, " is a ", NameOf(*type), ".", hint));
        return wrong(absl::StrCat(text, " is a ", NameOf(*type), ", whose elements may have attributes: ", text, "[0].",
                                  ToAbsl(key), " or [for e in ", text, " : e.", ToAbsl(key), "]."));
      }
      if (type->kind == StaticKind::kList) return type->element;
      if (step.key.is_int()) {
        const auto at = static_cast<uint64_t>(step.key.AsInt());
        if (at < type->parts.size()) return type->parts[at];
        return wrong(absl::StrCat(text, " has ", type->parts.size(), type->parts.size() == 1 ? " element" : " elements",
                                  ", counted from 0."));
      }
      return types_.Of(StaticKind::kAny);
    case StaticKind::kSet:
      if (const std::string hint = HintAtAttribute(key, text, /*is_text=*/false); !hint.empty()) {
        return wrong(absl::StrCat(text, " is a set.", hint));
      }
      return wrong(absl::StrCat(text, " is a set, whose elements have no place. Make a list of it: tolist(...)."));
    default:
      return wrong(absl::StrCat(
          text, " is a ", NameOf(*type), ", which has no attributes or elements.",
          type->kind == StaticKind::kString ? HintAtAttribute(key, text, /*is_text=*/true) : std::string()));
  }
}

const StaticType* TypeChecker::TakeIndex(const StaticType* type, const BoundIndex& index) {
  const StaticType* key = Infer(*index.key);
  if (type->kind == StaticKind::kSilent) {
    if (key->nullable || key->kind == StaticKind::kNull) {
      Check(Need::kKey, *index.key, key, DiagnosticCode::kNeverKey, "index");
    }
    return type;
  }
  if (type->kind == StaticKind::kAny && HasKey(index)) return type;
  if (!TakeNull(*index.source, &type, "value") || !TakeAny(*index.source, type, "value")) {
    return types_.Of(type->kind == StaticKind::kAny ? StaticKind::kAny : StaticKind::kSilent);
  }
  const bool is_list = type->kind == StaticKind::kList || type->kind == StaticKind::kTuple;
  const bool is_map = type->kind == StaticKind::kMap || type->kind == StaticKind::kObject;
  if (!is_list && !is_map) {
    Report(index.brackets, DiagnosticCode::kNeverAttribute,
           absl::StrCat("A ", NameOf(*type), " has no elements that an index finds."));
    return types_.Of(StaticKind::kSilent);
  }
  Check(is_list ? Need::kNumber : Need::kKey, *index.key, key, DiagnosticCode::kNeverKey, "index");
  // A negative number in brackets is an operation on one.
  const std::string_view never =
      is_list && index.key->is_constant() ? NeverIndex(As<BoundConstant>(*index.key).value, &heap_) : "";
  if (!never.empty()) {
    Report(index.brackets, DiagnosticCode::kNeverAttribute, std::string(never));
    return types_.Of(StaticKind::kSilent);
  }
  if (type->element != nullptr) return type->element;
  ++quiet_;
  const Elements elements = ElementsOf(*index.source, type);
  --quiet_;
  return elements.value;
}

}  // namespace hcl::internal
