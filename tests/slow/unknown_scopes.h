// Variables of which less is known than there is to know, and what they may turn out to be.

#ifndef HCLVM_TESTS_SLOW_UNKNOWN_SCOPES_H_
#define HCLVM_TESTS_SLOW_UNKNOWN_SCOPES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/tests/slow/generator.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// The variables that one program reads. Values live in `heap`, until it is reset.
class UnknownScopes {
 public:
  // Of `variables`, an object, those count whose names occur in `text`. All must outlive this.
  UnknownScopes(const std::string& text, const Value& variables, Heap* heap, Generator* random);

  // The variables with up to two of them, or parts of them, unknown beside those that are so anyway; with what may be
  // known of them besides their types.
  Value Blurred();
  // The variables with some of them holding what others should, and one unknown now and then: wrong types, nulls.
  Value Mixed();
  // The variables of `blurred`, which Blurred() has given, with known values in place of unknown ones: values that may
  // be so, and now and then those of `variables`. Each call gives others.
  Value Sample(const Value& blurred);

 private:
  Value Blur(const Value& value);
  Value Refined(const Value& value);

  const Value& variables_;
  Heap* heap_;
  Generator* random_;
  std::vector<size_t> read_;  // indexes of the variables
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_UNKNOWN_SCOPES_H_
