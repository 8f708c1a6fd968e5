// Interpreter: loops and constructors. Tested by vm/evaluator_test.cc and tests/conformance.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// native-syntax.md, "For Expressions": the keys of a sequence are its indexes, which are made while iterating and need
// no array; those of a set are the elements themselves.
void Iterate(const Value& source, LoopState* state) {
  state->size = static_cast<uint32_t>(source.size());
  if (source.is_mapping()) {
    state->items = MappingOf(source).items();
    state->keys = source.shape().keys;
  } else {
    state->items = SequenceOf(source).items();
    if (source.is_set()) state->keys = state->items;
  }
}

// Puts the state of a loop and its element `n` into the registers at `run`.
void BeginPass(uint32_t n, LoopState* state, Value* run) {
  run[2] = state->items[n];
  run[1] = state->keys != nullptr ? state->keys[n] : Value::Int(n);
  *run = InternalValue(state);
}

bool IsIterable(TypeKind kind) { return kind >= TypeKind::kList && kind <= TypeKind::kObject; }
bool IsSequence(TypeKind kind) { return kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kTuple; }

// What is known of a set of unknown length: an unknown one, not null.
Value UnknownSet(const Value& set, Heap* heap) {
  Refinement refinement;
  refinement.type = TypeOf(set, heap->types());
  refinement.not_null = true;
  refinement.min_length = 1;
  refinement.max_length = set.size();
  return RefinedUnknown(refinement, heap->arena());
}

}  // namespace

// A limit ends the evaluation (stopped_), unlike an error: going on would cross it again in each instruction.
Value Interpreter::OutOfMemory() {
  stopped_ = true;
  return context_.FailLimit(span_role::kWhole, DiagnosticCode::kResultTooLarge,
                            absl::StrCat("The evaluation needs more than the allowed ",
                                         context_.heap->limits().max_result_bytes, " bytes (limit max_result_bytes)."));
}

Value Interpreter::TooLarge() {
  stopped_ = true;
  return context_.FailLimit(span_role::kWhole, DiagnosticCode::kResultTooLarge,
                            absl::StrCat("Written out in full, this value would exceed the allowed ",
                                         context_.heap->limits().max_result_bytes, " bytes (limit max_result_bytes)."));
}

// The pc has been saved, so that the message shows where the last unit went.
Value Interpreter::OutOfFuel() {
  stopped_ = true;
  if (fuel_.interrupted()) {
    return context_.FailLimit(span_role::kWhole, DiagnosticCode::kEvaluationInterrupted,
                              "The evaluation was cancelled, or its deadline has passed.");
  }
  return context_.FailLimit(span_role::kWhole, DiagnosticCode::kTooManySteps,
                            absl::StrCat("The evaluation needs more than the allowed ",
                                         context_.heap->limits().max_fuel, " steps (limit max_fuel)."));
}

// native-syntax.md, "For Expressions". With a known collection that has elements, the filter is not tried beforehand;
// with an empty one, a dry pass with unknown key and element finds its mistakes (docs/language.md, "Errors"). A dynamic
// value may turn out to be anything, so that its loop is not even dry. The state lives in the arena behind the loop's
// first register, which holds the collection before.
bool Interpreter::BeginFor(Value* source, bool has_filter) {
  if (source->is_error()) return false;
  if (source->is_marked()) return BeginMarked(source, has_filter, &Interpreter::BeginFor);
  if (source->is_null()) {
    *source = context_.Fail(span_role::kCollection, DiagnosticCode::kNullIteration,
                            "A null value cannot be used as the collection in a 'for' expression.");
    return false;
  }
  if (HasUnknownLength(*source, *context_.heap)) *source = UnknownSet(*source, context_.heap);
  if (source->is_unknown()) {
    const Type type = source->null_or_unknown_type();
    const bool iterable = IsIterable(type.kind());
    // As in the reference, an unknown collection of known type still has its filter checked.
    if (type.is_dynamic() || (iterable && !has_filter)) {
      *source = Value::Dynamic();
      return false;
    }
    if (iterable) {
      LoopState* state = context_.heap->arena()->New<LoopState>();
      state->dry = state->unknown = true;
      *source = InternalValue(state);
      return true;
    }
  }
  if (!source->is_sequence() && !source->is_mapping()) {
    *source = context_.Fail(span_role::kCollection, DiagnosticCode::kNotIterable, [&] {
      return absl::StrCat("A 'for' expression needs a list, set, tuple, map or object, but this is ",
                          WithArticle(*source), ".");
    });
    return false;
  }
  LoopState* state = context_.heap->arena()->New<LoopState>();
  Iterate(*source, state);
  state->dry = has_filter && state->size == 0;
  *source = InternalValue(state);
  return true;
}

