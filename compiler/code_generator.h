// CodeGenerator: chunks of instructions for one expression after the other.
//
// Binds each expression, and has its nodes made to code. Tested by compiler/compiler_test.cc.

#ifndef HCLVM_COMPILER_CODE_GENERATOR_H_
#define HCLVM_COMPILER_CODE_GENERATOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/compiler/local_names.h"
#include "hclvm/compiler/named_functions.h"
#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/compiler/template_function.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe.
class CodeGenerator {
 public:
  // All must outlive the generator.
  CodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics);

  // Calls of templatestring fail from here on: the expressions are in a template that it evaluates.
  void ForbidTemplates() { binder_.functions()->set_template_function(NestedTemplateFunction); }

  // What comes now is another text, of so many bytes, with the bounds of a compilation of its own.
  void BeginText(size_t bytes) { folding_.BeginCompilation(bytes); }

  // Compiles `expr` as a chunk of its own and returns its index.
  uint32_t GenerateChunk(const Expr& expr);

  // From here on, what a chunk tests first goes to *packed (compiler/first_tests.h), which must outlive the generator.
  void KeepFirstTests(std::string* packed) { nodes_.KeepFirstTests(packed); }

  // The same for a local of a module, and what its readers may know of it.
  uint32_t GenerateLocal(const Expr& expr);
  const NamedTree* NameLocal(bool is_read_once) {
    nodes_.NoteNamedTree(tree_);
    return binder_.trees()->Name(*tree_, is_read_once);
  }

  // What the function gives, in which `functions` are names: fast code may stand on that in place of a call. All must
  // outlive the generator.
  void NameFunction(const Function* function, const FunctionRegistry* functions, const Expr* result);

  // The same, but the code may be made later, together with that of expressions that come next. What the tree needs of
  // the program is there already, and so is what is reported. Nothing else is generated before FinishChunks().
  uint32_t PostponeChunk(const Expr& expr);
  // Makes the code of all that was postponed.
  void FinishChunks();

  // The same, for who looks at trees and runs nothing: code is made only where the tree is so large that making it may
  // find something wrong. The number is that of no other chunk, and of none in the program.
  uint32_t BindChunk(const Expr& expr);
  // Chunks from here on are BindChunk()'s: nobody asks what code there is for their nodes.
  void SetBindsOnly() { binder_.trees()->LeaveOutCode(); }

  // Code that yields `expr`; if it needs a register, in `dest`, which is allocated. Registers above the ones allocated
  // are free for it and free again afterwards. `type`, if not null, gets the type of all its values, or the dynamic
  // one. A constant is the tree's: it is valid until the next expression is generated.
  Result Generate(const Expr& expr, uint16_t dest, Type* type = nullptr);
  // Code that adds `diagnostic` and yields an error.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Result Raise(Diagnostic diagnostic, uint16_t dest);

  // A variable that lives in a register, for expressions generated from here on; an inner one hides an outer one.
  using Local = HostLocal;
  void PushLocal(Local local) { binder_.scope()->locals.push_back(local); }
  void PopLocal() { binder_.scope()->locals.pop_back(); }

  // What the last chunk was made of.
  const BoundTree& tree() const { return *tree_; }

  using Scope = Binder::Scope;
  // Takes `scope` for expressions generated from here on, and returns the one before. Functions must outlive the
  // program.
  Scope ExchangeScope(Scope scope) { return std::exchange(*binder_.scope(), std::move(scope)); }

  // For chunks that are written instruction by instruction, such as the whole config's.
  Registers* registers() { return &registers_; }
  Value StringConstant(std::string_view text) { return binder_.StringConstant(text); }

 private:
  // A tree of so many nodes has registers for all of them, many times over (kMaxRegisters).
  static constexpr size_t kMaxSurelyFits = 256;
  // So many chunks are bound before their code is made. Their trees are to stay in the processor's nearer caches.
  static constexpr size_t kMaxPostponed = 64;

  // Code for the tree at hand, and the end of its chunk.
  uint32_t FinishChunk();
  // Code for the tree at hand, and what it reads. Without `dest`, in any register, and the chunk ends with it.
  Result YieldRoot(std::optional<uint16_t> dest);
  // Tells the program what it reads of the variables of loops.
  void AddLocalReads();

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Folding folding_;
  Binder binder_;
  Registers registers_;
  NodeGenerator nodes_;
  std::unique_ptr<NamedFunctions> functions_;  // null where there are none
  PlainList<const BoundTree*, 4> postponed_;   // of chunks whose code is to be made, in their order
  uint32_t bound_chunks_ = 0;                  // by BindChunk()
  const BoundTree* tree_ = nullptr;            // of the expression at hand
};

// The program of one expression; null on errors, which are reported. What it tests first goes to *first_tests, if that
// is not null (compiler/first_tests.h).
std::shared_ptr<const Program> GenerateProgram(const Expr& expr, std::shared_ptr<const Source> source,
                                               const CompileOptions& options, Diagnostics* diagnostics,
                                               std::string* first_tests = nullptr);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CODE_GENERATOR_H_
