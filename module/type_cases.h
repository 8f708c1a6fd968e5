// TypeCases: the types that the values of a StaticType have in runs, as examples.
//
// Internal to modules. Tested by module/type_checker_test.cc and tests/slow/check_types_law_test.cc.

#ifndef HCLVM_MODULE_TYPE_CASES_H_
#define HCLVM_MODULE_TYPE_CASES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/module/static_type.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

// What an operation does with values, as far as their types decide.
enum class Outcome : uint8_t {
  kFits,     // it does not fail, or nothing is known
  kMayFail,  // it fails for some of the types
  kFails,    // it fails for all of them
};

// A StaticType may stand for several types: what a loop makes is a tuple of any length, and a branch may be an object
// or a map. An operation is tried with an example of each. Not thread-safe.
class TypeCases {
 public:
  // Types are made in `heap`, or by `types`, whose table is above that of the heap; both must outlive this.
  TypeCases(StaticTypes* types, Heap* heap) : types_(*types), heap_(*heap), table_(*heap->types()) {}

  // Takes the operands of one operation: the lengths of tuples and the names of attributes in one of them are of
  // interest for the others. Nulls are for the caller to look at.
  void Begin(absl::Span<const StaticType* const> operands);

  // Calls try_types(types), with a type for each operand, until the outcome is known; it says whether the operation
  // succeeds. Without `asks_all`, the first success is enough for kFits.
  Outcome Try(bool asks_all, absl::FunctionRef<bool(absl::Span<const Type>)> try_types) const;

 private:
  using Types = std::vector<Type>;

  void NoteParts(const StaticType& type, int depth);
  Types CasesOf(const StaticType& type, int depth);
  Types CasesOfParts(const StaticType& type, int depth);
  void AddUnified(const Types& parts, const StaticType& type, Types* cases);
  void AddTuples(const Types& elements, Types* cases);
  void AddObjects(const Types& elements, Types* cases);
  Type ObjectOf(absl::Span<const std::string_view> names, absl::Span<const Type> parts);

  StaticTypes& types_;
  Heap& heap_;
  TypeTable& table_;
  std::vector<size_t> lengths_;
  std::vector<std::string_view> names_;
  std::vector<Types> operands_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_TYPE_CASES_H_
