// Decisions for AuthZEN. Tested by serve/authzen_api_test.cc.
//
// Only one thing allows: a policy that says so. The result lives in the entry's evaluator until its next run, so that
// what is answered of it is written at once.

#include "hclvm/serve/authzen_decision.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/decision_text.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/json/json.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr int kOk = 200;
constexpr int kBadRequest = 400;
constexpr int kFailed = 500;

Limits WithInterrupt(const DecisionRunner& runner) {
  Limits limits = runner.options().limits;
  limits.interrupt = runner.interrupt();
  return limits;
}

// The first error on one line: what is wrong, and where.
std::string Line(const Diagnostics& diagnostics, const Source* source) {
  const Diagnostic& first = diagnostics.kept()[0];
  std::string line = first.summary;
  if (!first.detail.empty()) absl::StrAppend(&line, ": ", first.detail);
  const Source* const of = first.source == nullptr ? source : first.source;
  if (of != nullptr && first.subject)
    absl::StrAppend(&line, " (", of->name(), ":", of->LineAt(first.subject->begin), ")");
  return line;
}

const Value* Attribute(const Value& result, std::string_view name) {
  const int64_t at = result.shape().Find(name);
  return at < 0 ? nullptr : &result.values()[static_cast<size_t>(at)].unmarked();
}

}  // namespace

AuthzenDecider::AuthzenDecider(DecisionRunner* runner, bool is_batch)
    : runner_(*runner), block_(runner->bundle().authzen()), is_batch_(is_batch), limits_(WithInterrupt(*runner)) {
  if (block_ == nullptr) return;
  if (block_->variables || !block_->constant_entry) runner_.decider()->before()->UnbindAll();
  if (block_->answers) runner_.decider()->behind()->UnbindAll();
}

int AuthzenDecider::Decide(const AuthzenParts& parts, std::string* out) {
  Value scope;
  const BundleEntry* entry = nullptr;
  int status = kOk;
  if (!Prepare(parts, &scope, &entry, &status)) return status;
  const BundleModule* const module = &runner_.bundle().modules()[entry->module];
  const bool is_like_last = !changed_.empty() && last_module_ == module;
  const Decision decision = runner_.RunForValue(*entry, scope, Recorded(scope), is_like_last ? &changed_ : nullptr);
  is_noted_ = true;
  last_module_ = module;
  if (decision.outcome != Outcome::kValue) return FailBy(*decision.diagnostics, decision.source);
  Value context;
  if (!Read(decision.value.unmarked(), parts, &context, &status)) return status;
  const size_t begin = out->size();
  out->append(allows_ ? "{\"decision\":true" : "{\"decision\":false");
  if (!context.is_null()) {
    out->append(",\"context\":");
    JsonError error;
    if (!AppendJson(context, limits_, out, &error)) {
      out->resize(begin);
      is_limit_ = error.is_limit;
      return Fail(kFailed, absl::StrCat("the context has no form in JSON: ", error.detail));
    }
  }
  out->push_back('}');
  runner_.SetOutcome(allows_ ? Outcome::kAllow : Outcome::kDeny);
  return kOk;
}

// The entry comes first: it is found by the evaluator that makes the scope, whose next run takes the memory of that.
bool AuthzenDecider::Prepare(const AuthzenParts& parts, Value* scope, const BundleEntry** entry, int* status) {
  is_noted_ = false;
  return FindEntry(parts, entry, status) && MakeScope(parts, scope, status);
}

