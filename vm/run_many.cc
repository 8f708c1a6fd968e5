// Evaluator::RunMany. A row of a struct is read field by field into the slots of the evaluator, one virtual call for
// all of them: no object is made of it. Objects around fields stay where they are for all rows, so that a path to a
// field needs no search. What has to be made (normalized texts, collections) stands in a heap of its
// own, since a run that fails is done twice over the same slots, and begins with an empty heap each time.
//
// Tested by tests/run_many_test.cc.

#include "hclvm/vm/run_many.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/declared_variables.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/kept_run.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/row_memory.h"
#include "hclvm/vm/run_parts.h"
#include "hclvm/vm/scope_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

namespace {

// Whether the value is all in its 16 bytes.
bool IsInline(const Value& value) {
  const internal::Tag tag = internal::TagOf(value);
  return (tag >= internal::Tag::kFalse && tag <= internal::Tag::kNumber) || tag == internal::Tag::kShortString;
}

// Copies a value that was stored just now, in two parts: a load of both at once would wait until they are in the cache,
// for a seventh of the time of a short program. What is volatile is not loaded at once.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void CopyInParts(const Value& value, Value* to) {
  using Part __attribute__((__may_alias__)) = uint64_t;
  static_assert(sizeof(Value) == 2 * sizeof(Part));
  const volatile Part* const from = reinterpret_cast<const volatile Part*>(&value);
  reinterpret_cast<Part*>(to)[0] = from[0];
  reinterpret_cast<Part*>(to)[1] = from[1];
}

// A program reads `path`, of whose variable a field gives values of `type`. The step that such values do not have; null
// where there is none, or nobody knows.
const PathStep* FindMissing(const Program& program, const Path& path, Type type) {
  for (const PathStep& step : program.steps(path)) {
    switch (type.kind()) {
      case TypeKind::kDynamic:
        return nullptr;
      case TypeKind::kObject: {
        const int64_t at = step.key.is_string() ? type.shape().Find(step.key) : -1;
        if (at < 0) return &step;
        type = type.element(static_cast<size_t>(at));
        break;
      }
      case TypeKind::kMap:
        type = type.element();
        break;
      case TypeKind::kList:
        if (step.is_attribute) return &step;
        type = type.element();
        break;
      default:
        return &step;
    }
  }
  return nullptr;
}

}  // namespace

namespace internal {

namespace {

bool IsUsedWhole(const Program& program, uint32_t slot) {
  const absl::Span<const Path> paths = program.paths();
  return std::any_of(paths.begin(), paths.end(),
                     [slot](const Path& path) { return path.slot == slot && path.step_count == 0; });
}

absl::Status FieldError(std::string_view name, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat("field \"", ToAbsl(Excerpt(name)), "\": ", why));
}

}  // namespace

// The slot of a variable that no field is so far.
absl::StatusOr<uint32_t> RowReader::AddVariable(std::string_view name) {
  const absl::Span<const std::string_view> names = program_->variables();
  const std::optional<uint32_t> slot = program_->FindSlot(name);
  if (!slot) {
    const std::string_view nearest = NearestName(name, {names.begin(), names.end()});
    return FieldError(
        name, absl::StrCat("the program reads no variable of that name", nearest.empty() ? "" : ". Did you mean \"",
                           ToAbsl(Excerpt(nearest)), nearest.empty() ? "" : "\"?"));
  }
  if (std::find(slots_.begin(), slots_.end(), *slot) != slots_.end()) {
    return FieldError(name, "another field is that variable, or a part of it");
  }
  slots_.push_back(*slot);
  return *slot;
}

