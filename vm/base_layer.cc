// BaseData and BaseLayer. Tested by tests/base_layer_test.cc.
//
// What depends on a base alone is found in the code of the program, by chunk, and is made by an evaluator that has
// nothing but the base. Values are copied then, so that they belong to no evaluator.

#include "hclvm/vm/base_layer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/base_tables.h"
#include "hclvm/vm/call_site.h"
#include "hclvm/vm/chunk_walk.h"
#include "hclvm/vm/declared_variables.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/local_values.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::BaseTables;
using internal::ModuleNeed;
using internal::ModuleValidation;

struct BaseData::Impl {
  explicit Impl(const Limits& limits) : heap(nullptr, Dialect::kSpec, limits) {}

  Heap heap;
  Value variables;
};

namespace {

void Report(const BaseText& text, SourceRange range, DiagnosticCode code, std::string detail,
            Diagnostics* diagnostics) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = range;
  diagnostic.source = text.source.get();
  diagnostics->Add(std::move(diagnostic));
}

// One text, whose variables are added to `pairs`. False where it is not as it should be.
bool ReadText(const BaseText& text, JsonReader* reader, Heap* heap, std::vector<KeyValue>* pairs,
              Diagnostics* diagnostics) {
  const std::string_view json = text.source->text();
  if (json.size() > heap->limits().max_source_bytes) {
    Report(text, {0, 0}, DiagnosticCode::kSourceTooLarge,
           absl::StrCat("A text of data must not be longer than ", heap->limits().max_source_bytes,
                        " bytes (limit max_source_bytes)."),
           diagnostics);
    return false;
  }
  Value value;
  JsonError error;
  if (!reader->Read(json, heap, &value, &error)) {
    const auto at = static_cast<uint32_t>(std::min(error.offset, json.size()));
    Report(text, {at, at < json.size() ? at + 1 : at}, error.code, error.detail, diagnostics);
    return false;
  }
  if (!text.variable.empty()) {
    pairs->push_back({Value::String(internal::ToNfc(text.variable), heap->arena()), value});
    return true;
  }
  if (!value.is_object()) {
    Report(text, {0, json.empty() ? 0u : 1u}, DiagnosticCode::kInvalidScope,
           "The data must be a JSON object: variable name to value.", diagnostics);
    return false;
  }
  for (uint32_t n = 0; n < value.shape().size; ++n) pairs->push_back({value.shape().keys[n], value.values()[n]});
  return true;
}

}  // namespace

