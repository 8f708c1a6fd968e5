// Interpreter: paths and function calls. Tested by vm/evaluator_test.cc and tests/conformance.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/habits.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/config_names.h"
#include "hclvm/vm/functions/quick_bodies.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/local_values.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/find_key.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/uniform_list.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

namespace {

// Instead of what a function or an instruction says of an argument, which may quote it.
constexpr char kHiddenReason[] = "the reason is not shown, since an argument is marked";

// Names and loops that are looked at for a suggestion.
constexpr size_t kMaxSuggested = 1000;
constexpr size_t kMaxLoops = 64;

// Variables of the program that are looked at, bound or not: each of very many that are unset has a message of its own.
constexpr size_t kMaxSlots = 10'000;

// A list among the arguments that may be many, none of which is one.
const char* HintAtExpansion(const Function& function, size_t n, const Value& argument) {
  const bool is_list = n >= function.parameters.size() && argument.unmarked().is_sequence();
  return is_list && function.parameter(n).type.is_primitive()
             ? " To pass the elements of a list, write \"...\" behind it."
             : "";
}

// What a path leads to that leads nowhere.
const Value kAbsent = InternalValue(nullptr);

// Whether it is known to have neither attributes nor elements.
bool HasNoSteps(const Value& value) {
  return value.is_null() || (TagOf(value) >= Tag::kFalse && TagOf(value) <= Tag::kString);
}

// Puts the number that a number or a text stands for in *number.
bool BecomesNumber(const Value& value, Heap* heap, Value* number) {
  if (value.is_number()) return *number = value, true;
  int64_t digits;
  if (!ReadShortDigits(value, &digits) || heap->limits().max_number_digits < kMaxInlineDigits) {
    return value.is_string() && !IsNoNumber(value) && ReadNumber(value, heap, number);
  }
  *number = Value::Int(digits);
  return true;
}

// What reading a number in a text takes beside what the text weighs.
uint64_t CostOfDigits(const Value& operand) { return operand.is_string() ? operand.AsString().size() / 8 : 0; }

// The operator that the instruction of fast code stands for.
BinaryOp ArithmeticOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kFastSubtract:
      return BinaryOp::kSubtract;
    case Opcode::kFastMultiply:
      return BinaryOp::kMultiply;
    case Opcode::kFastDivide:
      return BinaryOp::kDivide;
    case Opcode::kFastModulo:
      return BinaryOp::kModulo;
    default:
      return BinaryOp::kAdd;
  }
}

}  // namespace

// The names that an expression at the context's pc can use: those of the loops around it, inner ones first, then the
// program's variables that are bound, then other names of the scope. Loops are sorted by their begin, so that going
// backwards from the pc meets the inner ones first; both counts are bounded, because a config may have very many of
// each.
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
  const size_t slots = std::min(program_.variables().size(), kMaxSlots);
  for (size_t slot = 0; slot < slots && names.size() < kMaxSuggested; ++slot) {
    if (!IsAbsent(slots_[slot])) names.push_back(program_.variables()[slot]);
  }
  for (uint32_t n = 0; scope_ != nullptr && n < scope_->size && names.size() < kMaxSuggested; ++n) {
    names.push_back(scope_->keys[n].AsString());
  }
  return names;
}

// native-syntax.md, "Variables and Variable Expressions". It is an error where the value is needed and not while
// compiling, since the host chooses the scope for each run. Suggestions are worked out only when the text will be kept.
Value Interpreter::UnsetVariable(uint32_t slot) {
  if (context_.quiet()) return context_.FailQuietly();
  const std::string_view name = program_.variables()[slot];
  std::string detail = absl::StrCat("There is no variable named \"", Excerpt(name), "\".");
  if (const std::string_view hint = HintAtVariable(name); !hint.empty()) {
    detail.append(hint);
  } else if (const std::string meant = HintAtConfig(program_, name); !meant.empty()) {
    detail.append(meant);
  } else {
    const std::string_view nearest =
        failures_.Nearest(program_.code().data() + context_.pc, name, [this] { return VisibleNames(); });
    if (!nearest.empty()) absl::StrAppend(&detail, " Did you mean \"", Excerpt(nearest), "\"?");
  }
  return context_.Fail(span_role::kRoot, DiagnosticCode::kUnknownVariable, std::move(detail));
}

