// Conversion and unification of types.
//
// Specification: information-model.md, "Type Conversions and Unification"; docs/language.md, "Dialects". Recursion is
// bounded by the depth of types, hence by Limits::max_nesting_depth. Tested by vm/value/conversion_test.cc,
// vm/value/unify_test.cc, vm/value/conversion_plan_test.cc.

#ifndef HCLVM_VM_VALUE_CONVERSION_H_
#define HCLVM_VM_VALUE_CONVERSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/silence.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// Why a conversion failed.
struct ConversionError {
  std::string path;       // where, from the converted value: ".rules[2].port"; empty for the value itself
  std::string message;    // "a number is required"
  bool is_limit = false;  // the value could be converted under a higher limit, which the message names
  // Internal. Set by the caller: whom to ask whether path and message will be read; otherwise they stay empty, but
  // where is_limit is set.
  const internal::Silence* silence = nullptr;
  // Internal. Set by the caller, who has paid ConversionCost(): what pays for all else that the conversion does; null:
  // nothing does. Where it is used up, the conversion fails.
  Fuel* fuel = nullptr;

  // The path, if any, a colon, and the message.
  std::string ToString() const;
};

// Whether some values of `from` can be converted to `to`; with `unsafe` false, whether all can, keeping them distinct.
bool IsConvertible(Type from, Type to, bool unsafe, Dialect dialect);

// `value` converted to `to` (unsafe conversions allowed), in `heap`. Dynamic in `to` is taken from the value; the
// result's type is `to` where that is concrete. False and *error on failure. `*result` may alias `value`.
bool Convert(const Value& value, Type to, Heap* heap, Value* result, ConversionError* error);

// The number that `text`, a known string, is converted to; false where that fails.
bool ReadNumber(const Value& text, Heap* heap, Value* number);

// Units of fuel that such a conversion takes for each part of the value, about. What elements of different types take
// beyond that shows only on the way (ConversionError::fuel).
uint64_t ConversionCost(const Value& value, Type to);

// The type that all of `types` can be converted to (unsafe conversions allowed), or false. No types: false. In kSpec,
// collections beside tuples or objects may unify to another type where their values do not convert to this one
// (docs/language.md, "Dialects"). `fuel` (may be null) pays for the work; where it is used up, the result is false.
bool Unify(absl::Span<const Type> types, Heap* heap, Type* result, Fuel* fuel = nullptr);

class ConversionCache;
namespace internal {
class Unification;
}

// How values of one type become values of another, worked out once. Immutable; gives what Convert() gives.
class Conversion {
 public:
  enum class Kind : uint8_t {
    kIdentity,    // the types are the same, or nothing is asked for
    kImpossible,  // fails for every known value
    kPrimitive,   // between bool, number and string
    kItems,       // a list, map, tuple or object, item by item, by plans for the items
    kGeneral,     // depends on more of the value than its type: Convert()
  };

  // The plan from `from` to `to` in the heap's dialect; made unless `cache` has it. Both types are of the heap's table
  // or its parents, or outlive the cache. Valid until the next call with this cache.
  static const Conversion& Get(Type from, Type to, Heap* heap, ConversionCache* cache);

  // As Convert(value, to, heap, result, error). `value` is of type `from`, or null or unknown or marked.
  bool Apply(const Value& value, Heap* heap, Value* result, ConversionError* error) const;

  Kind kind() const { return kind_; }

 private:
  struct Context;
  Conversion(Type from, Type to) : from_(from), to_(to) {}
  static Conversion Make(Type from, Type to, Context* context);
  bool MakeCollectionItems(Context* context);
  bool MakeTupleItems(Context* context);
  bool MakeObjectItems(Context* context);
  bool AddItem(Type from, Type to, Context* context);

  bool ApplyToPart(const Value& value, Heap* heap, Value* result, ConversionError* error) const;
  bool ApplyToItems(const Value& value, Heap* heap, Value* result, ConversionError* error) const;

  Kind kind_ = Kind::kGeneral;
  Type from_, to_;
  Type element_;                   // kItems to a list or map: the result's element type
  std::vector<Conversion> items_;  // kItems: for all items of a collection, or for each item of the result
  std::vector<int64_t> sources_;   // kItems to an object: position in the source, or -1 for null
};

// Plans that were asked for, and what pairs of types unify to. Not thread-safe; for use with one heap, whose types it
// follows: when the heap forgets its types, it forgets what it knows. Holds a bounded number of entries.
class ConversionCache {
 public:
  explicit ConversionCache(size_t max_entries = 256);
  ~ConversionCache();
  ConversionCache(ConversionCache&& other) noexcept;
  ConversionCache& operator=(ConversionCache&& other) noexcept;

  // As internal::Unification::Of({a, b}, heap, result, fuel), also in what it takes of the fuel, but false where no
  // fuel is left. The types are of the heap's table or its parents, or outlive the cache.
  bool Unify(Type a, Type b, Heap* heap, internal::Unification* result, Fuel* fuel);

  // Entries held.
  size_t size() const;

 private:
  friend class Conversion;
  struct Entries;

  // Makes room for an entry, and forgets what is no longer valid.
  Entries* Prepare(const Heap& heap);

  size_t max_entries_;
  uint64_t generation_ = 0;           // of the heap's types
  std::unique_ptr<Entries> entries_;  // null until there are some
};

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_CONVERSION_H_
