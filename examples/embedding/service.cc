// A service with threads that reloads its policy: docs/embedding.md.

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "hclvm/compiler/compile_cache.h"
#include "hclvm/hclvm.h"
#include "hclvm/vm/evaluator_pool.h"

class Service {
 public:
  // Replaces the policy, or tells what is wrong with the new one and keeps the old one. From any thread.
  std::string Reload(const std::string& text) {
    hcl::CompileOptions options;
    options.functions = functions_;
    std::shared_ptr<const hcl::Compiled> compiled =
        cache_.Compile(hcl::SourceKind::kConfig, "policy.hcl", text, options);
    if (compiled->program == nullptr) return hcl::ToText(compiled->diagnostics, compiled->source.get());
    const hcl::Entry* entry = compiled->program->FindEntry("allow");
    if (entry == nullptr) return "the policy has no attribute \"allow\"\n";
    hcl::Limits limits;
    limits.max_fuel = 1'000'000;  // a policy takes some hundred units
    std::atomic_store(&current_, std::make_shared<const Policy>(compiled->program, entry, limits));
    return "";
  }

  // Answers one request, in JSON. From any thread.
  std::string Answer(std::string_view request) const {
    // Requests that are under way keep the policy they have begun with, whatever is reloaded.
    std::shared_ptr<const Policy> policy = std::atomic_load(&current_);
    hcl::EvaluatorPool::Lease lease = policy->pool.Acquire();
    hcl::Interrupt interrupt;
    interrupt.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    lease->set_interrupt(interrupt);
    hcl::Value scope;
    hcl::JsonError error;
    if (!lease.reader()->Read(request, lease.scope_heap(), &scope, &error)) return "bad request: " + error.detail;
    if (!scope.is_object()) return "bad request: not an object";
    lease->BindAll(scope);
    // The result lives as long as the lease, or until its next run.
    const hcl::Evaluation& evaluation = lease->Run(*policy->entry);
    if (!evaluation.ok()) return "error: " + evaluation.diagnostics().kept()[0].summary;
    return evaluation.value().is_true() ? "allow" : "deny";
  }

 private:
  // A program, and the evaluators for it.
  struct Policy {
    Policy(std::shared_ptr<const hcl::Program> program, const hcl::Entry* e, const hcl::Limits& limits)
        : entry(e), pool(std::move(program), limits) {}
    const hcl::Entry* entry;
    mutable hcl::EvaluatorPool pool;  // thread-safe
  };

  const std::shared_ptr<const hcl::FunctionRegistry> functions_ = hcl::StandardFunctions();
  hcl::CompileCache cache_;
  std::shared_ptr<const Policy> current_;  // std::atomic<std::shared_ptr> in C++20
};

int main() {
  Service service;
  std::cout << service.Reload("allow = age >= 18 ||");
  std::cout << service.Reload("allow = age >= 18");
  std::vector<std::thread> threads;
  std::atomic<int> allowed{0};
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&] {
      for (int age = 0; age < 100; ++age) {
        if (service.Answer("{\"age\": " + std::to_string(age) + "}") == "allow") ++allowed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::cout << allowed << "\n";
  std::cout << service.Reload("allow = age >= 21");
  std::cout << service.Answer("{\"age\": 20}") << "\n" << service.Answer("{}") << "\n" << service.Answer("{") << "\n";
  return 0;
}

// Prints:
//   Error[HCL1201]: Missing expression
//
//     on policy.hcl line 1, column 21:
//     1 | allow = age >= 18 ||
//       |                     ^
//
//     Expected an expression, but found the end of the text.
//   328
//   deny
//   error: Unknown variable
//   bad request: Expected a property name in quotes, but found the end of the text.
