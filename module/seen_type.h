// SeenType: what the values at one place of many documents have in common, such as the attribute `user.name` of all
// lines of a file. Grows with what is different, and not with the number of values.
//
// Internal to modules. Tested by module/infer_test.cc.

#ifndef HCLVM_MODULE_SEEN_TYPE_H_
#define HCLVM_MODULE_SEEN_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

struct SeenType {
  enum class Kind : uint8_t { kAbsent, kBool, kNumber, kString, kList, kObject, kMap, kAny };

  Kind kind = Kind::kAbsent;  // of all values but nulls
  bool has_null = false;
  uint64_t values = 0;                                          // without nulls
  std::unique_ptr<SeenType> element;                            // of a list or map
  std::map<std::string, std::unique_ptr<SeenType>> attributes;  // of an object
  uint64_t filled = 0;                                          // of an object: values that have attributes
  bool repeats = false;                                         // of an object: two values have an attribute in common
};

// A type to declare, in a heap.
struct InferredType {
  Type type;
  std::shared_ptr<TypeDefaults> defaults;  // null where no attribute may be missing
};

// Keeps the bounds of a tree of them. Not thread-safe.
class SeenTypes {
 public:
  struct Bounds {
    uint32_t depth = 32;       // what lies deeper is of any type
    size_t attributes = 32;    // an object that has more of them is a map
    uint64_t parts = 100'000;  // what is met when so many are there is of any type; a long name counts as several
  };

  explicit SeenTypes(const Bounds& bounds) : bounds_(bounds), left_(bounds.parts) {}

  // Adds a known value without marks, as read from JSON. `depth` is that of `seen`. Recursion follows the depth.
  void Add(const Value& value, uint32_t depth, SeenType* seen);

  // The type that takes all values that were added to `seen`, in `heap`; null is none of them.
  InferredType TypeOf(const SeenType& seen, Heap* heap) const;

 private:
  void AddAttributes(const Value& object, uint32_t depth, SeenType* seen);
  void AddElement(const Value& value, uint32_t depth, SeenType* seen);
  void Merge(const SeenType& from, SeenType* to) const;
  void MergeAttributes(const SeenType& from, SeenType* to) const;
  void BecomeMap(SeenType* seen) const;
  InferredType TypeOfCollection(TypeKind kind, const SeenType& element, Heap* heap) const;
  InferredType TypeOfObject(const SeenType& seen, Heap* heap) const;
  bool Spend(std::string_view name);

  Bounds bounds_;
  uint64_t left_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_SEEN_TYPE_H_