// All hosts that reuse memory do so between runs, of which 65,535 have numbers of their own.
void Interpreter::ForgetShapes() {
  for (size_t n = 0; n < program_.names().size(); ++n) attributes_[n].shape = 0;
  run_ = kOneRun;
}

// Neither the shape nor the place is that of last time: the attribute is looked for by its name.
const Value* Interpreter::FindAttribute(const Value& value, CachedAttribute* attribute) const {
  if (!value.is_mapping()) return nullptr;
  const int64_t found = value.shape().Find(attribute->name);
  if (found < 0) return nullptr;
  attribute->at = static_cast<uint32_t>(found);
  Remember(&value.shape(), attribute);
  return MappingOf(value).items() + found;
}

// Follows a path step by step with the general operations, for what FollowSteps does not cope with: marks, unknown
// values, keys at other positions, and errors, each of which is reported at the range of its own step. The hint of a
// path with one step is in the CachedPath, those of longer paths stand one behind the other; both are updated here, so
// that the next run over values of the same shape takes the fast path. `value` is a copy, because a marked step makes a
// new value.
Value Interpreter::LoadPathByName(uint32_t index) {
  const Path& path = program_.paths()[index];
  const Value& start = slots_[path.slot];
  if (IsAbsent(start)) return UnsetVariable(path.slot);
  if (IsInternal(start)) {
    const Value read = ReadLazy(path.slot);
    if (read.is_error()) return read;
  }
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

Value Interpreter::LoadPathSlow(uint32_t index) {
  if (locals_ == nullptr || paths_[index].step_count != 0) return LoadPathByName(index);
  const auto slot = static_cast<uint32_t>(paths_[index].root - slots_);
  return locals_->Has(slot) ? ReadLocal(slot) : LoadPathByName(index);
}

// What is left of a path, for fast code, which wants only what is known and unmarked: no operation is called and
// nothing is reported. Steps that the slow path takes in another way, an index that is a text, say, are left to it: it
// repeats the walk with LoadPathSlow. Much of what is looked for is not there, which must be short, too.
const Value* Interpreter::FindRest(const Value* value, const PathStep* step, uint32_t* hint, uint32_t steps) {
  for (; steps > 0; --steps, ++step, ++hint) {
    if (value->is_mapping() && step->key.is_string()) {
      const Mapping& mapping = MappingOf(*value);
      const Shape& shape = *mapping.shape;
      const bool is_there = *hint < shape.size && shape.keys[*hint].AsString() == step->key.AsString();
      const int64_t found = is_there ? *hint : FindKey(shape, step->key);
      if (found < 0) return &kAbsent;
      *hint = static_cast<uint32_t>(found);
      value = mapping.items() + found;
    } else if (value->is_mapping()) {
      Value key;
      if (!WriteShortNumber(step->key, &key)) return nullptr;
      const int64_t found = FindKey(*MappingOf(*value).shape, key);
      if (found < 0) return &kAbsent;
      value = MappingOf(*value).items() + found;
    } else if ((value->is_tuple() || value->is_list()) && (step->key.is_int() || step->position != UINT32_MAX)) {
      if (step->position >= value->size()) return &kAbsent;
      value = SequenceOf(*value).items() + step->position;
    } else {
      return HasNoSteps(*value) || (step->is_attribute && value->is_sequence()) ? &kAbsent : nullptr;
    }
  }
  return TagOf(*value) == Tag::kInternal ? nullptr : value;
}

// One step is what is looked for most. No function is called but as the last thing, so that nothing is saved around it.
const Value* Interpreter::FindOnPath(CachedPath* cached) {
  CachedPath& only = *cached;
  const Value& root = *only.root;
  if (only.step_count == 1 && root.is_mapping() && TagOf(only.key) == Tag::kShortString) {
    const Mapping& mapping = MappingOf(root);
    const int64_t found = FindShortKey(*mapping.shape, only.key);
    if (found < 0) return &kAbsent;
    only.hint = static_cast<uint32_t>(found);
    return mapping.items() + found;
  }
  if (HasNoSteps(root)) return &kAbsent;
  if (only.step_count == 1 && BeginsNoNumber(only.key) && (root.is_tuple() || root.is_list())) return &kAbsent;
  if (only.step_count == 1 && only.key.is_int() && (root.is_tuple() || root.is_list())) {
    const Sequence& sequence = SequenceOf(root);
    const auto position = static_cast<uint64_t>(only.key.AsInt());
    return position < sequence.size ? sequence.items() + position : &kAbsent;
  }
  const Path& path = program_.paths()[static_cast<size_t>(cached - paths_)];
  uint32_t* const hint = path.step_count == 1 ? &only.hint : hints_ + path.first_step;
  return FindRest(&root, program_.steps(path).data(), hint, path.step_count);
}

const Value* Interpreter::FindAtPath(uint32_t path) { return FindOnPath(paths_ + path); }

void Interpreter::MoveLastBefore(const Value& later, size_t* moved) {
  failures_.MoveLast(ErrorBegin(later) + *moved);
  ++*moved;
}

// This is the function `contains` with a literal list, for needles that are no plain scalars. Marks of the needle come
// to the result, so the needle is unmarked at all depths first.
Value Interpreter::ContainsSlow(const LookupSet& set, const Value& needle) {
  if (needle.has_marks()) {
    MarkSet marks = 0;
    Arena* arena = context_.heap->arena();
    const Value plain = UnmarkDeep(needle, &marks, arena);
    const bool scalar = TagOf(plain) >= Tag::kFalse && TagOf(plain) <= Tag::kString;
    return Mark(scalar ? Value::Bool(set.Has(plain)) : ContainsSlow(set, plain), marks, arena);
  }
  if (needle.is_error()) return needle;
  if (TagOf(needle) == Tag::kBigNumber) return Value::Bool(set.Has(needle));
  if (needle.is_dynamic_value()) return Value::Dynamic();
  if (needle.is_unknown()) return UnknownNotNull(Type::Bool());
  return Value::Bool(false);  // the members are scalars: neither a null nor anything compound equals one
}

// "If the argument value corresponding to a parameter does not match the parameter's type specification, the call is
// erroneous": information-model.md, "Functions and Function Calls". Before that, conversion is attempted ("Type
// Conversions and Unification"). All arguments are converted even after one has failed, so that one run reports all
// that is wrong. Diagnostics have to come in the order of the arguments, but those of evaluating the later arguments
// are there already; hence each new one is moved before those of the next argument that has failed. The test of the
// kind spares arguments that fit the call of Convert().
//
// Arguments of an expanded call beyond the written ones are reported at the last written one, from which they come.
bool Interpreter::ConvertArguments(const Function& function, uint32_t site_arguments, absl::Span<Value> arguments,
                                   Value* poison) {
  bool ok = true;
  size_t moved = 0;
  const Value* later = arguments.begin();  // the next argument that has failed before, where it has been looked for
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
    ConversionError error = context_.NewError();
    error.silence = call_silence();
    if (context_.Convert(argument, parameter.type, &converted, &error)) {
      argument = converted;
      continue;
    }
    if (is_tried_ && !error.is_limit) return *poison = InternalValue(nullptr), false;
    const int role = span_role::kArguments + static_cast<int>(n < site_arguments ? n : site_arguments - 1);
    fail(context_.FailConversion(error, role, DiagnosticCode::kInvalidArgument, [&] {
      return absl::StrCat("Invalid value for \"", parameter.name, "\" parameter: ", error.ToString(), ".",
                          HintAtExpansion(function, n, argument));
    }));
    later = std::find_if(std::max<const Value*>(later, &argument), static_cast<const Value*>(arguments.end()),
                         [](const Value& v) { return v.is_error(); });
    if (later == arguments.end()) continue;
    fail(*later);
    MoveLastBefore(*later, &moved);
  }
  return ok;
}