BaseData::BaseData(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
BaseData::~BaseData() = default;
const Value& BaseData::variables() const { return impl_->variables; }

std::shared_ptr<const BaseData> BaseData::Read(absl::Span<const BaseText> texts, const BaseOptions& options,
                                               Diagnostics* diagnostics) {
  return internal::WithMemoryOrNull(diagnostics, [&]() -> std::shared_ptr<const BaseData> {
    auto impl = std::make_unique<Impl>(options.limits);
    JsonReader reader;
    std::vector<KeyValue> pairs;
    internal::HashMap<std::string, const BaseText*> givers;
    bool done = true;
    for (const BaseText& text : texts) {
      const size_t first = pairs.size();
      done = ReadText(text, &reader, &impl->heap, &pairs, diagnostics) && done;
      for (size_t n = first; n < pairs.size(); ++n) {
        const std::string name(pairs[n].key.AsString());
        const auto [it, is_new] = givers.emplace(name, &text);
        if (is_new) continue;
        Report(text, {0, 0}, DiagnosticCode::kDataGivenTwice,
               absl::StrCat("The variable \"", internal::ToAbsl(internal::Excerpt(name)), "\" is given by ",
                            it->second->source->name(), " as well."),
               diagnostics);
        done = false;
      }
    }
    if (!done) return nullptr;
    impl->variables = MakeObject(pairs, impl->heap.arena());
    return std::shared_ptr<const BaseData>(new BaseData(std::move(impl)));
  });
}

namespace internal {

// Makes the tables of one layer.
class BaseMaker {
 public:
  BaseMaker(BaseTables* tables, const BaseOptions& options, Diagnostics* diagnostics)
      : tables_(tables), program_(TablesOf(*tables->program)), options_(options), diagnostics_(diagnostics) {}

  void FindVariables() {
    const absl::Span<const std::string_view> names = program_.variables();
    const Value& data = tables_->data->variables();
    tables_->variables.resize(names.size());
    for (uint32_t slot = 0; slot < names.size(); ++slot) {
      BaseTables::Variable& variable = tables_->variables[slot];
      const int64_t at = data.shape().Find(names[slot]);
      variable.is_given = at >= 0;
      if (at >= 0) variable.value = data.values()[static_cast<size_t>(at)];
      variable.is_replaceable = std::find(options_.replaceable.begin(), options_.replaceable.end(), names[slot]) !=
                                options_.replaceable.end();
    }
  }

  // What is given becomes what is declared, as far as any entry reads it. False where it does not fit.
  bool Convert() {
    tables_->slots.assign(program_.slot_names().size(), InternalValue(nullptr));
    tables_->declared =
        std::make_unique<DeclaredVariables>(program_, tables_->slots.data(), tables_->heap, &tables_->run_state);
    std::vector<ModuleNeed> given;
    for (const ModuleNeed& need : NeedsOfAll()) {
      if (!tables_->variables[need.slot].is_given) continue;
      tables_->declared->Give(need.slot, tables_->variables[need.slot].value);
      given.push_back(need);
    }
    const bool fits = tables_->declared->Convert(given, /*keeps_memory=*/false, /*lazy=*/nullptr, diagnostics_);
    for (const ModuleNeed& need : given) tables_->variables[need.slot].value = tables_->slots[need.slot];
    return fits;
  }

  // The validations that read nothing but the base. False where one does not hold.
  bool Validate(Evaluator* evaluator) {
    const ModuleTables& module = *program_.module();
    bool holds = true;
    for (uint32_t slot = 0; slot < tables_->variables.size(); ++slot) {
      BaseTables::Variable& variable = tables_->variables[slot];
      if (!variable.is_given) continue;
      const std::vector<ModuleValidation>& rules = module.variables[slot].validations;
      variable.is_valid = std::all_of(rules.begin(), rules.end(), [this](const ModuleValidation& rule) {
        return IsOfBase(rule.condition) && IsOfBase(rule.message);
      });
      if (!variable.is_valid) continue;
      for (const ModuleValidation& rule : rules) {
        if (!evaluator->Meets(module.variables[slot], rule)) holds = false;
      }
    }
    for (const Diagnostic& diagnostic : evaluator->evaluation_.diagnostics().kept()) diagnostics_->Add(diagnostic);
    return holds;
  }

  // In their order, in which they stand behind those that they read. A value that would be too large together with the
  // others is left to each evaluation.
  void MakeLocals(Evaluator* evaluator) {
    const std::vector<ModuleLocal>& locals = program_.module()->locals;
    tables_->locals.resize(locals.size());
    for (size_t n = 0; n < locals.size(); ++n) {
      if (!IsOfBase(locals[n].chunk)) continue;
      BaseTables::Local& local = tables_->locals[n];
      const Evaluation& evaluation = evaluator->RunChunk(locals[n].chunk);
      const std::vector<Diagnostic>& found = evaluation.diagnostics().kept();
      const bool is_refused = std::any_of(found.begin(), found.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.code == DiagnosticCode::kOutOfMemory;
      });
      if (is_refused) {
        // Memory that is missing now may be there later: requests make the local themselves.
      } else if (!evaluation.ok()) {
        local.failures = Failures::Keep(evaluation.diagnostics());
        local.state = BaseTables::State::kFailed;
      } else if (tables_->heap.CanAllocate(evaluation.marked_value().weight() * sizeof(Value))) {
        local.value = Clone(evaluation.marked_value(), tables_->heap.arena(), tables_->heap.types());
        local.state = BaseTables::State::kMade;
      }
      evaluator->locals_->Bind(n, local);
    }
  }

 private:
  // What any entry needs, or all that there is.
  std::vector<ModuleNeed> NeedsOfAll() const {
    const ModuleTables& module = *program_.module();
    if (!options_.check_all) return module.needs[program_.main_chunk()];
    std::vector<ModuleNeed> all;
    for (uint32_t slot = 0; slot < module.variables.size(); ++slot) all.push_back({slot, module.variables[slot].plan});
    return all;
  }
  // Whether the chunk reads no variables but those that the base alone gives, and calls nothing that gives another
  // answer each time.
  bool IsOfBase(uint32_t chunk) const {
    const std::vector<ModuleNeed>& needs = program_.module()->needs[chunk];
    const bool is_given = std::all_of(needs.begin(), needs.end(), [&](const ModuleNeed& need) {
      return tables_->variables[need.slot].is_given && !tables_->variables[need.slot].is_replaceable;
    });
    if (!is_given) return false;
    if (program_.is_pure()) return true;
    bool is_pure = true;
    ChunkWalk(program_).Go(
        chunk, [](const Path&) {}, [&](const CallSite& site) { is_pure = is_pure && site.function->pure; });
    return is_pure;
  }

  BaseTables* tables_;
  const ProgramTables& program_;
  const BaseOptions& options_;
  Diagnostics* diagnostics_;
};

}  // namespace internal

BaseLayer::BaseLayer(std::unique_ptr<const BaseTables> tables) : tables_(std::move(tables)) {}
BaseLayer::~BaseLayer() = default;
const Program& BaseLayer::program() const { return *tables_->program; }

void BaseLayer::AddNames(JsonProjection* needed) const {
  for (size_t slot = 0; slot < tables_->variables.size(); ++slot) {
    if (tables_->variables[slot].is_given) needed->Need(tables_->program->variables()[slot]);
  }
}

std::shared_ptr<const BaseLayer> BaseLayer::Make(std::shared_ptr<const Program> program,
                                                 std::shared_ptr<const BaseData> data, const BaseOptions& options,
                                                 Diagnostics* diagnostics) {
  HCL_DCHECK(program != nullptr && data != nullptr);
  return internal::WithMemoryOrNull(diagnostics, [&]() -> std::shared_ptr<const BaseLayer> {
    auto owned = std::make_unique<BaseTables>(program->dialect(), options.limits);
    BaseTables* const tables = owned.get();
    tables->program = program;
    tables->data = data;
    const bool is_module = internal::TablesOf(*program).module() != nullptr;
    internal::BaseMaker maker(tables, options, diagnostics);
    maker.FindVariables();
    if (is_module && !maker.Convert()) return nullptr;
    std::shared_ptr<const BaseLayer> layer(new BaseLayer(std::move(owned)));
    if (!is_module) return layer;
    Evaluator evaluator(program, options.limits);
    evaluator.BindBase(layer);
    if (!maker.Validate(&evaluator)) return nullptr;
    evaluator.BindBase(nullptr);
    evaluator.BindBase(layer);
    maker.MakeLocals(&evaluator);
    return layer;
  });
}

}  // namespace hcl
