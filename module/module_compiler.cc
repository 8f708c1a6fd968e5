// CompileModule. Tested by module/module_test.cc.
//
// Locals are compiled before what reads them, so that of each it is known whether it is constant and of what type it
// is. What each chunk may read is collected on the way: that is what an evaluator prepares before it runs the chunk.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/body_generator.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/module_names.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/local_order.h"
#include "hclvm/module/module.h"
#include "hclvm/module/variable_reader.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {
namespace {

class ModuleCompiler final : public BodyGenerator::Observer {
 public:
  ModuleCompiler(const Declarations& declared, const CompileOptions& options, ProgramBuilder* builder,
                 Diagnostics* diagnostics)
      : declared_(declared),
        options_(options),
        builder_(*builder),
        diagnostics_(*diagnostics),
        body_(options, builder, diagnostics) {}

  void Compile() {
    AddVariables();
    names_in_validations_.variables = names_.variables;
    names_in_validations_.allows_locals = false;
    AddLocals();
    AddValidations();
    Use(names_);
    body_.set_observer(this);
    body_.Generate(declared_.rest());
    FinishNeeds();
    AddTexts();
    builder_.SetModule(std::make_unique<const ModuleTables>(std::move(tables_)));
  }

  void BeginExpr(const Expr& expr) override { builder_.UseSource(declared_.SourceOf(expr)); }
  void BeginBlock(const Block& block) override { builder_.UseSource(declared_.SourceOf(block)); }
  void EndChunk(uint32_t chunk) override {
    Note(chunk);
    entries_.push_back(chunk);
  }

 private:
  void Use(const ModuleNames& names) {
    CodeGenerator::Scope scope;
    scope.functions = declared_.functions().get();
    scope.module = &names;
    body_.generator()->ExchangeScope(std::move(scope));
  }

  void AddVariables() {
    for (const DeclaredVariable& declared : declared_.variables()) {
      ModuleVariable variable;
      variable.name = declared.name;
      variable.description = declared.description;
      variable.type = builder_.heap()->types()->Import(declared.type);
      variable.defaults = declared.defaults;
      if (declared.default_value) {
        variable.default_value = Clone(*declared.default_value, builder_.heap()->arena(), builder_.heap()->types());
      }
      variable.nullable = declared.nullable;
      variable.sensitive = declared.sensitive;
      tables_.has_sensitive = tables_.has_sensitive || declared.sensitive;
      variable.range = declared.place.range;
      variable.source = declared.place.source;
      ModuleName name;
      name.slot = builder_.AddSlot(declared.name);
      name.type = variable.type;
      name.defaults = declared.defaults.get();
      name.never_null = !declared.nullable && !variable.type.is_dynamic();
      name.is_declared = true;
      names_.variables.emplace(declared.name, name);
      tables_.paths.push_back({name.slot});
      tables_.variables.push_back(std::move(variable));
    }
  }

  // One that is constant needs no slot.
  void AddLocals() {
    Use(names_);
    for (const size_t at : OrderLocals(declared_.locals(), options_.limits.max_nesting_depth, &diagnostics_)) {
      const DeclaredLocal& local = declared_.locals()[at];
      builder_.UseSource(local.place.source);
      const uint32_t chunk = body_.generator()->GenerateChunk(*local.value.expr);
      const BoundTree& tree = body_.generator()->tree();
      Note(chunk);
      ModuleName name;
      if (tree.root().is_constant()) {
        name.constant = As<BoundConstant>(tree.root()).value;
      } else {
        uint32_t level = 1;
        for (const uint32_t slot : reads_[chunk]) {
          if (slot >= tables_.variables.size()) level = std::max(level, 1 + LocalAt(slot).level);
        }
        name.slot = builder_.AddLocalSlot(absl::StrCat("local.", local.name));
        name.type = tree.root().type;
        name.never_null = tree.root().never_null;
        tables_.locals.push_back(
            {local.name, chunk, level, ReadsSensitive(chunk), local.place.range, local.place.source});
        tables_.max_level = std::max(tables_.max_level, level);
      }
      names_.locals.emplace(local.name, name);
    }
    // Those that cannot be made were reported.
    ModuleName unknown;
    unknown.constant = Value::Dynamic();
    for (const DeclaredLocal& local : declared_.locals()) names_.locals.try_emplace(local.name, unknown);
  }

  const ModuleLocal& LocalAt(uint32_t slot) const { return tables_.locals[slot - tables_.variables.size()]; }

  void AddValidations() {
    Use(names_in_validations_);
    for (size_t n = 0; n < declared_.variables().size(); ++n) {
      for (const DeclaredVariable::Validation& validation : declared_.variables()[n].validations) {
        const uint32_t condition = Generate(validation.condition);
        const uint32_t message = Generate(validation.message);
        const bool sensitive = ReadsSensitive(condition) || ReadsSensitive(message);
        tables_.variables[n].validations.push_back(
            {condition, message, validation.condition.expr->range, sensitive, validation.message.expr->range});
      }
    }
  }

