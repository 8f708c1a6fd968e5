// Modules: configs that declare what they read, in one or several files, and share values and functions.
//
//   hcl::Diagnostics diagnostics;
//   auto program = hcl::CompileModule({{policy}, {rules}}, options, &diagnostics);
//
// What comes of it is a program as any other (hclvm/vm/program.h), whose variables are those that are declared: an
// evaluator converts what it is given to their types before it runs (docs/modules.md, "Binding").
//
// Tested by module/module_test.cc and module/binding_test.cc.

#ifndef HCLVM_MODULE_MODULE_H_
#define HCLVM_MODULE_MODULE_H_

#include <memory>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/program.h"

namespace hcl {

// A file of a module.
struct ModuleFile {
  std::shared_ptr<const Source> source;
  bool is_json = false;  // in the JSON syntax
};

// Compiles the files together, in their order. Null on errors, which are in `diagnostics`, each with its source: what
// is wrong in one of the files, names that are not declared, locals that depend on themselves, attributes that two
// files give. The program keeps the sources. Thread-safe as far as `diagnostics` is not shared. The options' limits
// hold for each file; chains of locals that read each other are at most Limits::max_nesting_depth long.
std::shared_ptr<const Program> CompileModule(absl::Span<const ModuleFile> files, const CompileOptions& options,
                                             Diagnostics* diagnostics);

// The same, and looks for what may fail: values that may be null, types of which nothing is known, comparisons that are
// always false, declarations that nothing uses. These are warnings; `strict` makes them errors. A comment with
// "hclvm:ignore CODE" on the line of a warning, or on the one before, keeps it back. Null on errors. A module without
// warnings does not fail for names, types, nulls or numbers of arguments (docs/modules.md, "Check").
std::shared_ptr<const Program> CheckModule(absl::Span<const ModuleFile> files, const CompileOptions& options,
                                           bool strict, Diagnostics* diagnostics);

// Looks for mistakes in plain configs: what fails in every run whatever the scope gives, and, where `variables` has
// files with variable blocks, names and types by these; `variable` and `locals` in the configs are blocks as any
// others. Otherwise as CheckModule(). False on errors.
bool CheckPlainConfig(absl::Span<const ModuleFile> files, absl::Span<const ModuleFile> variables,
                      const CompileOptions& options, bool strict, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_MODULE_MODULE_H_