// Of fast code, which asks for the kind before. Its elements may be anything known, and unknown but in sets.
bool Interpreter::BeginFastFor(Value* source) {
  LoopState* const state = context_.heap->arena()->New<LoopState>();
  Iterate(*source, state);
  if (state->size == 0) return false;
  state->next = 1;
  BeginPass(0, state, source);
  return true;
}

bool Interpreter::BeginFastForBack(Value* source) {
  LoopState* const state = context_.heap->arena()->New<LoopState>();
  Iterate(*source, state);
  if (state->size == 0) return false;
  state->next = state->size - 1;
  BeginPass(state->next, state, source);
  return true;
}

// Marks on the collection as a whole belong to the whole result, whatever elements are left; they wait in the loop's
// state and reach the builder at the end (FinishLoop). Without a loop they go on the result at once.
bool Interpreter::BeginMarked(Value* source, bool has_filter, bool (Interpreter::*begin)(Value*, bool)) {
  const MarkSet marks = source->marks();
  *source = Value(source->unmarked());
  const bool loop = (this->*begin)(source, has_filter);
  if (loop) {
    static_cast<LoopState*>(InternalState(*source))->marks = marks;
  } else {
    *source = Mark(*source, marks, context_.heap->arena());
  }
  return loop;
}

// native-syntax.md, "Splat Operators": null is an empty tuple unless it is of a sequence type, anything that is no
// sequence counts as one of one element. An unknown sequence runs one pass (a tuple one for each element), because the
// type of the result is known as soon as the types of the elements are. `has_filter` is only there for BeginMarked(),
// which begins both kinds of loops.
bool Interpreter::BeginSplat(Value* source, bool has_filter) {
  if (source->is_error()) return false;
  if (source->is_marked()) return BeginMarked(source, has_filter, &Interpreter::BeginSplat);
  if (HasUnknownLength(*source, *context_.heap)) *source = UnknownSet(*source, context_.heap);
  const bool is_blank = source->is_null() || source->is_unknown();
  const TypeKind kind = is_blank ? source->null_or_unknown_type().kind() : TypeKind::kDynamic;
  const bool is_sequence = is_blank ? IsSequence(kind) : source->is_sequence();
  if (source->is_null()) {
    *source = is_sequence
                  ? context_.Fail(span_role::kCollection, DiagnosticCode::kNullSplat,
                                  "A splat expression (with the * symbol) cannot be applied to a null sequence.")
                  : MakeTuple({}, context_.heap->arena());
    return false;
  }
  if (source->is_dynamic_value()) return false;
  Arena* arena = context_.heap->arena();
  LoopState* state = arena->New<LoopState>();
  if (!is_sequence) {
    // Anything else counts as a sequence of one; what is unknown may yet turn out to be null, hence of none.
    Value* copy = arena->NewArray<Value>(1);
    *copy = *source;
    state->items = copy;
    state->size = 1;
    state->mode = DefinitelyNotNull(*source) ? LoopState::Mode::kSplatTuple : LoopState::Mode::kSplatDynamic;
  } else if (source->is_unknown()) {
    state->type = source->null_or_unknown_type().node();
    state->refinement = arena->New<Refinement>(RefinementOf(*source));
    state->size = kind == TypeKind::kTuple ? state->type->size : 1;
    state->mode = LoopState::Mode::kSplatUnknown;
  } else {
    Iterate(*source, state);
    state->mode = source->is_tuple() ? LoopState::Mode::kSplatTuple : LoopState::Mode::kSplatList;
    if (!source->is_tuple()) state->type = SequenceOf(*source).element;
    // An empty list still has an element type to find: one pass with an unknown element.
    if (state->mode == LoopState::Mode::kSplatList && state->size == 0) {
      state->size = 1;
      state->dry = true;
    }
  }
  *source = InternalValue(state);
  return true;
}

