// Declarations: what the files of a module say in `variable`, `locals` and `function` blocks, and what is left.
//
// Internal to modules. Tested by module/module_test.cc.

#ifndef HCLVM_MODULE_DECLARATIONS_H_
#define HCLVM_MODULE_DECLARATIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Where something is said.
struct Place {
  SourceRange range;
  const Source* source = nullptr;
};

// "FILE line N", for messages about another place.
std::string TextOf(const Place& place);

// An expression in a file.
struct PlacedExpr {
  const Expr* expr = nullptr;
  const Source* source = nullptr;
};

struct DeclaredVariable {
  struct Validation {
    PlacedExpr condition;
    PlacedExpr message;
  };
  std::string name;
  Place place;  // of the name
  std::string description;
  Type type;
  std::shared_ptr<const TypeDefaults> defaults;
  std::optional<Value> default_value;  // converted
  bool nullable = false;
  bool sensitive = false;  // also of each that is ephemeral
  bool ephemeral = false;
  std::string deprecated;  // what its users are told; empty where it is not deprecated
  std::vector<Validation> validations;
};

struct DeclaredLocal {
  std::string name;
  Place place;  // of the name
  PlacedExpr value;
};

// A file that has been read. Trees of the JSON syntax are made into native ones.
struct ModuleSource {
  std::shared_ptr<const Source> source;
  std::unique_ptr<ParsedFile> native;
  std::unique_ptr<JsonFile> json;
  BodyViewPtr view;            // null for plain configs
  const Body* body = nullptr;  // with its declarations
};

// Everything lives as long as the declarations.
class Declarations {
 public:
  // Files of which nothing is a declaration are read by ReadPlain(), once Read() has been called.
  bool ReadPlain(absl::Span<const ModuleFile> files, const CompileOptions& options, Diagnostics* diagnostics);
  // Reads all files, and reports what is wrong. False where one could not be read as HCL; otherwise names that were
  // declared are there, also wrongly, so that whoever goes on finds them.
  bool Read(absl::Span<const ModuleFile> files, const CompileOptions& options, Diagnostics* diagnostics);

  const std::vector<DeclaredVariable>& variables() const { return variables_; }
  const std::vector<DeclaredLocal>& locals() const { return locals_; }
  // Those of the options, and those that the module defines.
  const std::shared_ptr<const FunctionRegistry>& functions() const { return functions_; }
  // The names of the latter, and where they are.
  const std::vector<std::pair<std::string, Place>>& defined_functions() const { return defined_functions_; }
  // What each of these gives; of those in function_order() there is an expression.
  const std::vector<PlacedExpr>& function_results() const { return function_results_; }
  // Positions of those that could be made, each behind those that it calls.
  const std::vector<size_t>& function_order() const { return function_order_; }
  // The rest of all files as one body, and the source of each of its expressions and blocks.
  const Body& rest() const { return rest_; }
  const Source* SourceOf(const Expr& expr) const { return Find(&expr); }
  const Source* SourceOf(const Block& block) const { return Find(block.body); }

  // Of types and values; null where no file declares any.
  const std::shared_ptr<Heap>& heap() const { return heap_; }

 private:
  class VariableReader;

  bool ReadFile(const ModuleFile& file, const CompileOptions& options, bool is_plain, Diagnostics* diagnostics);
  bool TakeWhole(const ModuleSource& file);
  void ReadBlocks(const ModuleSource& file, const CompileOptions& options, Diagnostics* diagnostics);
  void ReadLocals(const BlockView& block, Diagnostics* diagnostics);
  void ReadFunctions(const CompileOptions& options, Diagnostics* diagnostics);
  void TakeRest(const ModuleSource& file, bool is_plain, Diagnostics* diagnostics);
  void FinishRest();
  void NoteSources(const Body& body, const Source* source);
  const Source* Find(const void* key) const {
    if (only_source_ != nullptr) return only_source_;
    const auto found = sources_.find(key);
    return found == sources_.end() ? nullptr : found->second;
  }

  std::vector<ModuleSource> files_;
  Arena arena_;
  std::shared_ptr<Heap> heap_;
  std::vector<DeclaredVariable> variables_;
  std::vector<DeclaredLocal> locals_;
  std::shared_ptr<const FunctionRegistry> functions_;
  std::vector<std::pair<std::string, Place>> defined_functions_;
  std::vector<PlacedExpr> function_results_;
  std::vector<size_t> function_order_;
  HashMap<std::string, Place> declared_;  // "var.a", "local.b", "function.c"
  std::vector<Attribute> attributes_;
  std::vector<Block> blocks_;
  HashMap<std::string, Place> given_;  // attributes
  HashMap<const void*, const Source*> sources_;
  const Source* only_source_ = nullptr;  // of a single plain config; then `sources_` is empty
  Body rest_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_DECLARATIONS_H_
