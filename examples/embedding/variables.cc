// What a program reads, variables that are not there or not known, and lazy ones: docs/embedding.md.

#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/hclvm.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/refinement.h"

struct Account {
  std::string owner;
  int credit = 0;
};
template <>
struct hcl::FieldsOf<Account> {
  static constexpr auto list =
      hcl::FieldList(hcl::Field("owner", &Account::owner), hcl::Field("credit", &Account::credit));
};

std::shared_ptr<const hcl::Program> Compile(const std::string& text) {
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  hcl::Diagnostics diagnostics;
  return hcl::CompileExpression(std::make_shared<const hcl::Source>("<rule>", text), options, &diagnostics);
}

void ShowPaths() {
  std::shared_ptr<const hcl::Program> program = Compile("user.roles[0] == \"admin\" || account.credit > price");
  for (const hcl::Path& path : program->paths()) {
    std::cout << program->variables()[path.slot];
    for (const hcl::PathStep& step : program->steps(path)) {
      std::cout << (step.is_attribute ? "." : "/") << (step.key.is_string() ? step.key.AsString() : "0");
    }
    std::cout << "\n";
  }
}

int ShowNeeded() {
  std::shared_ptr<const hcl::Program> program = Compile("user.name == \"ann\" && account.credit > 10");
  const char* json = R"({"user": {"name": "ann", "photo": "..."}, "account": {"credit": 20}, "history": [1, 2, 3]})";
  const hcl::Reads reads(program, program->main_chunk());
  std::cout << reads.needed().ToText() << "\n";
  hcl::ScopeReader scope(reads);
  hcl::Heap heap;
  hcl::Evaluator evaluator(program);
  if (!scope.Read(json, &heap)) return std::cerr << "Not as it should be\n", 1;
  evaluator.BindAll(scope);
  std::cout << evaluator.Run().value().is_true() << "\n";
  return 0;
}

int ShowBase() {
  std::shared_ptr<const hcl::Program> program = Compile("contains(owners, user)");
  hcl::Diagnostics diagnostics;
  const hcl::BaseText text = {std::make_shared<const hcl::Source>("data.json", R"({"owners": ["ann"]})"), ""};
  // Once for all threads; null where the data are not as they should be.
  const auto data = hcl::BaseData::Read({&text, 1}, {}, &diagnostics);
  const auto base = data == nullptr ? nullptr : hcl::BaseLayer::Make(program, data, {}, &diagnostics);
  if (base == nullptr) return std::cerr << hcl::ToText(diagnostics, nullptr), 1;
  hcl::Evaluator evaluator(program);
  evaluator.BindBase(base);
  hcl::Heap heap;
  for (const char* user : {"ann", "bob"}) {
    evaluator.Bind("user", hcl::Value::String(user, heap.arena()));
    std::cout << user << ": " << evaluator.Run().value().is_true() << "\n";
  }
  return 0;
}

void ShowUnknown() {
  // Not bound is an error; unknown is a value that will be there later.
  hcl::Evaluator evaluator(Compile("size > 10 ? \"large\" : \"small\""));
  std::cout << evaluator.Run().diagnostics().kept()[0].summary << "\n";
  evaluator.Bind("size", hcl::Value::Unknown(hcl::Type::Number()));
  const hcl::Evaluation& evaluation = evaluator.Run();
  std::cout << evaluation.ok() << evaluation.value().is_unknown() << "\n";
}

void ShowLazy() {
  hcl::Evaluator evaluator(Compile("admin || account.credit > 10"));
  int fetched = 0;
  // Called when it is read, at most once in each run.
  evaluator.BindLazy("account", [&](hcl::LazyCall* call) -> absl::StatusOr<hcl::Value> {
    ++fetched;
    if (fetched > 1) return absl::UnavailableError("the directory does not answer");
    return hcl::MakeValue(Account{"ann", 50}, call->heap());
  });
  for (bool admin : {true, false, false}) {
    evaluator.Bind("admin", hcl::Value::Bool(admin));
    const hcl::Evaluation& evaluation = evaluator.Run();
    std::cout << fetched << ": "
              << (evaluation.ok() ? evaluation.value().is_true() ? "allow" : "deny"
                                  : evaluation.diagnostics().kept()[0].detail)
              << "\n";
  }
}

int main() {
  ShowPaths();
  if (ShowNeeded() != 0 || ShowBase() != 0) return 1;
  ShowUnknown();
  ShowLazy();
  return 0;
}

// Prints:
//   user.roles/0
//   account.credit
//   price
//   {account{credit}, user{name}}
//   1
//   ann: 1
//   bob: 0
//   Unknown variable
//   11
//   0: allow
//   1: allow
//   2: The host could not provide the variable "account": the directory does not answer.
