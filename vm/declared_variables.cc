// DeclaredVariables. Tested by module/binding_test.cc.

#include "hclvm/vm/declared_variables.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/type_text.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/declared_value.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/misspelled.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// What may be added to values that stay, as single variables change, before all are made anew.
constexpr size_t kSpareBytes = 1 << 20;

constexpr char kTooMuchFuel[] = "its conversion takes too much fuel (limit max_fuel)";

bool IsLazy(const Value& given) { return IsInternal(given) && !IsAbsent(given); }

}  // namespace

DeclaredVariables::DeclaredVariables(const ProgramTables& program, Value* slots, const Heap& heap, RunState* state)
    : program_(program),
      module_(*program.module()),
      slots_(slots),
      state_(state),
      heap_(program.types(), heap.dialect(), heap.limits()),
      direct_tags_(module_.variables.size()),
      quick_looks_(module_.variables.size()),
      indirect_(module_.variables.size()),
      variables_(module_.variables.size()),
      ready_(program.chunks().size()) {
  for (uint32_t slot = 0; slot < variables_.size(); ++slot) {
    all_.push_back({slot, module_.variables[slot].plan});
    variables_[slot].given = InternalValue(nullptr);
    const std::vector<ModuleValidation>& validations = module_.variables[slot].validations;
    variables_[slot].has_validations = !validations.empty();
    for (const ModuleValidation& validation : validations) {
      for (const ModuleNeed& read : module_.needs[validation.condition]) variables_[read.slot].is_watched = true;
    }
  }
  if (!module_.has_sensitive) return;
  const auto is_sensitive = [this](const ModuleNeed& need) { return module_.variables[need.slot].sensitive; };
  for (const std::vector<ModuleNeed>& needs : module_.needs) {
    reads_sensitive_.push_back(std::any_of(needs.begin(), needs.end(), is_sensitive));
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
  if (IsAbsent(value) && variable.preparation <= kHere && IsAbsent(variable.given)) return;
  if (module_.variables[slot].sensitive || !module_.variables[slot].deprecated.empty()) return Put(slot, value, kNot);
  const BindingPlan& plan = *module_.variables[slot].plan;
  const bool is_kept = plan.keeps_quickly() && plan.Keeps(value);
  is_kept && (direct_tags_[slot] & kAnyPrepared) != 0 ? void(slots_[slot] = value)
                                                      : Put(slot, value, is_kept ? kElsewhere : kNot);
}

// A sensitive value gets its marks where memory comes back, in Convert(), unless it has them: that of a base does.
void DeclaredVariables::TakePrepared(uint32_t slot, const Value& value, bool is_valid) {
  if (!module_.variables[slot].sensitive || (value.marks() & kDeclaredMark) != 0) {
    return Put(slot, value, is_valid ? kElsewhereAndValid : kElsewhere);
  }
  Put(slot, value, kNot);
  variables_[slot].is_given_prepared = true;
  variables_[slot].is_given_valid = is_valid;
}

// The slot gets what is given, so that a lazy variable is known by it; runs come after Convert().
void DeclaredVariables::Put(uint32_t slot, const Value& value, Preparation preparation) {
  Variable& variable = variables_[slot];
  const ModuleVariable& declared = module_.variables[slot];
  if (!declared.deprecated.empty()) {
    deprecated_given_ += (IsAbsent(value) ? 0 : 1);
    deprecated_given_ -= (IsAbsent(variable.given) ? 0 : 1);
  }
  variable.given = slots_[slot] = value;
  if (variable.preparation == kHere) --prepared_;
  if (!misspelled_.empty()) misspelled_.erase(slot);
  Change();
  variable.preparation = preparation;
  variable.is_given_prepared = variable.is_given_valid = false;
  const bool is_direct = preparation == kElsewhere && !variable.has_validations && !variable.is_watched &&
                         !declared.sensitive && declared.deprecated.empty();
  if (!is_direct) return SetDirect(slot, 0, {});
  const BindingPlan& plan = *module_.variables[slot].plan;
  SetDirect(slot, plan.passing_tags() | kAnyPrepared, plan.quick_look());
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

bool DeclaredVariables::Convert(const std::vector<ModuleNeed>& needs, bool keeps_memory, LazyVariables* lazy,
                                Diagnostics* diagnostics) {
  has_lazy_ = false;
  bool is_done = true;
  for (const ModuleNeed& need : needs) is_done = (IsPrepared(need) || Keep(need)) && is_done;
  if (is_done) return true;
  const bool is_new = MakeRoom(keeps_memory);
  fuel_.Fill(heap_.limits().max_fuel, &heap_.limits().interrupt);
  bool fits = true;
  for (const ModuleNeed& need : needs) fits = Prepare(need, lazy, diagnostics) && fits;
  if (is_new) least_bytes_ = heap_.arena()->bytes_used();
  return fits;
}

// What is as it is declared stays where the host has it. Where a part was looked at only, other chunks may need more.
bool DeclaredVariables::Keep(const ModuleNeed& need) {
  Variable& variable = variables_[need.slot];
  if (variable.preparation == kHere || module_.variables[need.slot].sensitive) return false;
  if (!need.plan->Keeps(variable.given)) return false;
  slots_[need.slot] = variable.given;
  variable.plan = need.plan.get();
  variable.preparation = need.plan == module_.variables[need.slot].plan ? kElsewhere : kAsGiven;
  return true;
}

// Lazy variables are read anew for each run.
bool DeclaredVariables::IsPrepared(const ModuleNeed& need) const {
  const Variable& variable = variables_[need.slot];
  if (variable.preparation >= kElsewhere) return true;
  if (variable.is_given_prepared && variable.preparation == kHere) return true;
  return variable.preparation != kNot && variable.plan == need.plan.get() && !IsLazy(variable.given);
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

bool DeclaredVariables::Prepare(const ModuleNeed& need, LazyVariables* lazy, Diagnostics* diagnostics) {
  if (IsPrepared(need)) return true;
  const uint32_t slot = need.slot;
  const ModuleVariable& variable = module_.variables[slot];
  const BindingPlan& plan = *need.plan;
  const Type type = plan.type();
  Value value = variables_[slot].given;
  if (variables_[slot].is_given_prepared) {
    variables_[slot].lacks_any = false;
    return Show(need, value), true;
  }
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
  Value simple;
  bool stands_in = false;
  const bool is_missing = IsAbsent(value);
  const bool takes_default = variable.default_value && (is_missing || (value.is_null() && !variable.nullable));
  if (takes_default) {
    value = *variable.default_value;
  } else if (is_missing) {
    Diagnostic diagnostic(DiagnosticCode::kMissingVariable);
    TypeTextOptions options;
    options.width = SIZE_MAX;  // one line
    options.hides_values = variable.sensitive;
    size_t comparisons = kMaxComparisons;
    const std::string near = NearName(variable.name, &comparisons);
    diagnostic.detail = absl::StrCat("The module needs a value for the variable \"", Excerpt(variable.name), "\" (",
                                     TypeText(variable.type, variable.defaults.get(), options), "), and none is given.",
                                     near.empty() ? "" : " ", near);
    diagnostic.subject = variable.range;
    diagnostic.source = variable.source;
    diagnostics->Add(std::move(diagnostic));
    return false;
  } else if (!fuel_.Charge(value.weight() / 4) || !plan.Apply(value, &heap_, &simple, &stands_in)) {
    std::string reason = kTooMuchFuel;
    Fit fit = Fit::kLimit;
    const Value read = plan.Trim(value, &heap_);
    if (fuel_.left() > 0 && fuel_.Charge(ConversionCost(read, type))) {
      const ValueDeclaration declaration = {variable.name,     type,   variable.defaults.get(),
                                            variable.nullable, &value, variable.type};
      Value converted;
      fit = ToDeclared(read, declaration, &heap_, &converted, &reason, &fuel_);
      if (fuel_.left() == 0) fit = Fit::kLimit, reason = kTooMuchFuel;
      if (fit == Fit::kFits) {
        stands_in = plan.has_stand_ins();
        if (stands_in) NoteMisspelled(need, value);
        value = converted;
      }
    }
    if (fit == Fit::kDoesNotFit && variable.sensitive) {
      const bool takes_any = variable.type.is_dynamic();  // but for a null
      reason = absl::StrCat(takes_any ? "a value that is not null" : ToTypeSyntax(variable.type),
                            " is required. It is sensitive, so that no more is said");
    }
    if (fit != Fit::kFits) {
      return Fail(variable, fit == Fit::kLimit, absl::StrCat(name(), " does not fit its declaration: ", reason, "."),
                  diagnostics);
    }
  } else {
    if (stands_in) NoteMisspelled(need, value);
    value = simple;
  }
  variables_[slot].lacks_any = stands_in || is_missing;
  has_defaulted_ = has_defaulted_ || is_missing;
  Show(need, value);
  return true;
}

// What is said of a name in the scope that is no variable, and nearly this one; empty where there is none.
std::string DeclaredVariables::NearName(std::string_view wanted, size_t* comparisons) const {
  if (scope_names_ == nullptr) return "";
  const std::string near = FindMisspelled(
      wanted, *scope_names_, [this](std::string_view name) { return Declares(name); }, comparisons);
  return near.empty() ? "" : MisspelledText(near, wanted);
}

// Names are few, and looked for where something is missing only.
bool DeclaredVariables::Declares(std::string_view name) const { return program_.FindSlot(name).has_value(); }

// What is read of a sensitive variable is not told; its names are those of the declaration and of the text.
void DeclaredVariables::NoteMisspelled(const ModuleNeed& need, const Value& given) {
  if (unknown_ != UnknownInput::kNear) return;
  const ModuleVariable& variable = module_.variables[need.slot];
  std::vector<std::string> sentences;
  FindMisspellings(given, *need.plan, variable.type, variable.name, &sentences);
  if (!sentences.empty()) misspelled_[need.slot][need.plan.get()] = std::move(sentences);
}

bool DeclaredVariables::LacksAny(uint32_t chunk) const {
  const std::vector<ModuleNeed>& needs = NeedsOf(chunk);
  return std::any_of(needs.begin(), needs.end(), [this](const ModuleNeed& need) {
    const Variable& variable = variables_[need.slot];
    return variable.preparation == kHere && variable.lacks_any;
  });
}

void DeclaredVariables::AddWarnings(uint32_t chunk, Diagnostics* warnings) const {
  if (unknown_ == UnknownInput::kNear) AddNearNames(chunk, warnings);
  if (deprecated_given_ == 0) return;
  for (const ModuleNeed& need : NeedsOf(chunk)) {
    const ModuleVariable& variable = module_.variables[need.slot];
    if (variable.deprecated.empty() || IsAbsent(variables_[need.slot].given)) continue;
    Diagnostic diagnostic(DiagnosticCode::kDeprecatedVariable);
    diagnostic.detail = absl::StrCat("The variable ", Excerpt(variable.name), " is deprecated: ", variable.deprecated);
    diagnostic.subject = variable.range;
    diagnostic.source = variable.source;
    warnings->Add(std::move(diagnostic));
  }
}

void DeclaredVariables::AddNearNames(uint32_t chunk, Diagnostics* warnings) const {
  const std::vector<ModuleNeed>& needs = NeedsOf(chunk);
  const auto add = [&](const ModuleVariable& variable, std::string detail) {
    Diagnostic diagnostic(DiagnosticCode::kMisspelledInput);
    diagnostic.detail = std::move(detail);
    diagnostic.subject = variable.range;
    diagnostic.source = variable.source;
    warnings->Add(std::move(diagnostic));
  };
  size_t comparisons = kMaxComparisons;
  for (const ModuleNeed& need : needs) {
    const ModuleVariable& variable = module_.variables[need.slot];
    const bool is_missing = variables_[need.slot].preparation == kHere && IsAbsent(variables_[need.slot].given);
    const std::string near = is_missing ? NearName(variable.name, &comparisons) : "";
    if (!near.empty()) add(variable, absl::StrCat("The variable ", Excerpt(variable.name), " is missing; ", near));
    const auto of_slot = misspelled_.find(need.slot);
    if (of_slot == misspelled_.end()) continue;
    const auto found = of_slot->second.find(need.plan.get());
    if (found == of_slot->second.end()) continue;
    for (const std::string& sentence : found->second) add(variable, sentence);
  }
  if (scope_names_ == nullptr || !gives_none_ || needs.empty() || !warnings->empty()) return;
  add(module_.variables[needs[0].slot],
      absl::StrCat("The scope gives \"", ToAbsl(Excerpt(scope_names_->keys[0].AsString())), "\"",
                   scope_names_->size > 1 ? " and other names" : "", ", and no variable that the module declares."));
}

bool DeclaredVariables::CheckNames(Diagnostics* diagnostics) const {
  if (unknown_ != UnknownInput::kError) return true;
  std::vector<std::string> sentences;
  const auto report = [&](const ModuleVariable* variable) {
    for (std::string& sentence : sentences) {
      Diagnostic diagnostic(DiagnosticCode::kUndeclaredInput);
      diagnostic.detail = std::move(sentence);
      if (variable != nullptr) diagnostic.subject = variable->range, diagnostic.source = variable->source;
      diagnostics->Add(std::move(diagnostic));
    }
    const bool has_any = !sentences.empty();
    sentences.clear();
    return has_any;
  };
  bool is_right = true;
  for (uint32_t n = 0; scope_names_ != nullptr && n < scope_names_->size && sentences.size() < kMaxSentences; ++n) {
    const std::string_view name = scope_names_->keys[n].AsString();
    if (Declares(name)) continue;
    std::vector<std::string_view> missing;
    for (uint32_t slot = 0; slot < variables_.size(); ++slot) {
      if (IsMissing(slot)) missing.push_back(module_.variables[slot].name);
    }
    const std::string_view nearest = NearestName(name, missing);
    sentences.push_back(absl::StrCat(
        "The scope gives \"", ToAbsl(Excerpt(name)), "\", and the module does not declare it.",
        nearest.empty() ? "" : " Did you mean \"", ToAbsl(Excerpt(nearest)), nearest.empty() ? "" : "\"?"));
  }
  is_right = !report(nullptr);
  for (size_t slot = 0; slot < variables_.size(); ++slot) {
    // What is as it is declared has nothing else.
    const Variable& variable = variables_[slot];
    if (variable.preparation >= kElsewhere || IsInternal(variable.given)) continue;
    const ModuleVariable& declared = module_.variables[slot];
    FindUndeclared(variable.given, declared.type, declared.name, &sentences);
    if (declared.sensitive && !sentences.empty()) {
      sentences = {
          absl::StrCat("The value of the variable \"", Excerpt(declared.name),
                       "\" has names that the module does not declare. It is sensitive, so that no more is said.")};
    }
    if (report(&declared)) is_right = false;
  }
  return is_right;
}

// Another part of what was given than the one that was prepared before: what was made of that one goes as well.
void DeclaredVariables::Show(const ModuleNeed& need, const Value& value) {
  Variable& variable = variables_[need.slot];
  const bool is_another = variable.preparation != kNot && variable.plan != need.plan.get();
  if (is_another && !slots_[need.slot].unmarked().SameBits(value)) {
    Change();
    ++releases_;
  }
  const ModuleVariable& declared = module_.variables[need.slot];
  const MarkSet marks = kSensitiveMark | kDeclaredMark | (declared.ephemeral ? kEphemeralMark : 0);
  slots_[need.slot] = declared.sensitive ? Mark(value, marks, heap_.arena()) : value;
  prepared_ += variable.preparation == kHere ? 0 : 1;
  variable.preparation = kHere;
  variable.plan = need.plan.get();
}

}  // namespace hcl::internal
