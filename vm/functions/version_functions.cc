// Functions of versions. Tested by vm/functions/version_functions_test.cc.

#include "hclvm/vm/functions/version_functions.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/semantic_version.h"

namespace hcl::internal {
namespace {

// Units of fuel for a version or condition, and bytes of the text that one more is for.
constexpr uint64_t kCostOfVersion = 8;
constexpr uint64_t kBytesOfUnit = 4;

// Argument number `argument` as a version; false when the call has failed.
bool ReadArgument(FunctionCall* call, absl::Span<const Value> arguments, size_t argument, SemanticVersion* version) {
  const std::string_view text = arguments[argument].AsString();
  if (!call->Charge(kCostOfVersion + text.size() / kBytesOfUnit)) return false;
  if (ReadVersion(text, version)) return true;
  call->ArgumentError(argument, "a version is required, such as 1.2.3 or 2.0.0-rc.1");
  return false;
}

void CheckVersion(FunctionCall* call, absl::Span<const Value> arguments, size_t argument) {
  SemanticVersion version;
  if (!arguments[argument].is_unknown()) ReadArgument(call, arguments, argument, &version);
}

Value SemverCmp(FunctionCall* call, absl::Span<const Value> arguments) {
  SemanticVersion a;
  SemanticVersion b;
  if (!ReadArgument(call, arguments, 0, &a) || !ReadArgument(call, arguments, 1, &b)) return Value();
  return Value::Int(CompareVersions(a, b));
}

void CheckSemverCmp(FunctionCall* call, absl::Span<const Value> arguments) {
  CheckVersion(call, arguments, 0);
  if (!call->failed()) CheckVersion(call, arguments, 1);
}

// The conditions of a call, which are constant.
struct Conditions {
  std::string text;  // that they are views of
  std::vector<VersionCondition> all;
};

// Function::prepare: the conditions, argument number 1. Wrong ones are reported when the call runs.
Prepared PrepareConditions(FunctionCall* call, absl::Span<const Value* const> constants) {
  if (constants[1] == nullptr) return {};
  auto conditions = std::make_shared<Conditions>();
  conditions->text = std::string(constants[1]->AsString());
  std::string_view text = conditions->text;
  if (!CanMake(call, text.size(), sizeof(VersionCondition)) || !call->Charge(text.size())) return {};
  do {
    VersionCondition condition;
    if (!TakeCondition(&text, &condition)) return {};
    conditions->all.push_back(std::move(condition));
  } while (!text.empty());
  const size_t bytes = sizeof(Conditions) + conditions->text.capacity() +
                       conditions->all.capacity() * sizeof(VersionCondition) +
                       conditions->text.size() * sizeof(std::string_view);  // of versions with many numbers
  return {std::move(conditions), bytes};
}

// All conditions are read, so that a mistake in one shows for every version. `version` is null where it is not known.
// Each condition costs what comparing takes: the version may be long, and the conditions many. It costs the same where
// they were prepared.
bool MeetsAll(FunctionCall* call, absl::Span<const Value> arguments, const SemanticVersion* version) {
  std::string_view text = arguments[1].AsString();
  const uint64_t for_each = kCostOfVersion + (version == nullptr ? 0 : arguments[0].AsString().size() / kBytesOfUnit);
  if (!call->Charge(text.size() / kBytesOfUnit)) return false;
  bool meets = true;
  const auto meet = [&](const VersionCondition& condition) {
    meets = meets && (version == nullptr || Meets(*version, condition));
  };
  if (const auto* const prepared = static_cast<const Conditions*>(call->prepared()); prepared != nullptr) {
    for (const VersionCondition& condition : prepared->all) {
      if (!call->Charge(for_each)) return false;
      meet(condition);
    }
    return meets;
  }
  do {
    VersionCondition condition;
    if (!call->Charge(for_each)) return false;
    if (!TakeCondition(&text, &condition)) {
      call->ArgumentError(1, "conditions on a version are required, such as \">= 1.2.0, < 2.0.0\" or \"~> 1.4\"");
      return false;
    }
    meet(condition);
  } while (!text.empty());
  return meets;
}

Value SemverConstraint(FunctionCall* call, absl::Span<const Value> arguments) {
  SemanticVersion version;
  if (!ReadArgument(call, arguments, 0, &version)) return Value();
  const bool meets = MeetsAll(call, arguments, &version);
  return call->failed() ? Value() : Value::Bool(meets);
}

void CheckSemverConstraint(FunctionCall* call, absl::Span<const Value> arguments) {
  CheckVersion(call, arguments, 0);
  if (!call->failed() && !arguments[1].is_unknown()) MeetsAll(call, arguments, nullptr);
}

}  // namespace

void RegisterVersionFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  builder->Add(Checked(CheckSemverCmp, Define("semvercmp", {Param("version_a", string), Param("version_b", string)},
                                              Type::Number(), SemverCmp)));
  Function constraint = Define("semverconstraint", {Param("version", string), Param("constraint", string)},
                               Type::Bool(), SemverConstraint);
  constraint.prepare = PrepareConditions;
  builder->Add(Checked(CheckSemverConstraint, std::move(constraint)));
}

}  // namespace hcl::internal
