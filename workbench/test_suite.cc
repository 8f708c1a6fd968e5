// TestSuite, once it is read. Tested by workbench/test_suite_test.cc.

#include "hclvm/workbench/test_suite.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"

namespace hcl::internal {
namespace {

// `value` without what the steps lead to. Recursion follows the steps, as far as the value has them.
Value Without(const Value& value, absl::Span<const std::string> steps, Heap* heap) {
  if (steps.empty() || !value.is_mapping()) return value;
  const int64_t at = value.shape().Find(steps[0]);
  if (at < 0) return value;
  std::vector<KeyValue> pairs;
  for (uint32_t n = 0; n < value.shape().size; ++n) {
    if (n != at) pairs.push_back({value.shape().keys[n], value.values()[n]});
    if (n == at && steps.size() > 1) {
      pairs.push_back({value.shape().keys[n], Without(value.values()[n], steps.subspan(1), heap)});
    }
  }
  return MakeObject(pairs, heap->arena());
}

Value WithoutAll(Value value, const std::vector<std::string>& paths, Heap* heap) {
  for (const std::string& path : paths) {
    const std::vector<std::string> steps = absl::StrSplit(path, '.');
    value = Without(value, absl::MakeConstSpan(steps), heap);
  }
  return value;
}

}  // namespace

Value LaidOver(const Value& base, const Value& over, Heap* heap) {
  if (!base.is_mapping() || !over.is_mapping()) return over;
  if (over.size() == 0) return base;
  std::vector<KeyValue> pairs;
  for (uint32_t n = 0; n < base.shape().size; ++n) pairs.push_back({base.shape().keys[n], base.values()[n]});
  for (uint32_t n = 0; n < over.shape().size; ++n) {
    const Value& key = over.shape().keys[n];
    const int64_t at = base.shape().Find(key);
    if (at < 0) {
      pairs.push_back({key, over.values()[n]});
    } else {
      pairs[at].value = LaidOver(base.values()[at], over.values()[n], heap);
    }
  }
  return MakeObject(pairs, heap->arena());
}

std::string TestSuite::CaseName(size_t test, size_t case_number) const {
  const SuiteTest& one = tests_[test];
  const std::string case_name = case_number < one.cases.size() ? one.cases[case_number].name : "";
  return case_name.empty() ? one.name : absl::StrCat(one.name, "/", case_name);
}

Value TestSuite::ScopeOf(const SuiteTest& test, const SuiteCase& one, Heap* heap) const {
  Value scope = WithoutAll(LaidOver(usual_, test.with, heap), test.without, heap);
  scope = WithoutAll(LaidOver(scope, one.with, heap), one.without, heap);
  return scope;
}

Diagnostic TestSuite::Placed(Diagnostic diagnostic) const {
  if (diagnostic.source == nullptr) diagnostic.source = &program_->source();
  if (diagnostic.source == masked_.get()) diagnostic.source = source_.get();
  return diagnostic;
}

}  // namespace hcl::internal
