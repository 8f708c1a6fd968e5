// Explanation: why a value is what it is, and how that is written.
//
// A tree of reasons, the one that decides first. docs/explain.md describes the forms. Internal to the workbench.
// Tested by workbench/explain_test.cc.

#ifndef HCLVM_WORKBENCH_EXPLANATION_H_
#define HCLVM_WORKBENCH_EXPLANATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/base/source.h"

namespace hcl::internal {

// A place in the text of a module.
struct ReasonPlace {
  std::string file;
  uint32_t line = 0;    // from 1; 0: none
  uint32_t column = 0;  // from 1, in grapheme clusters

  friend bool operator==(const ReasonPlace& a, const ReasonPlace& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
  }
};

// A part of the scope that was read, and its value.
struct ValueRead {
  std::string path;   // as the text has it: `user.groups`
  std::string value;  // JSON, cut where it is long; "(sensitive value)", "unknown (TYPE)" or "error"

  friend bool operator==(const ValueRead& a, const ValueRead& b) { return a.path == b.path && a.value == b.value; }
};

struct Reason {
  enum class Kind : uint8_t {
    kRule,        // an element of a table that the filter let through
    kPassedOver,  // one that it did not
    kOperand,     // an operand that decides
    kCondition,   // the condition of a conditional
    kAttempt,     // an attempt of try, or an argument of coalesce
    kElement,     // an element of anytrue or alltrue
    kName,        // a local of the module
    kFunction,    // a call of a function that the module defines
    kError,       // where an error comes from; `message` says why
    kUnknown,     // what makes the value unknown
  };

  Kind kind = Kind::kOperand;
  std::string text;   // of the expression, in one line, cut where it is long
  std::string value;  // as ValueRead::value
  std::string message;
  uint32_t number = 0;  // of a rule, an element or an attempt: from 1; 0 for others
  uint32_t count = 0;   // of these
  ReasonPlace place;
  std::vector<ValueRead> reads;  // what it reads itself
  std::vector<Reason> reasons;   // why it is so
  size_t left_out = 0;           // further ones
};

// An expression and the values that it had, in the order of the run.
struct SubExpression {
  std::string text;
  ReasonPlace place;
  SourceRange range;                // in the file of `place`
  std::string line;                 // the source's
  std::vector<std::string> values;  // the first ones; several in a loop
  size_t count = 0;                 // of all
};

struct Explanation {
  enum class Outcome : uint8_t { kValue, kError, kUnknown };

  std::string entry;
  Outcome outcome = Outcome::kValue;
  std::string value;                // as ValueRead::value
  std::vector<std::string> errors;  // messages, where it fails
  bool is_limit = false;            // a limit was reached
  std::vector<ValueRead> reads;
  std::vector<Reason> reasons;
  size_t left_out = 0;
  std::vector<SubExpression> expressions;  // where all are asked for
  bool is_cut = false;                     // the run was too long to be looked at as a whole
};

// For people: a line for each reason, indented under what it is a reason of. `max_lines`: further ones are counted.
std::string ToText(const Explanation& explanation, size_t max_lines = SIZE_MAX);

// One object, in one line.
std::string ToJson(const Explanation& explanation);

// A page that needs nothing else. `title` is text.
std::string ToHtml(const std::vector<Explanation>& explanations, const std::string& title);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_EXPLANATION_H_
