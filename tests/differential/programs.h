// Random programs of all kinds, over the variables of tests/conformance/variables.json.
//
// The same seed gives the same programs on every platform. Tested by tests/differential/programs_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_PROGRAMS_H_
#define HCLVM_TESTS_DIFFERENTIAL_PROGRAMS_H_

#include <cstdint>
#include <string>

#include "hclvm/tests/differential/program.h"
#include "hclvm/tests/differential/random.h"
#include "hclvm/tests/slow/generator.h"

namespace hcl::differential {

class Programs {
 public:
  explicit Programs(uint64_t seed);

  Program Next();

 private:
  // programs.cc
  std::string Expression();
  std::string Template();
  std::string Body(int depth);
  std::string Attribute(int depth);
  std::string Heredoc();
  std::string Block(int depth);

  // calls.cc: a call of a function of the library, with arguments mostly of its kinds.
  std::string Call(int depth);
  std::string Argument(char kind, int depth);

  // values.cc: values of all types, and what brings two of them together.
  std::string Leaf();
  std::string Value(int depth);
  std::string Mixture();

  // texts.cc: texts of many scripts, and patterns.
  std::string Text();
  std::string Pattern();
  std::string TextCall();

  // numbers.cc
  std::string Digits(size_t most);
  std::string NumberLiteral();
  std::string Arithmetic(int depth);
  std::string NumberProgram();

  // rules.cc: policies.
  std::string Operand(char kind);
  std::string Condition(const std::string& item, int depth);
  std::string RuleTable();
  std::string Policy();

  // large.cc
  std::string ManyItems(size_t count);
  std::string LargeExpression();
  Program Large();

  // json_texts.cc
  std::string JsonBody();
  std::string JsonValue(int depth);
  std::string JsonObject(int depth);
  std::string JsonString();

  // soup.cc: tokens in any order, and valid texts that were damaged.
  Program Soup();
  std::string Damaged(std::string text);

  Random random_;
  testing_support::Generator generator_;
  testing_support::Generator correct_;  // without mistakes on purpose
  testing_support::Generator unknown_;  // likewise, and with unknown values
};

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_PROGRAMS_H_
