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

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/body_generator.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/module_names.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/declarations.h"
#include "hclvm/module/dependency_order.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/function_checker.h"
#include "hclvm/module/meant_names.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_reads.h"
#include "hclvm/module/name_types.h"
#include "hclvm/module/reach_checker.h"
#include "hclvm/module/sensitive_flow.h"
#include "hclvm/module/sibling_checker.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/table_checker.h"
#include "hclvm/module/text_reads.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/module/type_observer.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/module/used_names.h"
#include "hclvm/module/variable_reader.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/binding_plan.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {
namespace {

// What is told besides errors; null where nobody asks for it.
struct Findings {
  Diagnostics* warnings = nullptr;  // what may fail
  std::vector<TypedName>* names = nullptr;
  bool needs_program = true;
  TypeObserver* observer = nullptr;
};

class ModuleCompiler final : public BodyGenerator::Observer {
 public:
  // `is_open`: names need not be declared.
  ModuleCompiler(const Declarations& declared, const CompileOptions& options, bool is_open, ProgramBuilder* builder,
                 Diagnostics* diagnostics, const Findings& findings)
      : declared_(declared),
        options_(options),
        is_open_(is_open),
        builder_(*builder),
        diagnostics_(*diagnostics),
        warnings_(findings.warnings),
        typed_names_(findings.names),
        needs_program_(findings.needs_program),
        body_(options, builder, diagnostics),
        checked_(options.limits.max_diagnostics),
        // Where names are open, so are their types, and all might fail.
        checker_(&types_, options.dialect, &checked_, is_open || warnings_ == nullptr ? nullptr : &fresh_),
        functions_(options, &types_),
        texts_(options.functions.get()) {
    checker_.set_functions(&functions_);
    checker_.set_observer(findings.observer);
  }

  void Compile() {
    AddVariables();
    CheckFunctions();
    names_in_validations_.variables = names_.variables;
    names_in_validations_.allows_locals = false;
    AddValidations();  // which say of variables what locals and entries can rely on
    AddLocals();
    Use(names_);
    body_.set_observer(this);
    needs_program_ ? body_.Generate(declared_.rest())
                   : body_.BindEntries(declared_.rest(), /*names_entries=*/typed_names_ != nullptr);
    if (warnings_ != nullptr) {
      siblings_.Finish([this](Diagnostic found) {
        fresh_.Add(std::move(found));
        TakeWarnings();
      });
      // What is in error may read what nothing else does: a name that is misspelled, an argument of no function.
      if (!diagnostics_.has_errors()) used_.WarnOfOthers(declared_, &fresh_);
      TakeWarnings();
    }
    AddAll(checked_, /*source=*/nullptr, &diagnostics_);
    if (typed_names_ != nullptr) *typed_names_ = name_types_.List(declared_, builder_.entries(), &types_);
    if (is_open_) return;
    reads_.Finish(&texts_, builder_.heap(), &tables_, &diagnostics_);
    tables_.read_paths = std::move(*texts_.paths());
    AddTexts();
    builder_.SetModule(std::make_unique<const ModuleTables>(std::move(tables_)));
  }

  void BeginBody(const Body& body) override { siblings_.BeginBody(body); }
  void BeginExpr(const Expr& expr) override { builder_.UseSource(declared_.SourceOf(expr)); }
  void BeginBlock(const Block& block) override { builder_.UseSource(declared_.SourceOf(block)); }
  void EndChunk(const Expr& expr, uint32_t chunk) override {
    const Source* const source = declared_.SourceOf(expr);
    const StaticType* const type = Note(chunk, expr, source, TextOf(expr));
    if (typed_names_ != nullptr) name_types_.AddChunk(chunk, type, source);
    if (!is_open_) reads_.AddEntry(chunk);
    if (!is_open_ && warnings_ != nullptr) CheckSensitive(source);
    if (warnings_ != nullptr && is_open_) siblings_.Note(expr, body_.generator()->tree(), source);
  }

 private:
  void Use(const ModuleNames& names) {
    CodeGenerator::Scope scope;
    scope.functions = declared_.functions().get();
    if (!is_open_) scope.module = &names;
    body_.generator()->ExchangeScope(std::move(scope));
  }

