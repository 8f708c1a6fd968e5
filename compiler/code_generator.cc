// CodeGenerator: chunks. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/code_generator.h"

#include <memory>
#include <optional>
#include <utility>

#include "hclvm/base/source.h"
#include "hclvm/compiler/template_function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"

namespace hcl::internal {

CodeGenerator::CodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics)
    : options_(options),
      builder_(builder),
      folding_(options.limits, builder),
      binder_(options, builder, &folding_, diagnostics),
      registers_(builder, diagnostics),
      nodes_(options, builder, &registers_, &binder_) {
  binder_.functions()->set_template_function(TemplateFunction);
}

uint32_t CodeGenerator::GenerateChunk(const Expr& expr) {
  builder_->BeginChunk();
  tree_ = &binder_.Bind(expr);
  return FinishChunk();
}

uint32_t CodeGenerator::GenerateLocal(const Expr& expr) {
  builder_->BeginChunk();
  tree_ = &binder_.BindKept(expr);
  return FinishChunk();
}

void CodeGenerator::NameFunction(const Function* function, const FunctionRegistry* functions, const Expr* result) {
  if (functions_ == nullptr) {
    functions_ = std::make_unique<NamedFunctions>(options_, builder_, &folding_);
    nodes_.set_functions(functions_.get());
  }
  functions_->Add(function, functions, result);
}

// Binding and making code are more instructions than a processor's first cache holds: taken in turns for each
// expression, each would push the other out of it. A tree whose code may be found too complex is not kept waiting, so
// that this is reported before what is wrong with the next expression.
uint32_t CodeGenerator::PostponeChunk(const Expr& expr) {
  const BoundTree& tree = postponed_.empty() ? binder_.Bind(expr) : binder_.BindAnother(expr);
  postponed_.push_back(&tree);
  const auto chunk = builder_->chunk_count() + static_cast<uint32_t>(postponed_.size()) - 1;
  if (postponed_.size() == kMaxPostponed || tree.nodes().size() > kMaxSurelyFits) FinishChunks();
  return chunk;
}

void CodeGenerator::FinishChunks() {
  for (const BoundTree* tree : postponed_) {
    builder_->BeginChunk();
    tree_ = tree;
    FinishChunk();
  }
  postponed_.clear();
}

// Chunks that there are count as well, so that no number is given twice.
uint32_t CodeGenerator::BindChunk(const Expr& expr) {
  const uint32_t chunk = builder_->chunk_count() + bound_chunks_++;
  tree_ = &binder_.Bind(expr);
  if (tree_->nodes().size() <= kMaxSurelyFits) return chunk;
  binder_.trees()->AddPaths();
  builder_->BeginChunk();
  FinishChunk();
  return chunk;
}

uint32_t CodeGenerator::FinishChunk() {
  registers_.Reset();
  const Result result = YieldRoot(std::nullopt);
  builder_->Emit(Opcode::kReturn, 0, registers_.Rk(result));
  const uint32_t chunk = builder_->EndChunk(registers_.used());
  if (options_.record) builder_->records()->SetRoot(chunk, nodes_.root_point());
  return chunk;
}

Result CodeGenerator::Generate(const Expr& expr, uint16_t dest, Type* type) {
  tree_ = &binder_.Bind(expr);
  if (type != nullptr) *type = tree_->root().type;
  return YieldRoot(dest);
}

// Where the loops are is known when their code is there.
Result CodeGenerator::YieldRoot(std::optional<uint16_t> dest) {
  const uint32_t begin = builder_->here();
  const uint16_t mark = registers_.next();
  const Result result = nodes_.YieldTree(*tree_, dest ? *dest : registers_.Allocate(), /*returns=*/!dest);
  registers_.FreeTo(mark);
  builder_->BeginReads(begin);
  for (const BoundPath* read : tree_->path_reads()) builder_->AddRead(read->range, read->path);
  if (!tree_->local_reads().empty()) AddLocalReads();
  builder_->EndReads();
  return result;
}

void CodeGenerator::AddLocalReads() {
  ShortList<PathStep> steps;
  for (const BoundLocal* read : tree_->local_reads()) {
    if (read->local->loop == LocalVariable::kNoLoop) continue;
    steps.clear();
    for (const BoundStep& step : read->steps) steps.push_back({step.key, step.is_attribute});
    builder_->AddLocalRead(read->range, read->local->loop, read->local->is_key, steps);
  }
}

Result CodeGenerator::Raise(Diagnostic diagnostic, uint16_t dest) {
  const SourceRange range = diagnostic.subject.value_or(SourceRange{});
  builder_->EmitX(Opcode::kRaise, dest, builder_->AddDiagnostic(std::move(diagnostic)), {range});
  return Result::Register(dest);
}

std::shared_ptr<const Program> GenerateProgram(const Expr& expr, std::shared_ptr<const Source> source,
                                               const CompileOptions& options, Diagnostics* diagnostics,
                                               std::string* first_tests) {
  ProgramBuilder builder(std::move(source), options.functions, options.dialect, options.limits);
  CodeGenerator generator(options, &builder, diagnostics);
  if (first_tests != nullptr) generator.KeepFirstTests(first_tests);
  builder.SetMain(generator.GenerateChunk(expr));
  return diagnostics->has_errors() ? nullptr : std::move(builder).FinishVerified(diagnostics);
}

}  // namespace hcl::internal
