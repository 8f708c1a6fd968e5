// StaticType: what is known of the values of an expression before anything runs, nulls in them included.
//
// Internal to modules. Tested by module/type_checker_test.cc, by way of the checker.

#ifndef HCLVM_MODULE_STATIC_TYPE_H_
#define HCLVM_MODULE_STATIC_TYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_defaults.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

enum class StaticKind : uint8_t {
  kAny,     // nothing is known
  kSilent,  // it was in error, and nothing more is said of it
  kNull,    // null, of no type
  kBool,
  kNumber,
  kString,
  kCapsule,
  kList,  // lists, and tuples whose length is not known
  kSet,
  kMap,  // maps, and objects whose keys are not known
  kTuple,
  kObject,
};

// Immutable; lives as long as its StaticTypes.
struct StaticType {
  StaticKind kind = StaticKind::kAny;
  bool nullable = false;
  bool is_open = false;     // an object: it may have other attributes
  bool holds_null = false;  // it may be null, or a part of it, at any depth
  uint32_t size = 1;        // types it is made of, itself included, each as often as it is named
  bool is_exact = false;    // a list, set or map: it is one in every run, and no tuple or object
  bool is_loose = false;    // it holds a map that may be an object, at any depth
  // Of a text: that it is made of a number or a bool beside a text, and stays one where that text fails, or nothing is
  // known of its type.
  bool may_be_number = false, may_be_bool = false;
  const StaticType* element = nullptr;  // of a list, set or map
  absl::Span<const StaticType* const> parts;
  absl::Span<const std::string_view> names;  // of an object's parts, sorted

  bool is_told() const { return kind > StaticKind::kSilent; }
  bool is_primitive() const { return kind >= StaticKind::kBool && kind <= StaticKind::kString; }
  // The part of that name, or null.
  const StaticType* Find(std::string_view name) const;
};

// "string", "list of number", "object"; as messages name types.
std::string NameOf(const StaticType& type);
// The same in a sentence: "an object", "a list of string".
std::string WithArticle(const StaticType& type);

// Makes them. A type of more than 10,000 types is not told, and is kAny: names for the same part, named twice in the
// next one, would make it twice as large each time. So is what has parts once all types take 128 MiB. Not thread-safe.
class StaticTypes {
 public:
  const StaticType* Of(StaticKind kind, bool nullable = false);
  // A text that may be a number or a bool.
  const StaticType* MixedText(bool may_be_number, bool may_be_bool, bool nullable = false);
  const StaticType* Collection(StaticKind kind, const StaticType* element, bool is_exact = false);
  const StaticType* Tuple(absl::Span<const StaticType* const> parts);
  // Parts in any order, which is changed; each name once.
  using NamedPart = std::pair<std::string_view, const StaticType*>;
  const StaticType* Object(absl::Span<NamedPart> parts, bool is_open = false);
  // A copy of `text`, which names can be.
  std::string_view Keep(std::string_view text) { return arena_.CopyString(text); }
  const StaticType* WithNull(const StaticType* type, bool nullable);

  // A declared type. Parts may be null where `defaults`, which may be null, say so; where `nulls_inside`, all may.
  const StaticType* FromType(Type type, const TypeDefaults* defaults, bool nullable, bool nulls_inside = false);
  const StaticType* FromValue(const Value& value);
  // Of what was put together of parts of `sources`: what has the type of one of these is like it, and other parts may
  // be null if any part of the sources may be.
  const StaticType* FromParts(Type type, absl::Span<const StaticType* const> sources);
  // As far as the language has such a type; in type_table().
  Type ToType(const StaticType& type);
  const TypeTable* type_table() const { return &types_; }
  // Units of fuel that all checks by these types have left for trying calls.
  uint64_t* fuel() { return &fuel_; }

  // What is one of both. `unifies`: where both are converted to one type, as branches are.
  const StaticType* Join(const StaticType* a, const StaticType* b, bool unifies);

 private:
  using Part = std::pair<Type, const StaticType*>;
  struct Parts {
    std::vector<Part> known;
    bool has_null = false;  // a null without a type is among them, which may become one of any type
  };
  void Gather(const StaticType* type, size_t* left, Parts* parts);
  const StaticType* Assemble(Type type, const Parts& parts, bool nulls_inside, bool is_element);
  const StaticType* FromSmallValue(const Value& value);
  Type MakeType(const StaticType& type);
  // `made` with what its parts say of it, or kAny where it is too large.
  const StaticType* Finish(StaticType* made);
  bool is_full() const;

  // Most configs are small: the allocator has short blocks at hand.
  Arena arena_{1024};
  uint64_t fuel_ = 50'000'000;
  TypeTable types_;
  HashMap<const StaticType*, Type> as_types_;  // of those with parts
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_STATIC_TYPE_H_