  void AddVariables() {
    for (const DeclaredVariable& declared : declared_.variables()) {
      ModuleVariable variable;
      variable.name = declared.name;
      variable.description = declared.description;
      variable.type = builder_.heap()->types()->Import(declared.type);
      variable.defaults = declared.defaults;
      variable.plan = std::make_shared<const BindingPlan>(variable.type, declared.defaults.get(), builder_.heap());
      if (declared.default_value) {
        variable.default_value = Clone(*declared.default_value, builder_.heap()->arena(), builder_.heap()->types());
      }
      variable.nullable = declared.nullable;
      variable.sensitive = declared.sensitive;
      variable.ephemeral = declared.ephemeral;
      variable.deprecated = declared.deprecated;
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
      if (declared.sensitive) sensitive_.Declare(name.slot);
      checker_.Declare(name.slot,
                       {types_.FromType(variable.type, variable.defaults.get(), variable.nullable), declared.place});
      texts_.AddVariable(declared.name, variable.type);
      tables_.paths.push_back({name.slot});
      tables_.variables.push_back(std::move(variable));
    }
  }

  // One that is constant and small needs no slot.
  void AddLocals() {
    Use(names_);
    HashMap<std::string, uint32_t> reads = CountReads(declared_.locals(), declared_.rest());
    for (const size_t at : OrderLocals(declared_.locals(), options_.limits.max_nesting_depth, &diagnostics_)) {
      const DeclaredLocal& local = declared_.locals()[at];
      builder_.UseSource(local.place.source);
      const uint32_t chunk = body_.generator()->GenerateLocal(*local.value.expr);
      const BoundTree& tree = body_.generator()->tree();
      TextReads::Set text = is_open_ ? TextReads::Set() : texts_.AddLocal(local.name, *local.value.expr);
      const StaticType* const type = Note(chunk, *local.value.expr, local.place.source, std::move(text));
      ModuleName name;
      if (tree.root().is_constant()) name.constant = As<BoundConstant>(tree.root()).value;
      name.has_slot = options_.record || !name.constant || name.constant->weight() > kMaxWithoutSlot;
      if (name.has_slot) {
        uint32_t level = 1;
        for (const uint32_t slot : reads_.Of(chunk)) {
          if (slot >= tables_.variables.size()) level = std::max(level, 1 + LocalAt(slot).level);
        }
        name.slot = builder_.AddLocalSlot(absl::StrCat("local.", local.name));
        name.named = body_.generator()->NameLocal(reads[local.name] == 1);
        // What may fail tells no type (PathBinder::SetModuleFacts).
        name.never_null = IsSure(tree.root());
        if (name.never_null) name.type = tree.root().type;
        name.sure_bool = tree.root().sure_bool;
        tables_.locals.push_back(
            {local.name, chunk, level, ReadsSensitive(chunk), local.place.range, local.place.source});
        tables_.max_level = std::max(tables_.max_level, level);
        checker_.Declare(name.slot, {type, Place(), checker_.MayFail(), checker_.MayBeEmpty(*type), local.value.expr});
        sensitive_.AddLocal(name.slot, tree);
      }
      name_types_.AddLocal(local.name, type);
      names_.locals.emplace(local.name, name);
    }
    // Those that cannot be made were reported.
    ModuleName unknown;
    unknown.constant = Value::Dynamic();
    unknown.has_slot = false;
    for (const DeclaredLocal& local : declared_.locals()) names_.locals.try_emplace(local.name, unknown);
  }

  const ModuleLocal& LocalAt(uint32_t slot) const { return tables_.locals[slot - tables_.variables.size()]; }

  void AddValidations() {
    Use(names_in_validations_);
    for (size_t n = 0; n < declared_.variables().size(); ++n) {
      for (const DeclaredVariable::Validation& validation : declared_.variables()[n].validations) {
        const uint32_t condition = Generate(validation.condition, /*validated=*/static_cast<uint32_t>(n));
        const uint32_t message = Generate(validation.message);
        const bool sensitive = ReadsSensitive(message);
        tables_.variables[n].validations.push_back(
            {condition, message, validation.condition.expr->range, sensitive, validation.message.expr->range});
      }
    }
  }

  // `validated`: it is the condition of a validation of that variable.
  uint32_t Generate(const PlacedExpr& placed, std::optional<uint32_t> validated = std::nullopt) {
    builder_.UseSource(placed.source);
    const uint32_t chunk = body_.generator()->GenerateChunk(*placed.expr);
    const StaticType* const type = Note(chunk, *placed.expr, placed.source, TextOf(*placed.expr));
    if (validated) checker_.CheckValidation(*validated, type);
    return chunk;
  }

  TextReads::Set TextOf(const Expr& expr) { return is_open_ ? TextReads::Set() : texts_.Of(expr); }

