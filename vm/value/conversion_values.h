// What the ways to convert values share.
//
// Internal to conversion.cc and conversion_plan.cc. Tested by vm/value/conversion_plan_test.cc.

#ifndef HCLVM_VM_VALUE_CONVERSION_VALUES_H_
#define HCLVM_VM_VALUE_CONVERSION_VALUES_H_

#include <cstddef>
#include <string>

#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {

// Convert() for a value inside of another one.
bool ConvertPart(const Value& value, Type to, Heap* heap, Value* result, ConversionError* error);

// Whether `items` more values fit into the heap; the error is set when not.
bool ReserveValues(size_t items, const Heap& heap, ConversionError* error);

// Where element or attribute `i` of `container` is, as the start of an error's path.
std::string PathToItem(const Value& container, size_t i);

// What is said of a value of a type from which no conversion to `to` exists.
std::string MismatchMessage(Type from, Type to);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_VM_VALUE_CONVERSION_VALUES_H_
