// The table of answers: what a module answers to a request, by whichever way the request comes.
//
// answers.json has modules by name, and rows:
//
//   module, entry   what is evaluated
//   scope           the variables that are given
//   answer          the value, or else:
//   shown, erased   the value as outputs show it, where parts of it are sensitive, and the places of these parts
//   error, says     the code of a diagnostic, and a part of its text
//   warns           a part of the text of a warning, or of an error, that names a misspelled name; without it, there is
//   no
//                   warning
//   all             the answer or error under the strict rule (--check-all), where that is another one
//   unknown_input   what unknown names are: "error" or "ignore"; "near" is the default

#ifndef HCLVM_TESTS_ANSWERS_ANSWER_TABLE_H_
#define HCLVM_TESTS_ANSWERS_ANSWER_TABLE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"

namespace hcl::answers {

struct Expected {
  std::string answer;  // as JSON; empty: an error
  std::string shown;   // the same, or what is shown of it
  std::string erased;  // a JSON array; empty: nothing
  std::string error;   // its code
  std::string says;
  std::string warns;
};

struct Row {
  std::string module;
  std::string entry;
  std::string scope;  // as JSON
  Expected expected;
  Expected expected_of_all;
  std::string unknown_input;

  const Expected& ExpectedOf(bool check_all) const { return check_all ? expected_of_all : expected; }
  std::string ToText() const { return module + "." + entry + " " + scope; }
};

struct Table {
  std::map<std::string, std::string> modules;  // texts by name
  std::vector<Row> rows;
};

// Reads answers.json. Ends the test program where it cannot be read.
const Table& AllAnswers();

// The program of a module, compiled once.
std::shared_ptr<const Program> ProgramOf(const std::string& module, bool optimize = true);

// What a way to ask has answered: a value as JSON, or a text that has the codes and sentences of all diagnostics.
struct Answer {
  std::string value;
  std::string error;
  std::string warning;
  // What is shown of the value, by a way that shows it or says what may be shown; empty: `value` is all that it says.
  std::string shown = "";
  std::string erased = "";
};

Answer AnswerOf(const Diagnostics& diagnostics, const Source* source);
// The same of a line of JSON: `{"value": ...}` or `{"diagnostics": [...]}`.
Answer AnswerOfLine(const std::string& line);
// The same of a line that shows the value.
Answer AnswerOfOutput(const std::string& line);
// What is shown of a result.
void AddShown(const Value& marked_value, Answer* answer);

// The same of one entry among several, which shows values: `{"values": {ENTRY: ..., ...}, "diagnostics": [{"entry":
// ENTRY, ...}, ...]}`.
Answer AnswerOfEntry(const std::string& line, const std::string& entry);

using Way = std::function<Answer(const Row&, bool check_all)>;

// What a way to ask has no form for. `warnings`: also where it does not see all names of a scope.
struct Lacks {
  bool check_all = false;
  bool unknown_input = false;
  bool warnings = false;
};

UnknownInput UnknownInputOf(const Row& row);

// Asks all rows, with and without the strict rule, and compares what comes with the table.
void ExpectAnswers(const std::string& name, const Way& way, const Lacks& lacks = {});

}  // namespace hcl::answers

#endif  // HCLVM_TESTS_ANSWERS_ANSWER_TABLE_H_
