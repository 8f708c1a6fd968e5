// Interpreter: paths and function calls. Tested by vm/evaluator_test.cc and tests/conformance.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

namespace {

// Names and loops that are looked at for a suggestion.
constexpr size_t kMaxSuggested = 1000;
constexpr size_t kMaxLoops = 64;

// What was probably meant by a word of another language, or in capitals: a keyword, or null.
const char* MeantKeyword(std::string_view name) {
  static constexpr std::pair<const char*, const char*> kWords[] = {
      {"true", "true"}, {"false", "false"}, {"null", "null"}, {"none", "null"}, {"nil", "null"}, {"undefined", "null"},
  };
  for (const auto& [word, keyword] : kWords) {
    if (absl::EqualsIgnoreCase(ToAbsl(name), word)) return keyword;
  }
  return nullptr;
}

}  // namespace

// The names that an expression at the context's pc can use: of loops, inner ones first, and of the scope.
std::vector<std::string_view> Interpreter::VisibleNames() const {
  std::vector<std::string_view> names;
  const absl::Span<const LoopNames> loops = program_.loops();
  auto next = std::upper_bound(loops.begin(), loops.end(), context_.pc,
                               [](uint32_t pc, const LoopNames& loop) { return pc < loop.begin; });
  for (size_t n = 0; n < kMaxLoops && next != loops.begin(); ++n) {
    --next;
    if (context_.pc >= next->end || next->value.empty()) continue;  // behind its end, or a splat
    names.push_back(next->value);
    if (!next->key.empty()) names.push_back(next->key);
  }
  for (uint32_t slot = 0; slot < program_.variables().size() && names.size() < kMaxSuggested; ++slot) {
    if (slots_[slot].tag() != Tag::kInternal) names.push_back(program_.variables()[slot]);
  }
  for (uint32_t n = 0; scope_ != nullptr && n < scope_->size && names.size() < kMaxSuggested; ++n) {
    names.push_back(scope_->keys[n].AsString());
  }
  return names;
}

Value Interpreter::UnsetVariable(uint32_t slot) {
  if (context_.sketch) return context_.Sketch();
  const std::string_view name = program_.variables()[slot];
  std::string detail = absl::StrCat("There is no variable named \"", ToAbsl(name), "\".");
  if (const char* keyword = MeantKeyword(name)) {
    absl::StrAppend(&detail, " Did you mean the keyword ", keyword, "?");
  } else {
    const std::string_view nearest = NearestName(name, VisibleNames());
    if (!nearest.empty()) absl::StrAppend(&detail, " Did you mean \"", ToAbsl(nearest), "\"?");
  }
  return context_.Fail(span_role::kRoot, "Unknown variable", std::move(detail));
}

Value Interpreter::GetAttributeSlow(const Value& value, const Value& name) {
  if (value.is_mapping()) {
    const int64_t at = value.shape().Find(name);
    if (at >= 0) {
      attribute_hints_[context_.pc] = static_cast<uint32_t>(at);
      return value.values()[static_cast<size_t>(at)];
    }
  }
  return GetAttribute(value, name, &context_);
}

Value Interpreter::LoadPathSlow(uint32_t index) {
  const Path& path = program_.paths()[index];
  const Value& start = slots_[path.slot];
  if (start.tag() == Tag::kInternal) return UnsetVariable(path.slot);
  absl::Span<const PathStep> steps = program_.steps(path);
  uint32_t* const hints = steps.size() == 1 ? &paths_[index].hint : hints_ + path.first_step;
  Value value = start;
  for (size_t step = 0; step < steps.size() && !value.is_error(); ++step) {
    const int role = span_role::kSteps + static_cast<int>(step);
    const Value& key = steps[step].key;
    if (value.is_mapping() && key.is_string()) {
      const int64_t at = value.shape().Find(key);
      if (at >= 0) {
        hints[step] = static_cast<uint32_t>(at);
        value = value.values()[static_cast<size_t>(at)];
        continue;
      }
    }
    value =
        steps[step].is_attribute ? GetAttribute(value, key, &context_, role) : GetIndex(value, key, &context_, role);
  }
  return value;
}

