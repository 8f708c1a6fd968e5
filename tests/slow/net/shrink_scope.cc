#include "hclvm/tests/slow/net/shrink_scope.h"

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr int kMostSteps = 400;

// What is smaller than `value` by one step, of the same kind where that can be.
void AddSmaller(const Value& value, Heap* heap, std::vector<Value>* smaller) {
  Arena* arena = heap->arena();
  if (value.is_marked()) {
    smaller->push_back(value.unmarked());
    return;
  }
  if (value.is_number() && !(value.is_int() && value.AsInt() <= 1 && value.AsInt() >= 0)) {
    smaller->push_back(Value::Int(0));
    smaller->push_back(Value::Int(1));
  }
  if (value.is_string() && value.AsString().size() > 1) smaller->push_back(Value::StringView("a"));
  if (value.is_string() && !value.AsString().empty()) smaller->push_back(Value::StringView(""));
  if (!value.is_sequence() && !value.is_mapping()) return;
  const absl::Span<const Value> parts = value.is_sequence() ? value.elements() : value.values();
  const auto with = [&](const std::vector<Value>& values, const std::vector<KeyValue>& pairs) {
    if (value.is_tuple()) return MakeTuple(values, arena);
    if (value.is_list()) return MakeList(value.element_type(), values, arena);
    if (value.is_set()) return MakeSet(value.element_type(), values, arena);
    return value.is_object() ? MakeObject(pairs, arena) : MakeMap(value.element_type(), pairs, arena);
  };
  // Half of it, then all but one, then one part smaller.
  const auto add_without = [&](size_t begin, size_t end) {
    std::vector<Value> values;
    std::vector<KeyValue> pairs;
    for (size_t n = 0; n < parts.size(); ++n) {
      if (n >= begin && n < end) continue;
      values.push_back(parts[n]);
      if (value.is_mapping()) pairs.push_back({value.shape().keys[n], parts[n]});
    }
    smaller->push_back(with(values, pairs));
  };
  if (parts.size() > 3) {
    add_without(0, parts.size() / 2);
    add_without(parts.size() / 2, parts.size());
  }
  for (size_t n = 0; n < parts.size(); ++n) add_without(n, n + 1);
  for (size_t n = 0; n < parts.size(); ++n) {
    std::vector<Value> of_part;
    AddSmaller(parts[n], heap, &of_part);
    for (const Value& part : of_part) {
      // A collection has elements of one type.
      const bool has_type = value.is_list() || value.is_map() || value.is_set();
      if (has_type && TypeOf(part.unmarked(), heap->types()) != value.element_type()) continue;
      std::vector<Value> values(parts.begin(), parts.end());
      values[n] = part;
      std::vector<KeyValue> pairs;
      for (size_t i = 0; value.is_mapping() && i < values.size(); ++i) {
        pairs.push_back({value.shape().keys[i], values[i]});
      }
      smaller->push_back(with(values, pairs));
    }
  }
}

}  // namespace

OddScope ScopeOf(const Value& variables, Heap* heap) {
  OddScope scope = {variables, variables, variables.has_marks()};
  MarkSet marks = 0;
  if (scope.has_marks) scope.bare = UnmarkDeep(variables, &marks, heap->arena());
  return scope;
}

OddScope ShrinkScope(const OddScope& scope, const std::function<bool(const OddScope&)>& shows, Heap* heap) {
  OddScope best = scope;
  int steps = kMostSteps;
  for (bool found = true; found;) {
    found = false;
    std::vector<Value> smaller;
    AddSmaller(best.marked, heap, &smaller);
    for (const Value& candidate : smaller) {
      if (steps-- <= 0) return best;
      const OddScope next = ScopeOf(candidate, heap);
      if (!shows(next)) continue;
      best = next;
      found = true;
      break;
    }
  }
  return best;
}

}  // namespace hcl::testing_support