  // What fails in every run that comes by it, such as a call of a function that does not exist, is a mistake of the
  // module.
  const StaticType* Note(uint32_t chunk, const Expr& expr, const Source* source, TextReads::Set text) {
    const BoundTree& tree = body_.generator()->tree();
    const bool may_raise = tree.may_raise();
    for (const BoundExpr* node : may_raise ? tree.nodes() : absl::Span<BoundExpr* const>()) {
      if (node->kind == BoundKind::kRaise) diagnostics_.Add(builder_.diagnostic(As<BoundRaise>(*node).diagnostic));
    }
    if (warnings_ != nullptr) CheckForm(expr, source, options_.functions.get());
    if (!is_open_) reads_.Note(chunk, tree, std::move(text));
    if (!is_open_ && warnings_ != nullptr) used_.Note(expr, *source, tree);
    const StaticType* const type = checker_.Check(tree, source);
    TakeWarnings();
    return type;
  }

  // The attribute whose tree is at hand.
  void CheckSensitive(const Source* source) {
    const BoundPath* const held = sensitive_.Find(body_.generator()->tree());
    if (held == nullptr) return;
    Diagnostic diagnostic(DiagnosticCode::kHoldsSensitive);
    diagnostic.detail =
        absl::StrCat("The value of this attribute holds ", ToAbsl(held->name),
                     ", which is declared sensitive or made of what is. Who asks for the attribute "
                     "gets it, and logs and outputs hide it. Leave it out, or say that it may be shown: "
                     "nonsensitive(...).");
    diagnostic.subject = held->range;
    diagnostic.source = source;
    fresh_.Add(std::move(diagnostic));
    TakeWarnings();
  }

  void CheckForm(const Expr& expr, const Source* source, const FunctionRegistry* functions) {
    CheckReach(expr, source, functions, &fresh_);
    CheckTables(expr, source, functions, &fresh_);
  }

  // Those that comments keep back must not count as left out, so that each is looked at before there are too many.
  void TakeWarnings() {
    if (fresh_.kept().empty()) return;
    filter_.Move(&fresh_, warnings_);
  }

  // What a function gives has no chunk here. Those that call others come behind them.
  void CheckFunctions() {
    for (const size_t n : declared_.function_order()) {
      const PlacedExpr& result = declared_.function_results()[n];
      const std::string& name = declared_.defined_functions()[n].first;
      const Function* const function = declared_.functions()->Find(name);
      texts_.AddFunction(*function, *result.expr);
      body_.generator()->NameFunction(function, declared_.functions().get(), result.expr);
      // Who asks what was covered finds functions by their call sites, and one that nothing calls is not covered.
      if (options_.record) builder_.AddSite(function, /*prepared=*/nullptr, /*arguments=*/0, /*expand_last=*/false);
      const StaticType* const type = functions_.Add(function, result, &diagnostics_);
      name_types_.AddFunction(name, type);
      if (warnings_ == nullptr) continue;
      used_.NoteCalls(*result.expr);
      CheckForm(*result.expr, result.source, options_.functions.get());
      TakeWarnings();
    }
  }

  bool ReadsSensitive(uint32_t chunk) const {
    const std::set<uint32_t>& reads = reads_.Of(chunk);
    return std::any_of(reads.begin(), reads.end(), [this](uint32_t slot) { return tables_.IsSensitive(slot); });
  }

  // What no run needs, and people want to know. After errors a function may be missing.
  void AddTexts() {
    for (const DeclaredLocal& local : declared_.locals()) {
      tables_.local_texts.push_back({local.name, local.value.expr->range, local.value.source});
    }
    for (const auto& [name, place] : declared_.defined_functions()) {
      const Function* const declared = declared_.functions()->Find(name);
      if (declared == nullptr) continue;
      ModuleFunction& function = tables_.functions.emplace_back();
      function.name = name;
      for (const Parameter& parameter : declared->parameters) function.parameters.push_back(parameter.name);
      if (declared->variadic) function.variadic = declared->variadic->name;
    }
  }

  // Warnings of one expression that are looked at one by one.
  static constexpr uint32_t kMaxFresh = 10'000;
  // Weight of a constant that any number of names may repeat: little beside the names.
  static constexpr uint64_t kMaxWithoutSlot = 64;