absl::Status RowReader::CheckType(uint32_t slot, std::string_view name, Type type) const {
  if (const ModuleTables* const module = TablesOf(*program_).module()) {
    const Type declared = module->variables[slot].type;
    if (IsConvertible(type, declared, /*unsafe=*/true, program_->dialect())) return absl::OkStatus();
    return FieldError(name, absl::StrCat("the module declares it as ", ToTypeSyntax(declared), ", and the field is ",
                                         ToTypeSyntax(type)));
  }
  for (const Path& path : program_->paths()) {
    if (path.slot != slot) continue;
    const PathStep* const missing = FindMissing(*program_, path, type);
    if (missing == nullptr) continue;
    std::string step;
    AppendStepText(missing->key, missing->is_attribute, &step);
    return FieldError(name, absl::StrCat("the program reads ", step, " of it, which the field, ", ToTypeSyntax(type),
                                         ", does not have"));
  }
  return absl::OkStatus();
}

// Objects have the attributes that fields name, so that their shapes are known when all fields are.
absl::Status RowReader::Resolve(absl::Span<const NamedType> fields, TypeTable* types) {
  std::vector<std::string_view> objects;
  std::vector<std::vector<size_t>> parts;  // by object: fields
  places_.resize(fields.size());
  for (size_t n = 0; n < fields.size(); ++n) {
    const std::string_view name = fields[n].name;
    const size_t dot = name.find('.');
    if (dot == std::string_view::npos) {
      const absl::StatusOr<uint32_t> slot = AddVariable(name);
      if (!slot.ok()) return slot.status();
      places_[n].slot = *slot;
      if (absl::Status status = CheckType(*slot, name, fields[n].type); !status.ok()) return status;
      continue;
    }
    if (name.find('.', dot + 1) != std::string_view::npos) return FieldError(name, "a name has one dot at most");
    const std::string_view object = name.substr(0, dot);
    const auto found = std::find(objects.begin(), objects.end(), object);
    places_[n].object = static_cast<uint32_t>(found - objects.begin());
    if (found == objects.end()) {
      const absl::StatusOr<uint32_t> slot = AddVariable(object);
      if (!slot.ok()) return slot.status();
      objects.push_back(object);
      objects_.push_back({*slot, nullptr, IsUsedWhole(*program_, *slot)});
      parts.emplace_back();
    }
    parts[places_[n].object].push_back(n);
    Object& around = objects_[places_[n].object];
    around.is_used_whole = around.is_used_whole || !fields[n].type.is_primitive();
  }
  for (size_t n = 0; n < objects.size(); ++n) {
    std::vector<Value> keys;
    for (const size_t field : parts[n]) {
      keys.push_back(Value::String(fields[field].name.substr(objects[n].size() + 1), &arena_));
    }
    std::vector<uint32_t> positions(keys.size());
    objects_[n].shape = MakeShape(keys, absl::MakeSpan(positions), &arena_);
    std::vector<Type> elements(keys.size());
    for (size_t part = 0; part < keys.size(); ++part) {
      places_[parts[n][part]].position = positions[part];
      elements[positions[part]] = fields[parts[n][part]].type;
    }
    if (objects_[n].shape->size != keys.size()) return FieldError(objects[n], "two of its attributes have one name");
    const Type type = types->Object(*objects_[n].shape, elements);
    if (absl::Status status = CheckType(objects_[n].slot, objects[n], type); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Objects stay where they are for all rows, and only their values change. An object of scalars of which the program
// reads nothing but attributes need not know its size.
RowTargets RowReader::Prepare(Value* values, Arena* arena) const {
  RowTargets targets;
  for (const Object& object : objects_) {
    Mapping* const mapping = NewMapping(object.shape, Type(), /*is_object=*/true, arena);
    std::fill_n(mapping->mutable_items(), object.shape->size, Value());
    Finish(mapping);
    targets.objects.push_back({object.slot, mapping, object.is_used_whole});
  }
  for (const Place& place : places_) {
    targets.fields.push_back(place.object == kNone
                                 ? values + place.slot
                                 : targets.objects[place.object].mapping->mutable_items() + place.position);
  }
  return targets;
}

}  // namespace internal

// RunResults.

namespace {

const Diagnostics& NoDiagnostics() {
  static const Diagnostics& none = *new Diagnostics();
  return none;
}

}  // namespace

const RunResults::Note* RunResults::Find(size_t row) const {
  HCL_DCHECK(row < size());
  const auto found =
      std::lower_bound(notes_.begin(), notes_.end(), row, [](const Note& note, size_t at) { return note.row < at; });
  return found == notes_.end() || found->row != row ? nullptr : &*found;
}

const Diagnostics& RunResults::diagnostics(size_t row) const {
  const Note* const note = Find(row);
  return note == nullptr ? NoDiagnostics() : note->diagnostics;
}

const Diagnostics& RunResults::warnings(size_t row) const {
  const Note* const note = Find(row);
  return note == nullptr ? NoDiagnostics() : note->warnings;
}

// Values of the call before stay until others take their places.
void RunResults::Begin(size_t rows) {
  notes_.clear();
  failed_ = 0;
  heap_.Reset();
  values_.resize(rows);
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void RunResults::Set(size_t row, const Evaluation& evaluation, bool may_have_more) {
  if (ABSL_PREDICT_FALSE(may_have_more)) {
    AddNote(row, evaluation);
    if (!evaluation.ok()) return;
  }
  HCL_DCHECK(evaluation.ok());
  const Value& value = evaluation.value();
  if (ABSL_PREDICT_FALSE(!IsInline(value))) {
    values_[row] = Clone(value, heap_.arena(), heap_.types());
  } else {
    CopyInParts(value, &values_[row]);
  }
}

ABSL_ATTRIBUTE_NOINLINE void RunResults::AddNote(size_t row, const Evaluation& evaluation) {
  if (!notes_.empty() && notes_.back().row == row) notes_.pop_back();  // memory was refused behind it
  const bool is_marked = evaluation.ok() && &evaluation.marked_value() != &evaluation.value();
  if (evaluation.ok() && evaluation.warnings().empty() && !is_marked) return;
  const Value marked = is_marked ? Clone(evaluation.marked_value(), heap_.arena(), heap_.types()) : Value();
  notes_.push_back({row, evaluation.diagnostics(), evaluation.warnings(), is_marked, marked});
  if (evaluation.ok()) return;
  ++failed_;
  values_[row] = Value();
}

// Evaluator.

// As BindAll() for each, but variables are looked for once for scopes of one shape, and their names are made keys once.
// All scopes live during the call, so that one address is one shape.
void Evaluator::RunMany(absl::Span<const Value> scopes, RunResults* results, const Entry* entry) {
  constexpr uint32_t kNowhere = UINT32_MAX;
  const absl::Span<const std::string_view> names = program_->variables();
  absl::InlinedVector<Value, 8> keys;
  for (const std::string_view name : names) keys.push_back(Value::StringView(name));
  absl::InlinedVector<uint32_t, 8> places(names.size());
  const Shape* shape = nullptr;  // that the places are of
  const auto find = [&](const Shape& own) {
    size_t given = 0;
    for (size_t slot = 0; slot < names.size(); ++slot) {
      const int64_t at = own.Find(keys[slot]);
      given += at < 0 ? 0 : 1;
      places[slot] = at < 0 ? kNowhere : static_cast<uint32_t>(at);
    }
    interpreter_->set_scope(&own);
    if (declared_ != nullptr) declared_->set_scope(given < own.size ? &own : nullptr, given == 0);
    shape = &own;
  };
  const uint32_t chunk = entry == nullptr ? program_->main_chunk() : entry->chunk;
  results->Begin(scopes.size());
  for (size_t row = 0; row < scopes.size(); ++row) {
    const Value& scope = scopes[row];
    if (ABSL_PREDICT_FALSE(&scope.shape() != shape)) find(scope.shape());
    const Value* const values = scope.values().data();
    for (uint32_t slot = 0; slot < places.size(); ++slot) {
      const uint32_t at = places[slot];
      Bind(slot, at == kNowhere ? internal::InternalValue(nullptr) : values[at]);
    }
    RunChunk(chunk);
    results->Set(row, evaluation_, state_.is_touched);
  }
  UnbindAll();
}

void Evaluator::ReportRow(size_t row, const absl::Status& status) {
  state_.is_touched = true;
  evaluation_.value_ = Value();
  evaluation_.diagnostics_.Clear();
  Diagnostic diagnostic(DiagnosticCode::kInvalidScope);
  diagnostic.is_limit = absl::IsResourceExhausted(status);
  diagnostic.detail = absl::StrCat("Row ", row, ", field ", status.message(), ".");
  evaluation_.diagnostics_.Add(std::move(diagnostic));
}

// The end is RunChunk() where that has nothing to do but to run, without the call.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void Evaluator::RunRow(const ScopeRows& rows, size_t row,
                                                           const internal::Instruction* code,
                                                           internal::RowMemory* memory) {
  const internal::RowReader& reader = memory->layout.reader();
  if (ABSL_PREDICT_FALSE(!reader.Read(rows.row(row), &memory->maker, memory->targets.fields.data()))) {
    ReportRow(row, memory->maker.status());
    return memory->maker.Forget();
  }
  for (internal::Mapping* const object : memory->whole) internal::Finish(object);
  if (ABSL_PREDICT_FALSE(state_.any())) return RunRowWithCare(*memory);
  RunUntouched(code);
}

void Evaluator::RunRowWithCare(const internal::RowMemory& memory) {
  if (!state_.is_layered) return RunWithCare();
  for (const uint32_t slot : memory.layout.reader().slots()) Bind(slot, memory.values[slot]);
  RunChunk(last_chunk_);
}

// The memory is that of the calls before, where the layout is the same: rows often come a few at a time.
internal::RowMemory* Evaluator::PrepareRows(const ScopeRows& rows) {
  const bool is_known = rows_ != nullptr && &rows_->layout.reader() == &rows.layout().reader() &&
                        rows_->values.empty() != state_.is_layered;
  if (!is_known) {
    rows_ = std::make_unique<internal::RowMemory>(rows.layout(), state_.is_layered ? nullptr : slots_,
                                                  program_->variables().size(), heap_.dialect(), heap_.limits());
  }
  rows_->heap.set_interrupt(heap_.limits().interrupt);
  Value* const values = state_.is_layered ? rows_->values.data() : slots_;
  for (const internal::RowTargets::Object& object : rows_->targets.objects) {
    values[object.slot] = internal::MappingValue(internal::Tag::kObject, object.mapping);
  }
  return rows_.get();
}

void Evaluator::RunMany(const ScopeRows& rows, RunResults* results, const Entry* entry) {
  HCL_DCHECK(rows.layout().reader().program() == program_);
  last_chunk_ = entry == nullptr ? program_->main_chunk() : entry->chunk;
  interpreter_->set_scope(nullptr);  // whatever object was bound before need not live any more
  if (declared_ != nullptr) declared_->set_scope(nullptr, /*gives_none=*/false);
  results->Begin(rows.size());
  internal::RowMemory* const memory = PrepareRows(rows);
  const internal::Instruction* const code = interpreter_->BeginOf(last_chunk_);
  const internal::PathsOfRows paths(interpreter_.get(), memory);
  size_t row = 0;
  const auto run = [&] {
    for (; row < rows.size(); ++row) {
      RunRow(rows, row, code, memory);
      results->Set(row, evaluation_, state_.is_touched);
    }
  };
  // A row for which the system refuses memory is one that fails.
  const auto skip = [&] {
    GiveUp();
    memory->maker.Forget();
    memory->heap.Release();
    results->AddNote(row, evaluation_);
    ++row;
  };
  while (row < rows.size()) internal::WithMemory(run, skip);
  for (const uint32_t slot : rows.layout().reader().slots()) {
    Bind(slot, internal::InternalValue(nullptr));
  }
  last_chunk_ = kNoChunk;
}

}  // namespace hcl
