// Runs one conformance case through the library.

#ifndef HCLVM_TESTS_CASE_RUNNER_H_
#define HCLVM_TESTS_CASE_RUNNER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/tests/json_tree.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

struct Body;
struct Expr;

// A place as the cases write it: line, column, end line, end column.
using CasePlace = std::array<uint32_t, 4>;

// What a case gave: JSON in the form of the case's `want`, or an error.
struct CaseOutcome {
  std::string json;             // empty when there was an error
  std::string error;            // the phase: "parse", "eval", "convert", "unify", "not supported"
  std::string message;          // of the first diagnostic, for people
  std::optional<CasePlace> at;  // of the first diagnostic, when it has a subject

  // For people: the JSON, or the error, its place and its message.
  std::string ToString() const;
};

class CaseRunner {
 public:
  // Reads the variables that every case may use; false when the text is not what it should be.
  bool ReadVariables(std::string_view json);

  CaseOutcome Run(const JsonTree& test);

  // Whether `got`, the outcome of a case, is also the outcome when the unknown variables have values: for a sample of
  // those, the case gives an error or what `got` has where that is known. So is an answer that is known where the
  // reference's is not checked to be sound.
  bool HoldsForSamples(const JsonTree& test, const CaseOutcome& got);

 private:
  CaseOutcome RunExpression(const JsonTree& test, bool is_template);
  CaseOutcome RunBody(const JsonTree& test);
  CaseOutcome RunJson(const JsonTree& test, EvaluationMode mode);
  CaseOutcome RunConvert(const JsonTree& test);
  CaseOutcome RunUnify(const JsonTree& test);
  CaseOutcome RunTraversal(const JsonTree& test);

  // The typed JSON of an expression's value, or its diagnostics.
  bool Evaluate(const Expr& expr, const std::shared_ptr<const Source>& source, Dialect dialect, std::string* json,
                std::vector<Diagnostic>* diagnostics);
  std::string EvaluateBody(const Body& body, const std::shared_ptr<const Source>& source, Dialect dialect,
                           std::vector<Diagnostic>* diagnostics);

  Heap heap_;
  JsonReader reader_;
  using Variables = std::vector<std::pair<std::string, Value>>;
  Variables variables_;
};

}  // namespace hcl

#endif  // HCLVM_TESTS_CASE_RUNNER_H_
