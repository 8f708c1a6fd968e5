// UnknownScopes. Tested by tests/slow/unknown_law_test.cc.

#include "hclvm/tests/slow/unknown_scopes.h"

#include <algorithm>

#include "absl/types/span.h"
#include "hclvm/tests/value_sampler.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {

UnknownScopes::UnknownScopes(const std::string& text, const Value& variables, Heap* heap, Generator* random)
    : variables_(variables), heap_(heap), random_(random) {
  for (size_t n = 0; n < variables.size(); ++n) {
    if (text.find(std::string(variables.shape().keys[n].AsString())) != std::string::npos) read_.push_back(n);
  }
}

Value UnknownScopes::Blurred() {
  std::vector<Value> values(variables_.values().begin(), variables_.values().end());
  for (uint32_t n = random_->Below(3); n > 0 && !read_.empty(); --n) {
    Value& value = values[read_[random_->Below(static_cast<uint32_t>(read_.size()))]];
    value = Blur(value);
  }
  return MakeObject(&variables_.shape(), values, heap_->arena());
}

Value UnknownScopes::Mixed() {
  std::vector<Value> values(variables_.values().begin(), variables_.values().end());
  for (const size_t at : read_) {
    const uint32_t choice = random_->Below(8);
    if (choice < 3) values[at] = variables_.values()[random_->Below(static_cast<uint32_t>(variables_.size()))];
    if (choice == 3) values[at] = Blur(values[at]);
  }
  return MakeObject(&variables_.shape(), values, heap_->arena());
}

Value UnknownScopes::Sample(const Value& blurred) {
  std::vector<Value> values(blurred.values().begin(), blurred.values().end());
  ValueSampler sampler(random_->Below(UINT32_MAX), heap_);
  for (const size_t at : read_) {
    const Value& real = variables_.values()[at];
    values[at] = real.is_wholly_known() && random_->Below(4) == 0 ? real : sampler.Known(values[at]);
  }
  return MakeObject(&blurred.shape(), values, heap_->arena());
}

// `value`, or a part of it, unknown.
Value UnknownScopes::Blur(const Value& value) {
  if (!value.is_known()) return value;
  const bool is_compound = (value.is_sequence() && !value.is_set()) || value.is_mapping();
  if (!is_compound || value.size() == 0 || random_->Below(2) == 0) {
    if (random_->Below(4) == 0) return Value::Dynamic();
    return random_->Below(2) == 0 ? Refined(value) : Value::Unknown(TypeOf(value, heap_->types()));
  }
  const size_t at = random_->Below(static_cast<uint32_t>(value.size()));
  const bool is_collection = value.is_list() || value.is_map();
  const absl::Span<const Value> old = value.is_sequence() ? value.elements() : value.values();
  std::vector<Value> parts(old.begin(), old.end());
  parts[at] = is_collection ? Value::Unknown(value.element_type()) : Blur(parts[at]);
  if (value.is_tuple()) return MakeTuple(parts, heap_->arena());
  if (value.is_list()) return MakeList(value.element_type(), parts, heap_->arena());
  if (value.is_object()) return MakeObject(&value.shape(), parts, heap_->arena());
  return MakeMap(value.element_type(), &value.shape(), parts, heap_->arena());
}

// The unknown value of its type of which more is known, all of it true of `value`.
Value UnknownScopes::Refined(const Value& value) {
  Refinement r;
  r.type = TypeOf(value, heap_->types());
  r.not_null = !value.is_null() && random_->Below(3) != 0;
  if (!r.not_null) return Value::Unknown(r.type);
  if (value.is_number()) {
    if (random_->Below(2) == 0) r.min = NumberBound{value.AsNumber(), true};
    if (random_->Below(2) == 0) r.max = NumberBound{value.AsNumber(), true};
  } else if (value.is_string()) {
    r.prefix = SafePrefix(value.AsString().substr(0, random_->Below(4)));
  } else if (r.type.is_collection()) {
    r.min_length = std::min<uint64_t>(value.size(), random_->Below(3));
    r.max_length = random_->Below(2) == 0 ? UINT64_MAX : value.size() + random_->Below(3);
  }
  return RefinedUnknown(r, heap_->arena());
}

}  // namespace hcl::testing_support