const Value* Interpreter::FindAtPath(uint32_t index) {
  const Path& path = program_.paths()[index];
  const Value* value = slots_ + path.slot;
  uint32_t* hint = path.step_count == 1 ? &paths_[index].hint : hints_ + path.first_step;
  for (const PathStep& step : program_.steps(path)) {
    if (value->is_mapping() && step.key.is_string()) {
      const int64_t at = value->shape().Find(step.key);
      if (at < 0) return nullptr;
      *hint = static_cast<uint32_t>(at);
      value = value->mapping().items() + at;
    } else {
      const bool has_element = (value->is_tuple() || value->is_list()) && step.key.is_int() &&
                               static_cast<uint64_t>(step.key.AsInt()) < value->size();
      if (!has_element) return nullptr;
      value = value->sequence().items() + step.key.AsInt();
    }
    ++hint;
  }
  return value;
}

void Interpreter::MoveLastBefore(const Value& later, size_t* moved) {
  context_.diagnostics->MoveLast(later.error_begin() + *moved);
  ++*moved;
}

Value Interpreter::ContainsSlow(const LookupSet& set, const Value& needle) {
  if (needle.has_marks()) {
    MarkSet marks = 0;
    Arena* arena = context_.heap->arena();
    const Value plain = UnmarkDeep(needle, &marks, arena);
    const bool scalar = plain.tag() >= Tag::kFalse && plain.tag() <= Tag::kString;
    return Mark(scalar ? Value::Bool(set.Has(plain)) : ContainsSlow(set, plain), marks, arena);
  }
  if (needle.is_error()) return needle;
  if (needle.tag() == Tag::kBigNumber) return Value::Bool(set.Has(needle));
  if (needle.is_null()) {
    return context_.Fail(span_role::kArguments + 1, "Invalid function argument",
                         "Invalid value for \"value\" parameter: the argument must not be null.");
  }
  if (needle.is_dynamic_value()) return Value::Dynamic();
  if (needle.is_unknown()) return UnknownNotNull(Type::Bool());
  return Value::Bool(false);  // the members are scalars: nothing compound equals one
}

bool Interpreter::ConvertArguments(const Function& function, uint32_t site_arguments, absl::Span<Value> arguments,
                                   Value* poison) {
  bool ok = true;
  size_t moved = 0;
  auto fail = [&](const Value& error) {
    *poison = ok ? error : Poison(*poison, error);
    ok = false;
  };
  for (size_t n = 0; n < arguments.size(); ++n) {
    Value& argument = arguments[n];
    if (argument.is_error()) {
      fail(argument);
      continue;
    }
    const Parameter& parameter = function.parameter(n);
    switch (parameter.type.kind()) {
      case TypeKind::kDynamic:
        continue;
      case TypeKind::kString:
        if (argument.is_string()) continue;
        break;
      case TypeKind::kNumber:
        if (argument.is_number()) continue;
        break;
      case TypeKind::kBool:
        if (argument.is_bool()) continue;
        break;
      default:
        break;
    }
    Value converted;
    ConversionError error;
    if (context_.Convert(argument, parameter.type, &converted, &error)) {
      argument = converted;
      continue;
    }
    const int role = span_role::kArguments + static_cast<int>(n < site_arguments ? n : site_arguments - 1);
    fail(context_.Fail(role, "Invalid function argument",
                       absl::StrCat("Invalid value for \"", parameter.name, "\" parameter: ", error.ToString(), ".")));
    const auto* later = std::find_if(&argument, arguments.end(), [](const Value& v) { return v.is_error(); });
    if (later == arguments.end()) continue;
    fail(*later);
    MoveLastBefore(*later, &moved);
  }
  return ok;
}

