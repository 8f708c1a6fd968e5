// DeclaredVariables. Tested by module/binding_test.cc.

#include "hclvm/vm/declared_variables.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/type_text.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/declared_value.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// What may be added to values that stay, as single variables change, before all are made anew.
constexpr size_t kSpareBytes = 1 << 20;

constexpr char kTooMuchFuel[] = "its conversion takes too much fuel (limit max_fuel)";

bool IsLazy(const Value& given) { return IsInternal(given) && !IsNothing(given); }

}  // namespace

DeclaredVariables::DeclaredVariables(const ProgramTables& program, Value* slots, const Heap& heap, RunState* state)
    : module_(*program.module()),
      slots_(slots),
      state_(state),
      heap_(program.types(), heap.dialect(), heap.limits()),
      settled_(module_.variables.size()),
      quick_looks_(module_.variables.size()),
      unsettled_(module_.variables.size()),
      all_(module_.variables.size()),
      variables_(module_.variables.size()),
      ready_(program.chunks().size()) {
  std::iota(all_.begin(), all_.end(), 0);
  for (const uint32_t slot : all_) {
    variables_[slot].plan = module_.variables[slot].plan.get();
    variables_[slot].given = InternalValue(nullptr);
    const std::vector<ModuleValidation>& validations = module_.variables[slot].validations;
    variables_[slot].has_validations = !validations.empty();
    for (const ModuleValidation& validation : validations) {
      for (const uint32_t read : module_.needs[validation.condition]) variables_[read].is_watched = true;
    }
  }
}

// Most objects and collections take the place of others, and are as they are declared. No call is made for these.
void DeclaredVariables::Take(uint32_t slot, const Value& value) {
  if (!quick_looks_[slot].Keeps(value)) return TakeAnother(slot, value);
  slots_[slot] = value;
}

// What is as it is declared is there without more, if that takes a few instructions to see. The rest waits for
// Convert(), since it may be that no run reads it.
ABSL_ATTRIBUTE_NOINLINE void DeclaredVariables::TakeAnother(uint32_t slot, const Value& value) {
  // Nothing in place of nothing is no change: many scopes leave the same variables out.
  const Variable& variable = variables_[slot];
  if (IsNothing(value) && variable.preparation <= kHere && IsNothing(variable.given)) return;
  const BindingPlan& plan = *variable.plan;
  const bool is_kept = plan.keeps_quickly() && plan.Keeps(value);
  is_kept && (settled_[slot] & kAnyPrepared) != 0 ? void(slots_[slot] = value)
                                                  : Put(slot, value, is_kept ? kElsewhere : kNot);
}

// The slot gets what is given, so that a lazy variable is known by it; runs come after Convert().
void DeclaredVariables::Put(uint32_t slot, const Value& value, Preparation preparation) {
  Variable& variable = variables_[slot];
  variable.given = slots_[slot] = value;
  if (variable.preparation == kHere) --prepared_;
  Change();
  variable.preparation = preparation;
  const bool is_settled = preparation == kElsewhere && !variable.has_validations && !variable.is_watched;
  if (!is_settled) return Settle(slot, 0, {});
  const BindingPlan& plan = *variable.plan;
  Settle(slot, plan.passing_tags() | kAnyPrepared, plan.quick_look());
}

// What was as it is declared need not be so by other types.
void DeclaredVariables::ChangeTypes(const ReadTypes* types) {
  types_ = types;
  for (const uint32_t slot : all_) {
    Variable& variable = variables_[slot];
    if (variable.preparation == kElsewhere) {
      variable.given = slots_[slot];
      variable.preparation = kNot;
      Settle(slot, 0, {});
    }
    const bool is_part = types != nullptr && types->variables[slot].plan != nullptr;
    variable.plan = is_part ? types->variables[slot].plan.get() : module_.variables[slot].plan.get();
  }
  Release();
}

// Memory comes back all at once only. A host that binds all variables for each run leaves none of before; one that
// binds a few for each run and keeps the others lets them grow up to a bound, and all are then made anew.
bool DeclaredVariables::MakeRoom(bool keeps_memory) {
  const size_t used = heap_.arena()->bytes_used();
  if ((prepared_ > 0 || keeps_memory) && used < 4 * least_bytes_ + kSpareBytes) return false;
  Release();
  return true;
}

void DeclaredVariables::Release() {
  heap_.Reset();
  prepared_ = 0;
  for (Variable& variable : variables_) {
    if (variable.preparation == kHere) variable.preparation = kNot;
  }
  Change();
  ++releases_;
}