bool AuthzenDecider::MakeScope(const AuthzenParts& parts, Value* scope, int* status) {
  changed_.clear();
  Arena* const arena = runner_.heap()->arena();
  if (block_ != nullptr && block_->variables) {
    Evaluator* const evaluator = runner_.decider()->before();
    Bind(evaluator, parts);
    const Value* const variables = Evaluate(evaluator, *block_->variables, &parts, status);
    if (variables == nullptr) return false;
    if (ReadVariables(*variables, arena, scope)) return true;
    *status = Fail(kFailed, "the attribute \"variables\" of the block \"authzen\" is no object");
    return false;
  }
  if (block_ != nullptr && !block_->made.empty()) {
    if (!MakeVariables(parts, status)) return made_.clear(), false;
    *scope = MakeObject(block_->shape, made_, arena);
  } else {
    for (size_t n = 0; n < parts.size(); ++n) {
      changed_.push_back(made_.empty() || !parts[n].SameBits(last_parts_[n]));
    }
    made_.assign(parts.begin(), parts.end());
    *scope = AuthzenScope(parts, arena);
  }
  last_parts_ = parts;
  return true;
}

// Parts live until the answer has gone out, so that what has the same bits is the same. What reads no other part than
// before is not made again.
bool AuthzenDecider::MakeVariables(const AuthzenParts& parts, int* status) {
  const bool is_first = made_.empty();
  made_.resize(block_->made.size());
  std::array<bool, kAuthzenParts.size()> is_other;
  for (size_t n = 0; n < parts.size(); ++n) is_other[n] = is_first || !parts[n].SameBits(last_parts_[n]);
  for (size_t n = 0; n < made_.size(); ++n) {
    const Authzen::Variable& variable = block_->made[n];
    bool is_changed = is_first;
    for (size_t part = 0; part < parts.size(); ++part) is_changed |= variable.reads[part] && is_other[part];
    changed_.push_back(is_changed);
    if (!is_changed) continue;
    Evaluator* const evaluator = runner_.decider()->variable(n);
    for (size_t part = 0; part < parts.size(); ++part) {
      if (variable.reads[part]) evaluator->Bind(block_->parts[part], parts[part]);
    }
    const Value* const value = Evaluate(evaluator, variable.chunk, &parts, status);
    if (value == nullptr) return false;
    made_[n] = *value;
  }
  return true;
}

void AuthzenDecider::Bind(Evaluator* evaluator, const AuthzenParts& parts) const {
  for (size_t n = 0; n < parts.size(); ++n) evaluator->Bind(block_->parts[n], parts[n]);
}

// An attribute of the block. Null unless it has a value. `unrun`: the question, where its entry was not run.
const Value* AuthzenDecider::Evaluate(Evaluator* evaluator, uint32_t chunk, const AuthzenParts* unrun, int* status) {
  evaluator->set_interrupt(runner_.interrupt());
  const Evaluation& evaluation = evaluator->RunChunk(chunk);
  if (evaluation.ok()) return &evaluation.value();
  const Source* const source = &evaluator->program().source();
  if (unrun != nullptr) {
    const Value question = AuthzenScope(*unrun, runner_.heap()->arena());
    runner_.NoteFailure(kServiceFileName, question, evaluation, source);
    is_noted_ = true;
  }
  *status = FailBy(evaluation.diagnostics(), source);
  return nullptr;
}

bool AuthzenDecider::FindEntry(const AuthzenParts& parts, const BundleEntry** entry, int* status) {
  *entry = runner_.bundle().authzen_entry();
  if (*entry != nullptr) return true;
  if (block_ == nullptr) {
    *status = Fail(kFailed, absl::StrCat("the bundle has no entry ", kDefaultAuthzenEntry));
    return false;
  }
  Evaluator* const evaluator = runner_.decider()->before();
  Bind(evaluator, parts);
  const Value* const name = Evaluate(evaluator, *block_->entry, &parts, status);
  if (name == nullptr) return false;
  const Value& text = name->unmarked();
  if (text.is_string()) *entry = runner_.bundle().Find(text.AsString());
  if (*entry != nullptr) return true;
  const std::string what = text.is_string() ? absl::StrCat("\"", ToAbsl(text.AsString().substr(0, 256)), "\"")
                                            : std::string("what the block \"authzen\" names");
  *status = Fail(kFailed, absl::StrCat("the bundle has no entry ", what));
  return false;
}