// The whole protocol of a call: information-model.md, "Functions and Function Calls". The number of arguments is
// checked here for expanded calls; for others the compiler has done so. Fuel for reading the arguments is taken before
// the body runs, fuel for the result after it, since the body bounds what it makes by CanMake() and friends. Marks are
// taken off the arguments for parameters that do not ask for them, and all of them go to the result: a function need
// not know of marks.
Value Interpreter::InvokeConverted(const CallSite& site, absl::Span<Value> arguments) {
  const Function& function = *site.function;
  const size_t required = function.parameters.size();
  if (arguments.size() < required) {
    return context_.Fail(span_role::kCallClose, DiagnosticCode::kTooFewArguments, [&] {
      return absl::StrCat("Function \"", function.name, "\" expects ", function.variadic ? "at least " : "", required,
                          required == 1 ? " argument" : " arguments", ". Missing value for \"",
                          function.parameters[arguments.size()].name, "\".");
    });
  }
  const size_t most = function.max_arguments();
  if (arguments.size() > most) {
    const int role = span_role::kArguments + static_cast<int>(most < site.arguments ? most : site.arguments - 1);
    return context_.Fail(role, DiagnosticCode::kTooManyArguments, [&] {
      return absl::StrCat("Function \"", function.name, "\" expects only ", most,
                          most == 1 ? " argument" : " arguments", ".");
    });
  }
  uint64_t cost = kCallCost;
  for (size_t n = 0; n < arguments.size(); ++n) {
    const Type type = function.parameter(n).type;
    const bool as_it_is =
        type.is_dynamic() || KindsOf(function.parameter(n), /*takes_tuples=*/false).Take(arguments[n]);
    const bool unmarked = arguments[n].has_marks() && !function.parameter(n).allow_marked;
    if (!function.charges || !as_it_is || unmarked) cost += CostOf(arguments[n]);
    if (!as_it_is) cost += ConversionCost(arguments[n], type);
  }
  if (!Charge(cost)) return OutOfFuel();
  Value poison;
  if (!ConvertArguments(function, site.arguments, arguments, &poison)) {
    return Charge(kFailureCost) ? poison : OutOfFuel();
  }
  bool has_marks = false;
  for (const Value& argument : arguments) has_marks |= argument.has_marks();
  MarkSet marks = 0;
  if (has_marks) {
    for (size_t n = 0; n < arguments.size(); ++n) {
      if (!function.parameter(n).allow_marked) arguments[n] = UnmarkDeep(arguments[n], &marks, context_.heap->arena());
    }
  }
  FunctionCall call(function, context_.heap, &fuel_, site.prepared, call_silence());
  const Value result = InvokeFunction(&call, arguments);
  if (call.failed()) return CallFailed(site, call, marks);
  return function.charges || Charge(CostOf(result)) ? Mark(Bounded(result), marks, context_.heap->arena())
                                                    : OutOfFuel();
}