bool Interpreter::FinishLoop(LoopState* state, Value* loop) {
  if (state->marks != 0) static_cast<BuilderState*>(InternalState(loop[3]))->marks |= state->marks;
  return false;
}

// What ForNext does not do inline: dry passes, unknown sources, splats, and the end. A dry pass of a `for` gives the
// dynamic value for key and element, which is optimistically valid for every operation (information-model.md, "Unknown
// Values and the Dynamic Pseudo-type"), so that only what fails for all values is reported.
bool Interpreter::NextElement(LoopState* state, Value* loop) {
  if (state->mode == LoopState::Mode::kFor && state->dry) {
    if (state->next++ > 0) return FinishLoop(state, loop);
    loop[1] = loop[2] = Value::Dynamic();
    return true;
  }
  if (state->next >= state->size) return FinishLoop(state, loop);
  const uint32_t at = state->next++;
  if (state->mode == LoopState::Mode::kSplatUnknown) {
    const Type type(state->type);
    loop[2] = Value::Unknown(type.kind() == TypeKind::kTuple ? type.element(at) : type.element());
  } else if (state->dry) {
    loop[2] = Value::Unknown(Type(state->type));
  } else {
    loop[2] = state->items[at];
    loop[1] = state->keys != nullptr ? state->keys[at] : Value::Int(at);
  }
  return true;
}

// The condition is not `true`, or the pass is dry. Marks of a condition go on the result as a whole even when it is
// false, since which elements are left tells something about the condition's value. An unknown condition makes the
// whole result unknown, because the number of its elements is: native-syntax.md, "For Expressions".
bool Interpreter::Filter(Value* loop) {
  LoopState* state = static_cast<LoopState*>(InternalState(loop[0]));
  BuilderState* builder = static_cast<BuilderState*>(InternalState(loop[3]));
  const Value& condition = Unmark(loop[4], &builder->marks);
  if (condition.is_error()) {
    builder->AddPoison(condition);
    return false;
  }
  if (state->unknown) builder->unknowable = true;
  if (condition.is_false()) return false;
  if (condition.is_null()) {
    builder->AddPoison(context_.Fail(span_role::kCondition, DiagnosticCode::kInvalidForCondition,
                                     "The value of the 'if' clause must not be null."));
    return false;
  }
  if (IsUnfit(condition, TypeKind::kBool) && context_.quiet()) {
    builder->AddPoison(context_.FailQuietly());
    return false;
  }
  Value result;
  ConversionError error = context_.NewError();
  if (!context_.ConvertScalar(condition, Type::Bool(), &result, &error)) {
    builder->AddPoison(context_.FailConversion(error, span_role::kCondition, DiagnosticCode::kInvalidForCondition, [&] {
      return absl::StrCat("The value of the 'if' clause is not suitable: ", error.ToString(), ".");
    }));
    return false;
  }
  if (state->dry) return false;  // the pass was for the errors above only
  if (result.is_unknown()) builder->unknowable = true;
  return result.is_true();
}

