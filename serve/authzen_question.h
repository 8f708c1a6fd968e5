// Questions of AuthZEN's Authorization API 1.0: what a request asks, checked, with its defaults (docs/authzen.md).
//
// Tested by serve/authzen_question_test.cc.

#ifndef HCLVM_SERVE_AUTHZEN_QUESTION_H_
#define HCLVM_SERVE_AUTHZEN_QUESTION_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/serve/authz.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// The parts of one question, in the order of kAuthzenParts: objects that have the members which are required, and
// "properties". Other members are there as they were sent.
using AuthzenParts = std::array<Value, kAuthzenParts.size()>;

// The question as a scope: its parts by their names. Its memory is in `arena`.
Value AuthzenScope(const AuthzenParts& parts, Arena* arena);

// "expected object, found array": kinds have the names that JSON has for them.
std::string ExpectedAuthzen(std::string_view what, const Value& found);

// When a batch ends.
enum class AuthzenSemantic { kExecuteAll, kDenyOnFirstDeny, kPermitOnFirstPermit };

// What one request asks. Belongs to one thread.
class AuthzenRequest {
 public:
  // `body` is an object that lives as long as this. What is made besides is in `arena`, which does so as well.
  AuthzenRequest(const Value& body, Arena* arena) : body_(body), arena_(arena) {}

  // Reads what a batch has besides its questions. What is wrong with it, or nothing. Without it, evaluations() is
  // empty.
  std::string ReadBatch();
  // The questions of a batch; empty: the request is one question.
  absl::Span<const Value> evaluations() const { return evaluations_; }
  AuthzenSemantic semantic() const { return semantic_; }

  // Makes the parts of one of the evaluations, or, where it is null, of the request itself. What is wrong, or nothing.
  std::string Question(const Value* evaluation, AuthzenParts* parts);

 private:
  // What the request says of a part for all its evaluations.
  struct Default {
    bool is_made = false;
    Value part;
    std::string fault;
  };

  const Default& DefaultOf(size_t part);
  std::string Complete(size_t part, const Value& given, const Value* otherwise, Value* made);

  const Value body_;
  Arena* const arena_;
  absl::Span<const Value> evaluations_;
  AuthzenSemantic semantic_ = AuthzenSemantic::kExecuteAll;
  std::array<Default, kAuthzenParts.size()> defaults_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_AUTHZEN_QUESTION_H_