// Turns what a body reports, a phrase and perhaps an argument, into a diagnostic. A crossed limit stops the evaluation;
// any other failure makes an error value, and the evaluation goes on. Of what fast code tries, nobody reads what it
// failed with: it is nothing then, and no failure, so that it costs about what a success does.
Value Interpreter::CallFailed(const CallSite& site, const FunctionCall& call, MarkSet marks) {
  if (call.out_of_fuel() || !Charge(kFailureCost)) return OutOfFuel();
  if (!call.is_limit() && call.silence() == &kNeverRead) return InternalValue(nullptr);
  const Function& function = *site.function;
  if (!call.is_limit() && context_.quiet()) return context_.FailQuietly();
  const std::string reason = marks != 0 ? kHiddenReason : call.message();
  if (call.is_limit()) {
    stopped_ = true;
    return context_.FailLimit(span_role::kCallHead, DiagnosticCode::kLimitInCall,
                              absl::StrCat("Call to function \"", function.name, "\": ", reason, "."));
  }
  if (call.argument() < 0) {
    return context_.Fail(span_role::kCallHead, DiagnosticCode::kCallFailed, [&] {
      return absl::StrCat("Call to function \"", function.name, "\" failed: ", reason, ".");
    });
  }
  const uint32_t at = static_cast<uint32_t>(call.argument());
  const std::string& name = function.parameter(at).name;
  const int role = at < site.arguments ? span_role::kArguments + static_cast<int>(at)
                   : site.expand_last  ? span_role::kArguments + static_cast<int>(site.arguments) - 1
                                       : span_role::kWhole;
  return context_.Fail(role, DiagnosticCode::kInvalidArgument,
                       [&] { return absl::StrCat("Invalid value for \"", name, "\" parameter: ", reason, "."); });
}