// A list's elements have one type, and where they are taken apart in the same way, so has what is made of them: the
// first one tells it. A splat in the splat is the exception, since of a null it makes an empty tuple. What then differs
// in type is a tuple by the specification, and an error of the reference, for which an element without a type has that
// of the others. By the specification such an element leaves open what the whole will be.
Value Interpreter::EndListSplat(TupleBuilder* builder, bool may_differ) {
  Heap* const heap = context_.heap;
  if (!may_differ) return Charge(builder->sequence->items()[0].weight() / 2) ? builder->FinishList(heap) : OutOfFuel();
  const auto items = absl::MakeSpan(builder->sequence->mutable_items(), builder->size);
  const bool by_spec = heap->dialect() == Dialect::kSpec;
  Value model(items[0].unmarked());
  bool is_open = false;
  bool differ = false;
  for (const Value& marked : items) {
    const Value item(marked.unmarked());
    if (!Charge(CostOf(item))) return OutOfFuel();
    is_open |= by_spec && !item.is_wholly_known() && TypeOf(item, heap->types()).has_dynamic();
    if (model.is_dynamic_value()) model = item;
    differ |= !item.is_dynamic_value() && !SameType(model, item);
  }
  if (is_open) {
    MarkSet marks = 0;
    for (const Value& item : items) UnmarkDeep(item, &marks, heap->arena());
    return Mark(Value::Dynamic(), marks, heap->arena());
  }
  if (differ && by_spec) return builder->FinishTuple(heap->arena());
  if (differ) {
    return context_.Fail(span_role::kWhole, DiagnosticCode::kMixedSplat,
                         "The inner splat gives an empty tuple for a null and a tuple of one element for other values, "
                         "and a list cannot hold both. A 'for' expression gives a tuple, which can.");
  }
  const Type type = TypeOf(model, heap->types());
  for (Value& item : items) {
    const bool takes_type = item.unmarked().is_dynamic_value() && !type.is_dynamic();
    if (takes_type) item = Mark(Value::Unknown(type), item.marks(), heap->arena());
  }
  return MakeList(type, items, heap->arena());
}

// Which result a splat has depends on what was iterated, as in the reference: a tuple for tuples and single values, a
// list for lists and sets. Elements of an unknown source only tell a type; its length is kept, which lets
// `length(unknown[*].a)` stay as exact as `length(unknown)`.
Value Interpreter::EndSplat(Value* loop, bool may_differ) {
  LoopState* state = static_cast<LoopState*>(InternalState(loop[0]));
  TupleBuilder* builder = static_cast<TupleBuilder*>(InternalState(loop[3]));
  if (builder->poison.is_error()) return builder->poison;
  Heap* heap = context_.heap;
  TypeTable* types = heap->types();
  absl::Span<const Value> items;
  if (builder->size > 0) items = absl::MakeConstSpan(builder->sequence->items(), builder->size);
  switch (state->mode) {
    case LoopState::Mode::kSplatDynamic:
      return Mark(Value::Dynamic(), builder->marks, heap->arena());
    case LoopState::Mode::kSplatList: {
      const Value list =
          state->dry ? MakeList(TypeOf(items[0], types), {}, heap->arena()) : EndListSplat(builder, may_differ);
      return Mark(list, builder->marks, heap->arena());
    }
    case LoopState::Mode::kSplatUnknown: {
      if (Type(state->type).kind() != TypeKind::kTuple) {
        const Type item = TypeOf(items[0], types);
        // It may turn out to be a tuple.
        if (may_differ && item.has_dynamic() && heap->dialect() == Dialect::kSpec) {
          return Mark(Value::Dynamic(), builder->marks, heap->arena());
        }
        Refinement refinement = *state->refinement;  // a list as long as the source, a set's elements being distinct
        refinement.type = types->List(item);
        refinement.not_null = true;
        return Mark(RefinedUnknown(refinement, heap->arena()), builder->marks, heap->arena());
      }
      std::vector<Type> elements;
      for (const Value& item : items) elements.push_back(TypeOf(item, types));
      return Mark(Value::Unknown(types->Tuple(elements)), builder->marks, heap->arena());
    }
    default:
      return builder->FinishTuple(heap->arena());
  }
}

// The error whose diagnostics begin first is the result's, so that whoever drops the result's diagnostics, as a
// conditional does, drops those of all elements.
Value Interpreter::MakeTupleOf(const Value* items, uint32_t count) {
  Value poison;
  for (uint32_t n = 0; n < count; ++n) {
    if (items[n].is_error()) poison = poison.is_error() ? Poison(poison, items[n]) : items[n];
  }
  if (poison.is_error()) return poison;
  return MakeTuple(absl::MakeConstSpan(items, count), context_.heap->arena());
}