bool DeclaredVariables::Convert(const std::vector<uint32_t>& slots, bool keeps_memory, LazyVariables* lazy,
                                Diagnostics* diagnostics) {
  has_lazy_ = false;
  bool is_done = true;
  for (const uint32_t slot : slots) is_done = (IsPrepared(slot) || Keep(slot)) && is_done;
  if (is_done) return true;
  const bool is_new = MakeRoom(keeps_memory);
  fuel_.Fill(heap_.limits().max_fuel, &heap_.limits().interrupt);
  bool fits = true;
  for (const uint32_t slot : slots) fits = Prepare(slot, lazy, diagnostics) && fits;
  if (is_new) least_bytes_ = heap_.arena()->bytes_used();
  return fits;
}

// What is as it is declared stays where the host has it.
bool DeclaredVariables::Keep(uint32_t slot) {
  Variable& variable = variables_[slot];
  if (!variable.plan->Keeps(variable.given)) return false;
  slots_[slot] = variable.given;
  variable.preparation = kElsewhere;
  return true;
}

// Lazy variables are read anew for each run.
bool DeclaredVariables::IsPrepared(uint32_t slot) const {
  const Variable& variable = variables_[slot];
  return variable.preparation >= kElsewhere || (variable.preparation == kHere && !IsLazy(variable.given));
}

bool DeclaredVariables::Fail(const ModuleVariable& variable, bool is_limit, std::string detail,
                             Diagnostics* diagnostics) const {
  Diagnostic diagnostic(is_limit ? DiagnosticCode::kLimitInConversion : DiagnosticCode::kUnsuitableValue);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = variable.range;
  diagnostic.source = variable.source;
  diagnostics->Add(std::move(diagnostic));
  return false;
}

bool DeclaredVariables::Prepare(uint32_t slot, LazyVariables* lazy, Diagnostics* diagnostics) {
  if (IsPrepared(slot)) return true;
  const ModuleVariable& variable = module_.variables[slot];
  const bool is_part = types_ != nullptr && types_->variables[slot].plan != nullptr;
  const Type type = is_part ? types_->variables[slot].type : variable.type;
  const BindingPlan& plan = *variables_[slot].plan;
  Value value = variables_[slot].given;
  const bool is_lazy = IsLazy(value);
  has_lazy_ = has_lazy_ || is_lazy;
  const auto name = [&] { return absl::StrCat("The value of the variable \"", Excerpt(variable.name), "\""); };
  if (is_lazy) {
    slots_[slot] = value;
    const LazyVariables::Variable& read = *lazy->Read(slot, variable.name, &fuel_);
    if (!read.has_value) {
      const bool is_limit = fuel_.left() == 0;
      return Fail(variable, is_limit,
                  absl::StrCat(name(), " could not be had: ", is_limit ? "fuel" : read.failure, "."), diagnostics);
    }
    value = read.value;
  }
  const bool is_missing = IsNothing(value);
  const bool takes_default = variable.default_value && (is_missing || (value.is_null() && !variable.nullable));
  if (takes_default) {
    value = *variable.default_value;
  } else if (is_missing) {
    Diagnostic diagnostic(DiagnosticCode::kMissingVariable);
    TypeTextOptions options;
    options.width = SIZE_MAX;  // one line
    options.hides_values = variable.sensitive;
    diagnostic.detail =
        absl::StrCat("The module needs a value for the variable \"", Excerpt(variable.name), "\" (",
                     TypeText(variable.type, variable.defaults.get(), options), "), and none is given.");
    diagnostic.subject = variable.range;
    diagnostic.source = variable.source;
    diagnostics->Add(std::move(diagnostic));
    return false;
  } else if (Value simple; !fuel_.Charge(value.weight() / 4) || !plan.Apply(value, &heap_, &simple)) {
    std::string reason = kTooMuchFuel;
    Fit fit = Fit::kLimit;
    if (fuel_.left() > 0 && fuel_.Charge(ConversionCost(value, type))) {
      const ValueDeclaration declaration = {variable.name, type, variable.defaults.get(), variable.nullable};
      fit = ToDeclared(value, declaration, &heap_, &value, &reason, &fuel_);
      if (fuel_.left() == 0) fit = Fit::kLimit, reason = kTooMuchFuel;
    }
    if (fit == Fit::kDoesNotFit && variable.sensitive) {
      reason = absl::StrCat(ToTypeSyntax(variable.type), " is required. It is sensitive, so that no more is said");
    }
    if (fit != Fit::kFits) {
      return Fail(variable, fit == Fit::kLimit, absl::StrCat(name(), " does not fit its declaration: ", reason, "."),
                  diagnostics);
    }
  } else {
    value = simple;
  }
  slots_[slot] = value;
  prepared_ += variables_[slot].preparation == kHere ? 0 : 1;
  variables_[slot].preparation = kHere;
  return true;
}

}  // namespace hcl::internal