Value Interpreter::InvokeConverted(const CallSite& site, absl::Span<Value> arguments) {
  const Function& function = *site.function;
  const size_t required = function.parameters.size();
  if (arguments.size() < required) {
    return context_.Fail(span_role::kCallClose, "Not enough function arguments",
                         absl::StrCat("Function \"", function.name, "\" expects ", function.variadic ? "at least " : "",
                                      required, required == 1 ? " argument" : " arguments", ". Missing value for \"",
                                      function.parameters[arguments.size()].name, "\"."));
  }
  if (arguments.size() > required && !function.variadic) {
    const int role =
        span_role::kArguments + static_cast<int>(required < site.arguments ? required : site.arguments - 1);
    return context_.Fail(role, "Too many function arguments",
                         absl::StrCat("Function \"", function.name, "\" expects only ", required,
                                      required == 1 ? " argument" : " arguments", "."));
  }
  Value poison;
  if (!ConvertArguments(function, site.arguments, arguments, &poison)) return poison;
  uint64_t cost = 0;
  bool has_marks = false;
  for (const Value& argument : arguments) {
    cost += CostOf(argument);
    has_marks |= argument.has_marks();
  }
  if (!Charge(cost)) return OutOfFuel();
  MarkSet marks = 0;
  if (has_marks) {
    for (size_t n = 0; n < arguments.size(); ++n) {
      if (!function.parameter(n).allow_marked) arguments[n] = UnmarkDeep(arguments[n], &marks, context_.heap->arena());
    }
  }
  FunctionCall call(function, context_.heap, &fuel_, site.prepared);
  const Value result = InvokeFunction(&call, arguments);
  if (call.failed()) return CallFailed(site, call, marks);
  return Charge(CostOf(result)) ? Mark(Bounded(result), marks, context_.heap->arena()) : OutOfFuel();
}

Value Interpreter::CallFailed(const CallSite& site, const FunctionCall& call, MarkSet marks) {
  if (call.out_of_fuel()) return OutOfFuel();
  const Function& function = *site.function;
  // A function's message may quote its arguments.
  const std::string reason = marks != 0 ? "the reason is not shown, since an argument is marked" : call.message();
  if (call.is_limit()) {
    stopped_ = true;
    return context_.FailLimit(span_role::kCallHead, "Limit reached in function call",
                              absl::StrCat("Call to function \"", function.name, "\": ", reason, "."));
  }
  if (call.argument() < 0) {
    return context_.Fail(span_role::kCallHead, "Error in function call",
                         absl::StrCat("Call to function \"", function.name, "\" failed: ", reason, "."));
  }
  const uint32_t at = static_cast<uint32_t>(call.argument());
  const std::string& name = function.parameter(at).name;
  const int role = at < site.arguments ? span_role::kArguments + static_cast<int>(at)
                   : site.expand_last  ? span_role::kArguments + static_cast<int>(site.arguments) - 1
                                       : span_role::kWhole;
  return context_.Fail(role, "Invalid function argument",
                       absl::StrCat("Invalid value for \"", name, "\" parameter: ", reason, "."));
}

namespace {

// True when the value can be handed to a parameter of this kind as it is: known, not null, not marked, of the kind.
bool Suits(const Value& value, TypeKind kind) {
  switch (kind) {
    case TypeKind::kString:
      return value.is_string();
    case TypeKind::kNumber:
      return value.is_number();
    case TypeKind::kBool:
      return value.is_bool();
    case TypeKind::kDynamic:
      return value.tag() >= Tag::kFalse && value.tag() <= Tag::kCapsule && !value.has_marks();
    default:
      return false;
  }
}

}  // namespace

Value Interpreter::CallFunction(const CallSite& site, Value* arguments) {
  if (site.expand_last) {
    // Whatever else is wrong with the call, the first error among its arguments is where its reports begin.
    const Value* const end = arguments + site.arguments;
    const Value* const failed =
        std::find_if(arguments, arguments + site.arguments, [](const Value& v) { return v.is_error(); });
    const Value first = failed == end ? Value() : *failed;
    const Value result = CallExpanded(site, arguments);
    return failed == end ? result : first;
  }
  const Function& function = *site.function;
  bool plain = site.arguments == function.parameters.size();
  uint64_t cost = 0;
  for (uint32_t n = 0; plain && n < site.arguments; ++n) {
    plain = Suits(arguments[n], function.parameters[n].type.kind());
    cost += CostOf(arguments[n]);
  }
  if (!plain) return InvokeConverted(site, absl::MakeSpan(arguments, site.arguments));
  // The protocol has nothing to do here but to ask for the type and to run the body.
  if (!Charge(cost)) return OutOfFuel();
  FunctionCall call(function, context_.heap, &fuel_, site.prepared);
  const absl::Span<const Value> span(arguments, site.arguments);
  call.set_result_type(function.result_type_rule != nullptr ? function.result_type_rule(&call, span)
                                                            : function.result_type);
  Value result;
  if (!call.failed()) result = function.body(&call, span);
  if (call.failed()) return CallFailed(site, call, /*marks=*/0);
  return Charge(CostOf(result)) ? Bounded(result) : OutOfFuel();
}