Value Interpreter::MakeObjectOf(const Shape* shape, const Value* values) {
  Value poison;
  for (uint32_t n = 0; n < shape->size; ++n) {
    if (values[n].is_error()) poison = poison.is_error() ? Poison(poison, values[n]) : values[n];
  }
  if (poison.is_error()) return poison;
  return MakeObject(shape, absl::MakeConstSpan(values, shape->size), context_.heap->arena());
}

// native-syntax.md, "Collection Values" and "For Expressions": a key is converted to a string, and null is none. False
// is returned for a key that there is not: SkipIfFalse then skips the item, and PutItem ignores one that is no string.
// An unknown key makes the whole object unknown, since its attributes are its type.
Value Interpreter::CheckKey(ObjectBuilder* builder, const Value& marked_key) {
  const Value& key = Unmark(marked_key, &builder->marks);
  if (key.is_string()) return key;
  if (key.is_error()) {
    builder->AddPoison(key);
    return Value::Bool(false);
  }
  if (key.is_null()) {
    builder->AddPoison(context_.Fail(builder->repeated == RepeatedKey::kReplace ? span_role::kItem : span_role::kKey,
                                     DiagnosticCode::kNullKey, "A null value cannot be the key of an object."));
    return Value::Bool(false);
  }
  Value result;
  ConversionError error = context_.NewError();
  // As in the reference, the key of a `for` may be unknown whatever its type.
  if (key.is_unknown() && builder->repeated != RepeatedKey::kReplace) {
    builder->unknowable = true;
    return Value::Bool(false);
  }
  if (!context_.ConvertScalar(key, Type::String(), &result, &error)) {
    builder->AddPoison(context_.FailConversion(error, span_role::kKey, DiagnosticCode::kKeyType, [&] {
      return absl::StrCat("This value cannot be a key: ", error.ToString(), ".");
    }));
    return Value::Bool(false);
  }
  if (result.is_unknown()) {
    builder->unknowable = true;
    return Value::Bool(false);
  }
  return result;
}

// "It is an error if two input elements produce the same result": native-syntax.md, "For Expressions". The key is not
// shown when the builder has marks, since one of them may be the key's.
void Interpreter::PutItem(ObjectBuilder* builder, const Value& key, const Value& value) {
  if (value.is_error()) return builder->AddPoison(value);
  if (!key.is_string()) return;  // CheckKey has seen to it
  if (builder->Put(key, value, context_.heap->arena())) return;
  builder->AddPoison(context_.Fail(span_role::kKey, DiagnosticCode::kDuplicateKey, [&] {
    return builder->marks != 0
               ? "Two items have the same key, which is marked and not shown."
               : absl::StrCat(
                     "Two items have the key \"", Excerpt(key.AsString()),
                     "\". To collect all values of a key in a tuple, put an ellipsis (...) after the value of a "
                     "'for' expression.");
  }));
}

// Recursion follows the nesting of lists, which is bounded (Limits::max_nesting_depth). One that holds only scalars is
// taken at once.
bool Interpreter::ExtendFast(TupleBuilder* builder, const Value& list, uint16_t how) {
  Arena* const arena = context_.heap->arena();
  const bool is_list =
      list.is_tuple() || list.is_list() || ((how & kFlattenArgument) == kFlattenArgument && list.is_set());
  const bool is_there = !list.is_error() && TagOf(list) != Tag::kInternal;
  if (!is_there || !list.is_wholly_known() || list.has_marks()) return false;
  if (!is_list) {
    if (how != kFlatElement) return false;
    builder->Push(list, arena);
    return true;
  }
  const absl::Span<const Value> elements = list.elements();
  if (elements.empty()) return true;
  if (!context_.heap->CanAllocate(2 * elements.size() * sizeof(Value)) || !Charge(1 + elements.size() / 4)) {
    return false;
  }
  if ((how & kFlatArgument) == 0 || list.depth() == 1) {
    builder->Append(elements, arena);
    return true;
  }
  return std::all_of(elements.begin(), elements.end(),
                     [&](const Value& element) { return ExtendFast(builder, element, kFlatElement); });
}

}  // namespace hcl::internal