// The call fails for its arguments, and nobody reads why: no more than that is left of InvokeConverted(), which is paid
// for as there. What is light costs nothing to read or to convert.
Value Interpreter::RefuseCall(const CallSite& site, const Value* arguments, uint32_t refusals) {
  const Function& function = *site.function;
  uint64_t cost = kCallCost;
  for (uint32_t n = 0; n < site.arguments; ++n) {
    const Value& argument = arguments[n];
    if (IsLight(argument) || argument.is_null()) continue;
    const Type type = function.parameter(n).type;
    const bool as_it_is = site.kinds_of(n).TakesTag(argument) && site.kinds_of(n).element_tags == 0;
    if (!function.charges || !as_it_is) cost += CostOf(argument);
    if (!as_it_is) cost += ConversionCost(argument, type);
  }
  if (!Charge(cost)) return OutOfFuel();
  const Value poison = context_.FailQuietly();
  for (uint32_t n = 1; n < refusals; ++n) context_.FailQuietly();
  return Charge(kFailureCost) ? poison : OutOfFuel();
}

// What Interpreter::CallFast() leaves: the whole protocol.
Value Interpreter::CallAny(const CallSite& site, Value* arguments) {
  if (!site.expand_last) {
    if (is_tried_) {
      if (site.FailsToTake(arguments)) return FailTried();
    } else if (const uint32_t refusals = failures_.is_counting() ? site.CountRefusals(arguments) : 0; refusals > 0) {
      return RefuseCall(site, arguments, refusals);
    }
    return InvokeConverted(site, absl::MakeSpan(arguments, site.arguments));
  }
  // Whatever else is wrong with the call, the first error among its arguments is where its reports begin.
  const Value* const end = arguments + site.arguments;
  const Value* const failed =
      std::find_if(arguments, arguments + site.arguments, [](const Value& v) { return v.is_error(); });
  const Value first = failed == end ? Value() : *failed;
  const Value result = CallExpanded(site, arguments);
  return failed == end ? result : first;
}

// The end of a call of which the body has run.
Value Interpreter::FinishCall(const CallSite& site, const FunctionCall& call, const Value& result) {
  if (ABSL_PREDICT_FALSE(call.failed())) return CallFailed(site, call, /*marks=*/0);
  if (IsLight(result)) return result;
  return site.function->charges || Charge(CostOf(result)) ? Bounded(result) : OutOfFuel();
}

// For arguments for which the protocol has nothing else to do. `cost`: of the call and of reading them.
Value Interpreter::RunBody(const CallSite& site, absl::Span<const Value> arguments, uint64_t cost) {
  const Function& function = *site.function;
  if (!Charge(function.charges ? kCallCost : cost)) return OutOfFuel();
  FunctionCall call(function, context_.heap, &fuel_, site.prepared, call_silence());
  call.set_result_type(function.result_type_rule != nullptr ? function.result_type_rule(&call, arguments)
                                                            : function.result_type);
  return FinishCall(site, call, call.failed() ? Value() : function.body(&call, arguments));
}

// A number in quotes, for a parameter that takes numbers, and a whole number for one that takes strings.
bool Interpreter::TakeScalar(Type type, Value* argument, uint64_t* cost) const {
  Value converted;
  const bool is_digits = type == Type::Number() && argument->is_string();
  if (is_digits ? !BecomesNumber(*argument, context_.heap, &converted)
                : type != Type::String() || !WriteShortNumber(*argument, &converted)) {
    return false;
  }
  *cost = CostOf(*argument) + ConversionCost(*argument, type);
  *argument = converted;
  return true;
}