  const Declarations& declared_;
  const CompileOptions& options_;
  const bool is_open_;
  ProgramBuilder& builder_;
  Diagnostics& diagnostics_;
  Diagnostics* warnings_;
  std::vector<TypedName>* typed_names_;
  const bool needs_program_;
  BodyGenerator body_;
  StaticTypes types_;
  Diagnostics checked_;           // errors
  Diagnostics fresh_{kMaxFresh};  // warnings of the expression at hand
  WarningFilter filter_;
  TypeChecker checker_;
  FunctionChecker functions_;
  ModuleNames names_;
  ModuleNames names_in_validations_;
  ModuleTables tables_;
  TextReads texts_;
  ModuleReads reads_;
  UsedNames used_;
  SiblingChecker siblings_;
  SensitiveFlow sensitive_;
  NameTypes name_types_;
};

std::shared_ptr<const Program> Compile(absl::Span<const ModuleFile> files, absl::Span<const ModuleFile> plain,
                                       const CompileOptions& options, Diagnostics* diagnostics,
                                       const Findings& findings) {
  return WithMemoryOrNull(diagnostics, [&]() -> std::shared_ptr<const Program> {
    Declarations declared;
    if (!declared.Read(files, options, diagnostics)) return nullptr;
    if (!plain.empty() && !declared.ReadPlain(plain, options, diagnostics)) return nullptr;
    CompileOptions with_functions = options;
    with_functions.functions = declared.functions();
    with_functions.fast_code = options.fast_code && findings.needs_program;
    const auto source = !files.empty()   ? files[0].source
                        : !plain.empty() ? plain[0].source
                                         : std::make_shared<const Source>("<module>", "");
    ProgramBuilder builder(source, with_functions.functions, options.dialect, options.limits);
    if (findings.needs_program) {
      for (const ModuleFile& file : files) builder.Keep(file.source);
      for (const ModuleFile& file : plain) builder.Keep(file.source);
      builder.Keep(declared.heap());
    }
    // What is of the program's own source names none.
    Diagnostics found(options.limits.max_diagnostics);
    const bool is_open = files.empty() && !plain.empty();
    ModuleCompiler(declared, with_functions, is_open, &builder, &found, findings).Compile();
    std::shared_ptr<const Program> program;
    const bool is_sound = !diagnostics->has_errors() && !found.has_errors();
    if (is_sound && findings.needs_program) program = std::move(builder).FinishVerified(&found);
    is_open ? AddAll(found, source.get(), diagnostics) : AddWithMeantNames(declared, found, source.get(), diagnostics);
    return program;
  });
}

std::shared_ptr<const Program> Check(absl::Span<const ModuleFile> files, absl::Span<const ModuleFile> plain,
                                     const CompileOptions& options, bool strict, Diagnostics* diagnostics,
                                     std::vector<TypedName>* names, TypeObserver* observer) {
  Diagnostics found(options.limits.max_diagnostics);
  Diagnostics warnings(options.limits.max_diagnostics);
  // Plain configs are looked at for what they say: nobody gets their program.
  auto program = Compile(files, plain, options, &found, {&warnings, names, /*needs_program=*/plain.empty(), observer});
  AddFindings(found, strict, diagnostics);
  AddFindings(warnings, strict, diagnostics);
  return diagnostics->has_errors() ? nullptr : program;
}

}  // namespace

bool CheckModuleTypes(absl::Span<const ModuleFile> files, const CompileOptions& options, bool strict,
                      Diagnostics* diagnostics, std::vector<TypedName>* names, TypeObserver* observer) {
  return Check(files, {}, options, strict, diagnostics, names, observer) != nullptr;
}

bool CheckPlainTypes(absl::Span<const ModuleFile> files, absl::Span<const ModuleFile> variables,
                     const CompileOptions& options, bool strict, Diagnostics* diagnostics,
                     std::vector<TypedName>* names, TypeObserver* observer) {
  Check(variables, files, options, strict, diagnostics, names, observer);
  return !diagnostics->has_errors();
}

}  // namespace internal

std::shared_ptr<const Program> CompileModule(absl::Span<const ModuleFile> files, const CompileOptions& options,
                                             Diagnostics* diagnostics) {
  return internal::Compile(files, {}, options, diagnostics, {});
}

std::shared_ptr<const Program> CheckModule(absl::Span<const ModuleFile> files, const CompileOptions& options,
                                           bool strict, Diagnostics* diagnostics) {
  return internal::Check(files, {}, options, strict, diagnostics, /*names=*/nullptr, /*observer=*/nullptr);
}

bool CheckPlainConfig(absl::Span<const ModuleFile> files, absl::Span<const ModuleFile> variables,
                      const CompileOptions& options, bool strict, Diagnostics* diagnostics) {
  return internal::CheckPlainTypes(files, variables, options, strict, diagnostics, /*names=*/nullptr);
}

}  // namespace hcl