Value Interpreter::CallExpanded(const CallSite& site, Value* arguments) {
  const uint32_t last = site.arguments - 1;
  const MarkSet marks = arguments[last].marks();
  const Value expanded = arguments[last].unmarked();
  if (expanded.is_error()) return expanded;
  const int role = span_role::kArguments + static_cast<int>(last);
  if (expanded.is_null()) {
    return context_.Fail(role, "Invalid expanding argument value",
                         "The expanding argument (indicated by ...) must not be null.");
  }
  if (expanded.is_unknown()) {
    const TypeKind kind = expanded.null_or_unknown_type().kind();
    const bool suits =
        kind == TypeKind::kDynamic || kind == TypeKind::kTuple || kind == TypeKind::kList || kind == TypeKind::kSet;
    // The reference gives up on the whole call; errors of the arguments before it are kept.
    if (suits) {
      for (uint32_t n = 0; n < last; ++n) {
        if (arguments[n].is_error()) return arguments[n];
      }
      return Mark(Value::Dynamic(), marks, context_.heap->arena());
    }
  }
  if (!expanded.is_sequence()) {
    return context_.Fail(role, "Invalid expanding argument value",
                         absl::StrCat("The expanding argument (indicated by ...) must be a tuple, list or set, not ",
                                      DescribeType(expanded), "."));
  }
  absl::InlinedVector<Value, 16> all(arguments, arguments + last);
  for (const Value& element : expanded.elements()) all.push_back(Mark(element, marks, context_.heap->arena()));
  return InvokeConverted(site, absl::MakeSpan(all));
}

void Interpreter::TestCondition(Value* registers, uint16_t reg) {
  const MarkSet marks = registers[reg].marks();
  registers[reg] = CheckCondition(Value(registers[reg].unmarked()), &context_);
  if (marks == 0) return;
  if (!registers[reg].is_bool()) {
    registers[reg] = Mark(registers[reg], marks, context_.heap->arena());
    return;
  }
  // Behind the Branch stands the jump for an unknown condition; the branches' end is behind the instruction it leads
  // to.
  const uint32_t end = program_.code()[context_.pc + 1].x() + 1;
  pending_marks_.push_back({end, reg, marks});
}

void Interpreter::EndMarkedBranches(Value* registers, uint32_t target) {
  while (!pending_marks_.empty() && pending_marks_.back().end == target) {
    Value* result = registers + pending_marks_.back().reg;
    *result = Mark(*result, pending_marks_.back().marks, context_.heap->arena());
    pending_marks_.pop_back();
  }
}

Value Interpreter::EndTry(const Value& kept) {
  std::string detail = "Call to function \"try\" failed: no expression succeeded:";
  if (!kept.is_error()) {
    return context_.Fail(span_role::kCallHead, "Error in function call",
                         "Call to function \"try\" failed: at least one argument is required.");
  }
  const size_t begin = kept.error_begin();
  const Diagnostics& diagnostics = *context_.diagnostics;
  const size_t first = diagnostics.kept().size() - std::min(diagnostics.kept().size(), diagnostics.count() - begin);
  for (size_t n = first; n < diagnostics.kept().size(); ++n) {
    const Diagnostic& d = diagnostics.kept()[n];
    absl::StrAppend(&detail, "\n- ", d.summary, ": ", d.detail);
  }
  context_.diagnostics->Remove(begin);
  return context_.Fail(span_role::kCallHead, "Error in function call", std::move(detail));
}

Value Interpreter::EndCan(const Value& value) {
  if (value.is_error()) {
    context_.diagnostics->Remove(value.error_begin());
    return Value::Bool(false);
  }
  return value.is_wholly_known() ? Value::Bool(true) : Value::Unknown(Type::Bool());
}

}  // namespace hcl::internal