// Arguments that are known, not null, without marks and of the parameters' kinds: the protocol has nothing to do but to
// ask for the type and to run the body. Each argument is looked at once. The meaning is that of InvokeConverted(),
// which takes every other call.
Value Interpreter::CallFast(const CallSite& site, Value* arguments) {
  if (ABSL_PREDICT_FALSE(site.is_program)) return CallProgram(site, arguments);
  uint64_t cost = kCallCost;
  for (uint32_t n = 0; n < site.arguments; ++n) {
    const Value& argument = arguments[n];
    if (ABSL_PREDICT_FALSE(!site.kinds_of(n).Take(argument))) {
      // Lists of what a parameter has to look at more closely are mostly taken.
      const bool may_fail = site.kinds_of(n).tags != 0 || TagOf(argument) < Tag::kTuple;
      if (is_tried_ && may_fail && !site.expand_last && site.FailsToTake(arguments)) return FailTried();
      // The conversions are paid for where the function pays for the rest itself as well.
      uint64_t conversion = 0;
      const Type type = site.function->parameter(n).type;
      const bool is_taken =
          !site.expand_last &&
          (type.is_primitive()
               ? TakeScalar(type, &arguments[n], &conversion)
               : TagOf(argument) > Tag::kString && TakeUniformList(type, context_.heap, &arguments[n], &conversion)) &&
          Charge(conversion);
      if (!is_taken) return CallAny(site, arguments);
    } else if (!IsLight(argument)) {
      cost += CostOf(argument);
    }
  }
  return RunBody(site, {arguments, site.arguments}, cost);
}

bool Interpreter::Succeeds(const CallSite& site, Value* at) {
  uint64_t cost = kCallCost;
  for (uint32_t n = 0; n < site.arguments; ++n) {
    if (!site.kinds_of(n).Take(at[n])) return false;
    if (!site.function->charges && !IsLight(at[n])) cost += CostOf(at[n]);
  }
  if (!Charge(cost)) return false;
  FunctionCall call(*site.function, context_.heap, &fuel_, site.prepared, call_silence());
  const bool succeeds = site.function->succeeds(&call, {at, site.arguments});
  if (call.failed()) return false;
  *at = succeeds ? Value::Bool(true) : InternalValue(nullptr);
  return true;
}

// The end of a call in which the body has run and nothing else, where that has failed or gives something large.
Value Interpreter::FinishLightCall(const CallSite& site, FunctionCall* call, const Value& result) {
  const Value finished = FinishCall(site, *call, result);
  if (call->failed()) call->Forget();
  return finished;
}

Value Interpreter::CallTried(const CallSite& site, Value* arguments) {
  if (site.is_program && site.FailsToTake(arguments)) return FailTried();
  is_tried_ = true;
  const Value result = CallFast(site, arguments);
  is_tried_ = false;
  if (ABSL_PREDICT_TRUE(!result.is_error()) || stopped_) return result;
  failures_.Remove(ErrorBegin(result));
  return InternalValue(nullptr);
}

// An error value where `expanded`, unmarked, does not stand for arguments. What is unknown may, if its type does.
Value Interpreter::CheckExpanded(const Value& expanded, int role) {
  constexpr DiagnosticCode kInvalid = DiagnosticCode::kInvalidExpansion;
  if (expanded.is_null()) {
    return context_.Fail(role, kInvalid, "The expanding argument (indicated by ...) must not be null.");
  }
  const TypeKind kind = expanded.is_unknown() ? expanded.null_or_unknown_type().kind() : TypeKind::kString;
  const bool suits = expanded.is_sequence() || kind == TypeKind::kDynamic || kind == TypeKind::kTuple ||
                     kind == TypeKind::kList || kind == TypeKind::kSet;
  if (suits) return Value();
  return context_.Fail(role, kInvalid, [&] {
    return absl::StrCat("The expanding argument (indicated by ...) must be a tuple, list or set, not ",
                        WithArticle(expanded), ".");
  });
}

// Nobody knows how many arguments it stands for.
bool Interpreter::IsOpen(const Value& expanded) const {
  return expanded.is_unknown() || HasUnknownLength(expanded, *context_.heap);
}

// What is expanded comes before the attempts of `try(a, b, list...)`, as there is no call without it.
Value Interpreter::ExpandForTry(Interpreter* interpreter, const Value& value, const void*) {
  if (value.is_error()) return value;
  const Value expanded = value.unmarked();
  const Value failed = interpreter->CheckExpanded(expanded, span_role::kCollection);
  if (failed.is_error()) return failed;
  if (!interpreter->IsOpen(expanded)) return value;
  return Mark(Value::Dynamic(), value.marks(), interpreter->context_.heap->arena());
}

