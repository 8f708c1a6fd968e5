// The table of answers, by `hclvm run` and `hclvm eval`.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/tests/answers/answer_table.h"

namespace hcl::answers {
namespace {

std::string Temporary(const std::string& name) { return testing::TempDir() + "/answers_" + name; }

void Write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// What the command prints.
std::string OutputOf(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::array<char, 4096> buffer;
  for (size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), got);
  pclose(pipe);
  return output;
}

std::string Command(const std::string& name, const Row& row, bool check_all) {
  static std::set<std::string>& written = *new std::set<std::string>();
  const std::string module = Temporary(row.module + ".hcl");
  if (written.insert(module).second) Write(module, AllAnswers().modules.at(row.module));
  return "cmd/hclvm/hclvm " + name + " --diagnostics=json --module '" + module + "' --entry '" + row.entry + "'" +
         (check_all ? " --check-all" : "") + (row.unknown_input.empty() ? "" : " --unknown-input " + row.unknown_input);
}

TEST(CliAnswersTest, Run) {
  ExpectAnswers("run", [](const Row& row, bool check_all) {
    const std::string lines = Temporary("lines");
    Write(lines, row.scope + "\n");
    return AnswerOfOutput(OutputOf(Command("run", row, check_all) + " --quiet --scopes '" + lines + "' 2>/dev/null"));
  });
}

TEST(CliAnswersTest, Eval) {
  ExpectAnswers("eval", [](const Row& row, bool check_all) {
    const std::string variables = Temporary("variables.json");
    Write(variables, row.scope);
    const std::string errors = Temporary("errors");
    const std::string output =
        OutputOf(Command("eval", row, check_all) + " --show-sensitive --vars '" + variables + "' 2>'" + errors + "'");
    std::ifstream file(errors);
    const std::string told((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (output.empty()) return Answer{"", told, ""};
    Answer answer = AnswerOfLine("{\"value\":" + output + "}");
    answer.warning = told;
    return answer;
  });
}

}  // namespace
}  // namespace hcl::answers
