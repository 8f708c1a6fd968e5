// What the bundle in force says to a question of AuthZEN: the authzen block, the entry, and the answer
// (docs/authzen.md).
//
// Tested by serve/authzen_api_test.cc.

#ifndef HCLVM_SERVE_AUTHZEN_DECISION_H_
#define HCLVM_SERVE_AUTHZEN_DECISION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/authzen_question.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// Decides the questions of one request, one after the other. Belongs to one thread.
class AuthzenDecider {
 public:
  // The runner's Begin() has returned true; it must outlive this. `is_batch`: there is more than one question.
  AuthzenDecider(DecisionRunner* runner, bool is_batch);

  // Whether the bundle answers any: it has an authzen block, or the entry authzen/decision.
  static bool Answers(const Bundle& bundle) { return bundle.authzen() != nullptr || bundle.authzen_entry() != nullptr; }

  // Appends {"decision": ...} to *out and returns 200. Otherwise nothing is appended: message() says why, and the
  // status is 400 where the question does not fit what the policy declares, and 500 where the policy has failed or
  // crossed a limit. It is the decision that the runner's NewId() has named last.
  int Decide(const AuthzenParts& parts, std::string* out);
  // After a Decide() that returned 200.
  bool allows() const { return allows_; }
  // One line, after a Decide() that did not.
  const std::string& message() const { return message_; }

  // Makes the scope and finds the entry for the question, without running it. Otherwise false, with message() and
  // *status. The scope lives until the next call.
  bool Prepare(const AuthzenParts& parts, Value* scope, const BundleEntry** entry, int* status);

 private:
  void Bind(Evaluator* evaluator, const AuthzenParts& parts) const;
  const Value* Evaluate(Evaluator* evaluator, uint32_t chunk, const AuthzenParts* unrun, int* status);
  bool FindEntry(const AuthzenParts& parts, const BundleEntry** entry, int* status);
  bool MakeScope(const AuthzenParts& parts, Value* scope, int* status);
  bool MakeVariables(const AuthzenParts& parts, int* status);
  Value Recorded(const Value& scope);
  uint64_t Room() const;
  bool Copy(Value* value);
  bool Read(const Value& result, const AuthzenParts& parts, Value* context, int* status);
  int Fail(int status, std::string message);
  int FailBy(const Diagnostics& diagnostics, const Source* source);

  DecisionRunner& runner_;
  const Authzen* const block_;  // null: none
  const bool is_batch_;
  const Limits limits_;
  // Of a batch: the parts of the last question that a scope was made of, and the values of that scope, where they live
  // on until the next one; and their copies for the log.
  AuthzenParts last_parts_;
  std::vector<Value> made_;  // empty: none
  std::vector<Value> copies_;
  uint64_t copied_weight_ = 0;
  // Which values of the scope are others than in the last one; empty: nothing is known.
  std::vector<bool> changed_;
  const BundleModule* last_module_ = nullptr;  // of the last entry that was run
  bool allows_ = false;
  bool is_noted_ = false;  // the runner has a decision for the question
  bool is_limit_ = false;  // what fails next has crossed a limit
  std::string message_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTHZEN_DECISION_H_