// As for the arguments of CallFast(), of which there are as many as an expanded list has elements: whether the
// protocol has nothing to do for them, and what reading them costs. Those behind the first of the variadic ones are of
// one kind.
bool Interpreter::TakesAsTheyAre(const Function& function, absl::Span<const Value> arguments, uint64_t* cost) {
  const size_t own = function.parameters.size();
  if (arguments.size() < own || arguments.size() > function.max_arguments()) return false;
  ArgumentKinds kinds;
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (n <= own) kinds = KindsOf(function, n);
    if (!kinds.Take(arguments[n])) return false;
    *cost += IsLight(arguments[n]) ? 0 : CostOf(arguments[n]);
  }
  return true;
}

// `f(list...)`: native-syntax.md, "Functions and Function Calls", where the last argument is a list or tuple; sets are
// allowed as in the reference. Marks on the sequence as a whole go to each of its elements. The expanded arguments are
// a copy, since the registers behind the run belong to others.
Value Interpreter::CallExpanded(const CallSite& site, Value* arguments) {
  const uint32_t last = site.arguments - 1;
  const MarkSet marks = arguments[last].marks();
  const Value expanded = arguments[last].unmarked();
  if (expanded.is_error()) return expanded;
  const int role = span_role::kArguments + static_cast<int>(last);
  if (const Value failed = CheckExpanded(expanded, role); failed.is_error()) return failed;
  if (IsOpen(expanded)) {
    // The reference gives up on the whole call; errors of the arguments before it are kept.
    for (uint32_t n = 0; n < last; ++n) {
      if (arguments[n].is_error()) return arguments[n];
    }
    return Mark(Value::Dynamic(), marks, context_.heap->arena());
  }
  // What each call takes for its arguments does not count those of a long list.
  if (!Charge(expanded.size() / 4)) return OutOfFuel();
  // Elements that are all of the arguments need not be copied where nothing is done to them.
  uint64_t cost = kCallCost;
  if (last == 0 && marks == 0 && TakesAsTheyAre(*site.function, expanded.elements(), &cost)) {
    return RunBody(site, expanded.elements(), cost);
  }
  if (is_tried_ && HasUnfitArgument(*site.function, last, expanded.elements())) return FailTried();
  absl::InlinedVector<Value, 16> all(arguments, arguments + last);
  for (const Value& element : expanded.elements()) all.push_back(Mark(element, marks, context_.heap->arena()));
  return InvokeConverted(site, absl::MakeSpan(all));
}

// Only one branch of this conditional will run, and its result must have the condition's marks. Putting them on needs
// the end of the branches, which the loop reaches by a jump; they wait in pending_marks_ until then. A stack, because
// branches nest.
void Interpreter::TestCondition(Value* condition) {
  const MarkSet marks = condition->marks();
  *condition = CheckCondition(Value(condition->unmarked()), &context_);
  if (marks == 0) return;
  if (!condition->is_bool()) {
    *condition = Mark(*condition, marks, context_.heap->arena());
    return;
  }
  // Behind the Branch stands the jump for an unknown condition; the branches' end is behind the instruction it leads
  // to.
  const uint32_t end = program_.code()[context_.pc + 1].x() + 1;
  pending_marks_.push_back({end, condition, marks});
  NoteLeftovers();
}

// Entries of inner conditionals are on top of the stack, because these end first. All that wait for this target are
// taken off.
void Interpreter::EndMarkedBranches(uint32_t target) {
  while (!pending_marks_.empty() && pending_marks_.back().end == target) {
    Value* const result = pending_marks_.back().result;
    *result = Mark(*result, pending_marks_.back().marks, context_.heap->arena());
    pending_marks_.pop_back();
  }
}

