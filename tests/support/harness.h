// Harness: source text in, printed result out, for table-driven tests of the whole language.

#ifndef HCLVM_TESTS_SUPPORT_HARNESS_H_
#define HCLVM_TESTS_SUPPORT_HARNESS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// Evaluates with the standard functions and the variables of tests/conformance/variables.json.
class Harness {
 public:
  explicit Harness(const CompileOptions& options = {});

  // The value of an expression as V of typed JSON (`{"$unknown":T}` and so on), or, for each diagnostic,
  // "error BEGIN-END SUMMARY" (byte offsets), joined by "; ". Refinements are left out unless `refinements` is set.
  std::string Eval(std::string_view source) { return Run(CompileExpression, source, /*typed=*/false); }
  // The same with its type: {"type":T,"value":V}.
  std::string EvalTyped(std::string_view source) { return Run(CompileExpression, source, /*typed=*/true); }
  std::string EvalTemplate(std::string_view source) { return Run(CompileTemplate, source, /*typed=*/false); }
  std::string EvalConfig(std::string_view source) { return Run(CompileConfig, source, /*typed=*/false); }
  std::string EvalTemplateTyped(std::string_view source) { return Run(CompileTemplate, source, /*typed=*/true); }
  std::string EvalConfigTyped(std::string_view source) { return Run(CompileConfig, source, /*typed=*/true); }
  // The same in the JSON syntax.
  std::string EvalJsonConfigTyped(std::string_view source) { return Run(CompileJsonConfig, source, /*typed=*/true); }

  void set_refinements(bool shown) { refinements_ = shown; }

  // The variables: an object value.
  const Value& variables() const { return variables_; }
  // Fuel that the last evaluation used.
  uint64_t fuel_used() const { return fuel_used_; }

 private:
  using Compile = std::shared_ptr<const Program> (*)(std::shared_ptr<const Source>, const CompileOptions&,
                                                     Diagnostics*);
  std::string Run(Compile compile, std::string_view source, bool typed);

  CompileOptions options_;
  Heap heap_;
  Value variables_;
  uint64_t fuel_used_ = 0;
  bool refinements_ = false;
};

// The diagnostics as Harness prints them.
std::string PrintDiagnostics(const Diagnostics& diagnostics);

// All of a file that is among the test's data; fails the test when it is missing.
std::string ReadTestFile(const std::string& path);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SUPPORT_HARNESS_H_