  uint32_t Generate(const PlacedExpr& placed) {
    builder_.UseSource(placed.source);
    const uint32_t chunk = body_.generator()->GenerateChunk(*placed.expr);
    Note(chunk);
    return chunk;
  }

  // What fails in every run that comes by it, such as a call of a function that does not exist, is a mistake of the
  // module.
  void Note(uint32_t chunk) {
    if (reads_.size() <= chunk) reads_.resize(chunk + 1);
    const BoundTree& tree = body_.generator()->tree();
    for (const BoundPath* read : tree.path_reads()) reads_[chunk].insert(read->slot);
    for (const BoundExpr* node : tree.nodes()) {
      if (node->kind == BoundKind::kRaise) diagnostics_.Add(builder_.diagnostic(As<BoundRaise>(*node).diagnostic));
    }
  }

  bool ReadsSensitive(uint32_t chunk) const {
    return std::any_of(reads_[chunk].begin(), reads_[chunk].end(),
                       [this](uint32_t slot) { return tables_.IsSensitive(slot); });
  }

  // Locals stand behind those that they read, so that what these need is known; validations read variables only, but
  // may read some that have validations in turn.
  void FinishNeeds() {
    std::vector<std::set<uint32_t>> with_validations(tables_.variables.size());
    for (uint32_t n = 0; n < with_validations.size(); ++n) AddWithValidations(n, &with_validations[n]);
    std::vector<std::set<uint32_t>> of_locals;
    const auto needs_of = [&](const std::set<uint32_t>& reads) {
      std::set<uint32_t> needs;
      for (const uint32_t slot : reads) {
        const bool is_local = slot >= tables_.variables.size();
        const auto& more = is_local ? of_locals[slot - tables_.variables.size()] : with_validations[slot];
        needs.insert(more.begin(), more.end());
      }
      return needs;
    };
    for (const ModuleLocal& local : tables_.locals) of_locals.push_back(needs_of(reads_[local.chunk]));
    std::set<uint32_t> all;
    for (const std::set<uint32_t>& reads : reads_) {
      const std::set<uint32_t> needs = needs_of(reads);
      tables_.needs.emplace_back(needs.begin(), needs.end());
    }
    for (const uint32_t chunk : entries_) all.insert(tables_.needs[chunk].begin(), tables_.needs[chunk].end());
    tables_.needs.emplace_back(all.begin(), all.end());  // of the main chunk, which is the last
  }

  // What no run needs, and people want to know. After errors a function may be missing.
  void AddTexts() {
    for (const DeclaredLocal& local : declared_.locals()) {
      tables_.local_texts.push_back({local.name, local.value.expr->range, local.value.source});
    }
    for (const std::string& name : declared_.function_names()) {
      const Function* const declared = declared_.functions()->Find(name);
      if (declared == nullptr) continue;
      ModuleFunction& function = tables_.functions.emplace_back();
      function.name = name;
      for (const Parameter& parameter : declared->parameters) function.parameters.push_back(parameter.name);
      if (declared->variadic) function.variadic = declared->variadic->name;
    }
  }

  void AddWithValidations(uint32_t slot, std::set<uint32_t>* needs) {
    std::vector<uint32_t> waiting = {slot};
    while (!waiting.empty()) {
      const uint32_t next = waiting.back();
      waiting.pop_back();
      if (!needs->insert(next).second) continue;
      for (const ModuleValidation& validation : tables_.variables[next].validations) {
        for (const uint32_t chunk : {validation.condition, validation.message}) {
          waiting.insert(waiting.end(), reads_[chunk].begin(), reads_[chunk].end());
        }
      }
    }
  }

  const Declarations& declared_;
  const CompileOptions& options_;
  ProgramBuilder& builder_;
  Diagnostics& diagnostics_;
  BodyGenerator body_;
  ModuleNames names_;
  ModuleNames names_in_validations_;
  ModuleTables tables_;
  std::vector<std::set<uint32_t>> reads_;  // slots, by chunk
  std::vector<uint32_t> entries_;          // chunks
};

}  // namespace
}  // namespace internal

std::shared_ptr<const Program> CompileModule(absl::Span<const ModuleFile> files, const CompileOptions& options,
                                             Diagnostics* diagnostics) {
  return internal::WithMemoryOrNull(diagnostics, [&]() -> std::shared_ptr<const Program> {
    internal::Declarations declared;
    if (!declared.Read(files, options, diagnostics)) return nullptr;
    CompileOptions with_functions = options;
    with_functions.functions = declared.functions();
    auto source = files.empty() ? std::make_shared<const Source>("<module>", "") : files[0].source;
    internal::ProgramBuilder builder(source, with_functions.functions, options.dialect, options.limits);
    for (const ModuleFile& file : files) builder.Keep(file.source);
    builder.Keep(declared.heap());
    // What is of the program's own source names none.
    Diagnostics found(options.limits.max_diagnostics);
    internal::ModuleCompiler(declared, with_functions, &builder, &found).Compile();
    std::shared_ptr<const Program> program;
    if (!diagnostics->has_errors() && !found.has_errors()) program = std::move(builder).FinishVerified(&found);
    internal::AddAll(found, source.get(), diagnostics);
    return program;
  });
}

}  // namespace hcl
