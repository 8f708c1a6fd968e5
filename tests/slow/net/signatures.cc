#include "hclvm/tests/slow/net/signatures.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr int kTries = 80;
constexpr size_t kMostSignatures = 10;
constexpr size_t kMostArguments = 4;
constexpr uint32_t kWeightOfACall = 3;
constexpr uint32_t kMostWeight = 60;

// Values of all kinds.
constexpr const char* kArguments[] = {
    "0",
    "1",
    "2",
    "-3",
    "2.5",
    "\"\"",
    "\"a\"",
    "\"hello, world\"",
    "\"12\"",
    "true",
    "false",
    "null",
    "[]",
    "[1, 2, 3]",
    "[3, 1]",
    "[\"b\", \"a\", \"c\"]",
    "[\"a\", \"b\"]",
    "[true, false]",
    "[[\"a\"], [\"b\", \"c\"]]",
    "{}",
    "{a = 1, b = 2}",
    "{a = \"x\", b = \"y\"}",
    "[{a = 1}, {a = 2}]",
    "{a = [\"x\"]}",
};

// What the slow evaluator does not know: marks, and a type as an argument.
bool IsLeftOut(const Function& function) {
  return !function.pure || absl::StrContains(function.name, "sensitive") ||
         function.special == Function::Special::kConvert;
}

class Learner {
 public:
  Learner() : side_(Dialect::kSpec) {
    for (const char* text : kArguments) {
      const Parsed parsed(text);
      pool_.push_back({text, WantOf(*side_.Evaluate(parsed, none_).value), false});
    }
  }

  std::vector<Signature> Learn(const Function& function) {
    signatures_.clear();
    seen_.clear();
    TakeExample(function);
    for (int n = 0; n < kTries && signatures_.size() < kMostSignatures; ++n) {
      std::vector<Signature::Argument> arguments;
      const size_t least = function.parameters.size();
      const size_t most = std::min(function.max_arguments(), std::max(kMostArguments, least));
      const size_t count = least + dice_.Roll(static_cast<uint32_t>(most - least + 1));
      while (arguments.size() < count) arguments.push_back(dice_.Pick(pool_));
      Try(function.name, std::move(arguments));
    }
    return signatures_;
  }

 private:
  void TakeExample(const Function& function) {
    FunctionFamily family;
    const FunctionRecord* record = FindRecord(function.name, &family);
    if (record == nullptr) return;
    const Parsed parsed(record->example);
    if (parsed.ok()) TakeCalls(function.name, *parsed.expr());
  }

  void TakeCalls(const std::string& name, const Expr& expr) {
    if (expr.kind == ExprKind::kCall && As<CallExpr>(expr).name == name && !As<CallExpr>(expr).expand_last) {
      std::vector<Signature::Argument> arguments;
      for (const Expr* argument : As<CallExpr>(expr).arguments) {
        const Parsed parsed(PrintExpr(*argument));
        const Outcome outcome = side_.Evaluate(parsed, none_);
        if (outcome.ok()) arguments.push_back({PrintExpr(*argument), WantOf(*outcome.value), true});
      }
      Try(name, std::move(arguments));
    }
    internal::ForEachChild(expr, [&](const Expr* child) { TakeCalls(name, *child); });
  }

  void Try(const std::string& name, std::vector<Signature::Argument> arguments) {
    const Parsed parsed(absl::StrCat(
        name, "(", absl::StrJoin(arguments, ", ", [](std::string* out, const auto& a) { *out += a.text; }), ")"));
    if (!parsed.ok()) return;
    const Outcome outcome = side_.Evaluate(parsed, none_);
    if (!outcome.ok()) return;
    const Want result = WantOf(*outcome.value);
    std::string key;
    for (const auto& a : arguments)
      absl::StrAppend(&key, static_cast<int>(a.want.kind), "-", static_cast<int>(a.want.element), " ");
    absl::StrAppend(&key, static_cast<int>(result.kind));
    if (seen_.insert(key).second) signatures_.push_back({std::move(arguments), result});
  }

  SlowSide side_;
  Heap heap_;
  Value none_ = MakeObject(absl::Span<const KeyValue>(), heap_.arena());
  Dice dice_{1};
  std::vector<Signature::Argument> pool_;
  std::vector<Signature> signatures_;
  std::set<std::string> seen_;
};

}  // namespace

Signatures::Signatures(const Corpus& corpus) {
  const std::shared_ptr<const FunctionRegistry> registry = StandardFunctions();
  Learner learner;
  for (const std::string_view name : registry->Names()) {
    const Function& function = *registry->Find(name);
    if (IsLeftOut(function)) continue;
    KnownFunction known;
    known.name = std::string(name);
    known.weight = std::min(1 + kWeightOfACall * corpus.CountCalls(known.name), kMostWeight);
    known.signatures = learner.Learn(function);
    known.least = function.parameters.size();
    known.most = std::min(function.max_arguments(), std::max(kMostArguments, known.least));
    std::set<Kind> kinds = {Kind::kAny};
    for (const Signature& signature : known.signatures) kinds.insert(signature.result.kind);
    for (const Kind kind : kinds) {
      std::vector<uint32_t>& giving = giving_[static_cast<size_t>(kind)];
      giving.insert(giving.end(), known.weight, static_cast<uint32_t>(functions_.size()));
    }
    functions_.push_back(std::move(known));
  }
}

}  // namespace hcl::testing_support
