// Literals: the values of what the text spells out. Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_LITERALS_H_
#define HCLVM_COMPILER_LITERALS_H_

#include <optional>
#include <string_view>

#include "absl/base/attributes.h"
#include "hclvm/base/limits.h"
#include "hclvm/compiler/compile_reports.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Values live in the program. Not thread-safe.
class Literals {
 public:
  // All must outlive this.
  Literals(const Limits& limits, ProgramBuilder* builder, CompileReports* reports)
      : limits_(limits), builder_(*builder), reports_(*reports) {}

  // A string, normalized.
  Value StringOf(std::string_view text);
  // What the digits of a number in the source are.
  Number NumberOf(std::string_view spelling, NumberError* error);
  // Numbers that are wrong are reported, and are an unknown value: the program is not used.
  ABSL_ATTRIBUTE_NOINLINE Value ValueOf(const LiteralExpr& expr);
  // The string of a template of literal text only.
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> TextOf(const TemplateExpr& expr);
  // The value of a literal, or of a text without interpolations.
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> LiteralOf(const Expr& expr);

 private:
  const Limits& limits_;
  ProgramBuilder& builder_;
  CompileReports& reports_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_LITERALS_H_
