// CompileReports: what is wrong with the text that is bound. Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_COMPILE_REPORTS_H_
#define HCLVM_COMPILER_COMPILE_REPORTS_H_

#include <string>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Not thread-safe.
class CompileReports {
 public:
  // Both must outlive this.
  CompileReports(const ProgramBuilder* builder, Diagnostics* diagnostics)
      : builder_(*builder), diagnostics_(*diagnostics) {}

  // An error, warning or limit at `range`, by its code.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Report(SourceRange range, DiagnosticCode code, std::string detail);
  // That the host has stopped the compilation, once. Returns true.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE bool ReportInterrupt();
  Diagnostics* diagnostics() { return &diagnostics_; }

 private:
  const ProgramBuilder& builder_;
  Diagnostics& diagnostics_;
  bool reported_interrupt_ = false;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_COMPILE_REPORTS_H_