// Operators on what is not two integers. Numbers of many digits take far longer than an instruction, and pay for it; so
// do strings that are to become numbers. A charge that fails ends the evaluation at the next one.
Value Interpreter::OperateSlow(BinaryOp op, const Value& x, const Value& y) {
  const Value result = BinaryOperation(op, x, y, &context_);
  const bool is_big = TagOf(x) == Tag::kBigNumber || TagOf(y) == Tag::kBigNumber || TagOf(result) == Tag::kBigNumber;
  const bool is_text = TagOf(x) == Tag::kString || TagOf(y) == Tag::kString;
  if (is_big && IsComparison(op)) Charge(kBigNumberCost);
  if (is_text) Charge(CostOf(x) + CostOf(y));
  return result;
}

// Configs and requests are full of numbers in quotes. They are paid for as in OperateSlow().
Interpreter::Redone Interpreter::OperateOnTexts(Instruction i, const Value& x, const Value& y, Value* dest) {
  Value a, b;
  Heap* const heap = context_.heap;
  if (!BecomesNumber(x, heap, &a)) return Redone::kNot;
  if (&x == &y) {
    b = a;
  } else if (!BecomesNumber(y, heap, &b)) {
    return Redone::kNot;
  }
  if (!Charge(CostOf(x) + CostOf(y) + CostOfDigits(x) + CostOfDigits(y))) return Redone::kNot;
  const auto compute = [&](const Value& first, const Value& second) {
    uint64_t cost;
    const bool is_done = FastArithmetic(ArithmeticOf(i.opcode()), first, second, heap, dest, &cost) && Charge(cost);
    return is_done ? Redone::kDone : Redone::kNot;
  };
  switch (i.opcode()) {
    case Opcode::kFastAdd:
    case Opcode::kFastSubtract:
    case Opcode::kFastMultiply:
    case Opcode::kFastDivide:
    case Opcode::kFastModulo:
      return compute(a, b);
    case Opcode::kFastSum:
      return dest->is_null() ? (*dest = a, Redone::kDone) : compute(*dest, a);
    case Opcode::kFastFloor:
    case Opcode::kFastCeil:
      return a.is_int() ? (*dest = a, Redone::kDone) : Redone::kNot;
    case Opcode::kIfLess:
      return Compare(a.AsNumber(), b.AsNumber()) < 0 ? Redone::kSkips : Redone::kDone;
    case Opcode::kIfLessEqual:
      return Compare(a.AsNumber(), b.AsNumber()) <= 0 ? Redone::kSkips : Redone::kDone;
    default:
      return Redone::kNot;
  }
}

// The program's own diagnostic: it was made while compiling.
void Interpreter::Raise(uint32_t diagnostic) {
  if (failures_.quiet()) {
    failures_.AddQuietly();
  } else {
    failures_.Add(program_.prepared_diagnostics()[diagnostic]);
  }
}

// One diagnostic in place of all: the reference lists what each attempt failed with. What is listed are the kept ones
// among those of the attempts, found by their positions: fewer than there were where some are repeated or past the
// bound. Attempts that failed in tries of their own list theirs already, so that texts could double with each level;
// the bound is that of one message, and nothing is read beyond it.
Value Interpreter::EndTry(const Value& kept) {
  if (!kept.is_error()) {
    return context_.Fail(span_role::kCallHead, DiagnosticCode::kCallFailed,
                         "Call to function \"try\" failed: at least one argument is required.");
  }
  const size_t begin = ErrorBegin(kept);
  if (failures_.dropped()) {
    failures_.ReplaceQuietly(begin);
    return ErrorValue(begin);
  }
  std::string detail = "Call to function \"try\" failed: no expression succeeded:";
  for (const Diagnostic* d : failures_.KeptFrom(begin)) {
    absl::StrAppend(&detail, "\n- ", d->summary, ": ", d->detail);
    if (detail.size() > kMaxMessageBytes) break;
  }
  failures_.Remove(begin);
  return context_.Fail(span_role::kCallHead, DiagnosticCode::kNothingSucceeded, std::move(detail));
}

// A value with unknown parts gives an unknown bool, as in the reference: with known values in them it may fail.
Value Interpreter::EndCan(const Value& value) {
  if (value.is_error()) {
    failures_.Remove(ErrorBegin(value));
    return Value::Bool(false);
  }
  return value.is_wholly_known() ? Value::Bool(true) : Value::Unknown(Type::Bool());
}

}  // namespace hcl::internal
