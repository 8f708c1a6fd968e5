// The first program of docs/embedding.md.

#include <iostream>
#include <memory>
#include <string>

#include "hclvm/hclvm.h"

int main() {
  // A policy, compiled once. The program is immutable, and shared by all threads.
  auto source = std::make_shared<const hcl::Source>("policy.hcl", R"(
    allow  = user.admin || contains(owners, user.name)
    reason = "${user.name} asks for ${length(owners)} owners' file"
  )");
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  hcl::Diagnostics diagnostics;
  std::shared_ptr<const hcl::Program> program = hcl::CompileConfig(source, options, &diagnostics);
  if (program == nullptr) {
    std::cerr << hcl::ToText(diagnostics, source.get());
    return 1;
  }

  // The variables of one request, here from JSON. The heap owns them.
  hcl::Heap heap;
  hcl::JsonReader reader;
  hcl::Value scope;
  hcl::JsonError error;
  if (!reader.Read(R"({"user": {"name": "ann", "admin": false}, "owners": ["ann", "bob"]})", &heap, &scope, &error)) {
    std::cerr << error.summary << ": " << error.detail << "\n";
    return 1;
  }

  // An evaluator belongs to one thread, and is used for one request after the other.
  hcl::Evaluator evaluator(program);
  evaluator.BindAll(scope);
  const hcl::Evaluation& all = evaluator.Run();  // all attributes: an object
  if (!all.ok()) {
    std::cerr << hcl::ToText(all.diagnostics(), source.get());
    return 1;
  }
  std::string json;
  std::string reason;
  if (!hcl::AppendJson(all.value(), &json, &reason)) return 1;
  std::cout << json << "\n";

  // One attribute alone; this ends the life of the result above.
  const hcl::Evaluation& allow = evaluator.Run(*program->FindEntry("allow"));
  std::cout << (allow.ok() && allow.value().is_true() ? "allowed" : "denied") << "\n";
  return 0;
}

// Prints:
//   {"allow":true,"reason":"ann asks for 2 owners' file"}
//   allowed