// What the log and the shadow get for the scope, which has to live until the answer has gone out. In a batch, the next
// question takes the memory of what the block has made. All copies together have the size that one result may have:
// beyond, the log says that the input is not known.
Value AuthzenDecider::Recorded(const Value& scope) {
  const bool is_made = block_ != nullptr && (block_->variables || !block_->made.empty());
  if (!is_made || !is_batch_ || !runner_.is_recorded()) return scope;
  if (changed_.empty()) {
    Value copy = scope;
    return Copy(&copy) ? copy : Value::Null();
  }
  if (copied_weight_ > Room()) return Value::Null();
  const bool is_first = copies_.empty();
  copies_.resize(made_.size());
  for (size_t n = 0; n < made_.size(); ++n) {
    if (!is_first && !changed_[n]) continue;
    copies_[n] = made_[n];
    if (!Copy(&copies_[n])) return Value::Null();
  }
  return MakeObject(block_->shape, copies_, runner_.heap()->arena());
}

// Once there is no room, there is none for the rest of the request.
uint64_t AuthzenDecider::Room() const {
  constexpr uint64_t kUnitBytes = 16;  // of Value::weight()
  return limits_.max_result_bytes / kUnitBytes;
}

bool AuthzenDecider::Copy(Value* value) {
  copied_weight_ += value->weight();
  if (copied_weight_ > Room()) return false;
  *value = Clone(*value, runner_.heap()->arena(), runner_.heap()->types());
  return true;
}

// What the block says of the result, or the result by itself: true, false, or an object with "decision" and "context".
// Null is as good as false. Everything else is a mistake of the policy, which no caller should take for a denial.
bool AuthzenDecider::Read(const Value& result, const AuthzenParts& parts, Value* context, int* status) {
  const bool answers = block_ != nullptr && block_->answers;
  const bool result_answers = result.is_mapping() && !(answers && block_->decision);
  if (answers) {
    Evaluator* const evaluator = runner_.decider()->behind();
    Bind(evaluator, parts);
    evaluator->Bind(block_->result, result);
  }
  const Value* decision = &result;
  bool allows = false;
  if (answers && block_->decision) {
    decision = Evaluate(runner_.decider()->behind(), *block_->decision, nullptr, status);
    if (decision != nullptr) decision = &decision->unmarked();
  } else if (result_answers) {
    decision = Attribute(result, "decision");
    if (decision == nullptr) *status = Fail(kFailed, "the result is an object without the attribute \"decision\"");
  }
  if (decision == nullptr) return false;
  if (!decision->is_bool() && !decision->is_null()) {
    *status = Fail(kFailed, absl::StrCat("the decision must be true or false, and is: ", FriendlyName(*decision)));
    return false;
  }
  allows = decision->is_true();
  const Value* given = nullptr;
  if (answers && block_->context) {
    given = Evaluate(runner_.decider()->behind(), *block_->context, nullptr, status);
    if (given == nullptr) return false;
  } else if (result_answers) {
    given = Attribute(result, "context");
  }
  *context = given == nullptr ? Value::Null() : given->unmarked();
  if (!context->is_null() && !context->is_mapping()) {
    *status = Fail(kFailed, absl::StrCat("the context must be an object, and is: ", FriendlyName(*context)));
    return false;
  }
  allows_ = allows;
  return true;
}

int AuthzenDecider::Fail(int status, std::string message) {
  allows_ = false;
  message_ = std::move(message);
  if (is_noted_) runner_.SetOutcome(std::exchange(is_limit_, false) ? Outcome::kLimit : Outcome::kError);
  return status;
}

int AuthzenDecider::FailBy(const Diagnostics& diagnostics, const Source* source) {
  const Outcome outcome = OutcomeOf(diagnostics);
  allows_ = false;
  message_ = outcome == Outcome::kLimit
                 ? absl::StrCat("a limit was crossed: ", ToAbsl(NameOf(ReasonOf(diagnostics))), "; ")
                 : std::string();
  message_ += Line(diagnostics, source);
  if (is_noted_) runner_.SetOutcome(outcome);
  return outcome == Outcome::kBadScope ? kBadRequest : kFailed;
}

}  // namespace hcl::serve
