// Type: the types of HCL's information model, interned.
//
// Specification: information-model.md, "Values and Value Types". Tested by vm/value/type_test.cc.

#ifndef HCLVM_VM_VALUE_TYPE_H_
#define HCLVM_VM_VALUE_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"

namespace hcl {

class Value;
struct CapsuleType;
struct Shape;

enum class TypeKind : uint8_t { kDynamic, kBool, kNumber, kString, kList, kSet, kMap, kTuple, kObject, kCapsule };

namespace internal {

extern const TypeNode kDynamicNode, kBoolNode, kNumberNode, kStringNode;
bool SameStructure(const TypeNode& a, const TypeNode& b);

}  // namespace internal

// A pointer to an interned type: 8 bytes, trivially copyable, valid as long as the TypeTable that made it. Within one
// table (and its parents) equal types are the same pointer; types of unrelated tables compare by hash and structure.
class Type {
 public:
  constexpr Type() : node_(&internal::kDynamicNode) {}
  constexpr explicit Type(const internal::TypeNode* node) : node_(node) {}

  static constexpr Type Dynamic() { return Type(&internal::kDynamicNode); }
  static constexpr Type Bool() { return Type(&internal::kBoolNode); }
  static constexpr Type Number() { return Type(&internal::kNumberNode); }
  static constexpr Type String() { return Type(&internal::kStringNode); }

  TypeKind kind() const { return node_->kind; }
  bool is_dynamic() const { return kind() == TypeKind::kDynamic; }
  bool is_primitive() const { return kind() >= TypeKind::kBool && kind() <= TypeKind::kString; }
  bool is_collection() const { return kind() >= TypeKind::kList && kind() <= TypeKind::kMap; }
  // The dynamic pseudo-type occurs anywhere in the type.
  bool has_dynamic() const { return node_->has_dynamic; }

  // The element type of a list, set or map.
  Type element() const {
    HCL_DCHECK(is_collection());
    return Type(node_->element);
  }
  // The parts of a tuple (by position) or an object (by position in shape()).
  size_t size() const { return node_->size; }
  Type element(size_t i) const {
    HCL_DCHECK(i < node_->size);
    return Type(node_->elements[i]);
  }
  // The attribute names of an object.
  const Shape& shape() const {
    HCL_DCHECK(kind() == TypeKind::kObject);
    return *node_->shape;
  }
  // What the host says of a capsule type.
  const CapsuleType& capsule() const {
    HCL_DCHECK(kind() == TypeKind::kCapsule);
    return *node_->capsule;
  }

  // The type of attribute `name`, or null when this is an object type without it. Requires an object type.
  const internal::TypeNode* FindAttribute(std::string_view name) const;

  uint64_t hash() const { return node_->hash; }
  const internal::TypeNode* node() const { return node_; }

  friend bool operator==(Type a, Type b) {
    return a.node_ == b.node_ || (a.node_->hash == b.node_->hash && internal::SameStructure(*a.node_, *b.node_));
  }
  friend bool operator!=(Type a, Type b) { return !(a == b); }

 private:
  const internal::TypeNode* node_;
};

// What a type is called in messages: "string", "list of number", "object", "tuple".
std::string FriendlyName(Type type);

// HCL's type syntax: `map(list(string))`, `object({a = number})`, `tuple([string, bool])`, `any` for dynamic. Read by
// ParseTypeSyntax() in vm/value/type_syntax.h.
std::string ToTypeSyntax(Type type);

// True when `type` matches the type specification `spec`: they are identical, or `spec` is dynamic at the places where
// they differ.
bool Matches(Type type, Type spec);

// Makes types. Not thread-safe while it makes new ones; what it has made is immutable. A type that `parent` (may be
// null) has is not made again; the parent must outlive the table. Types, what they are made of and the shapes they
// refer to live in the table or its parents.
class TypeTable {
 public:
  explicit TypeTable(const TypeTable* parent = nullptr);
  ~TypeTable();
  TypeTable(TypeTable&& other) noexcept;
  TypeTable& operator=(TypeTable&& other) noexcept;

  Type List(Type element) ABSL_ATTRIBUTE_LIFETIME_BOUND { return Collection(TypeKind::kList, element); }
  Type Set(Type element) ABSL_ATTRIBUTE_LIFETIME_BOUND { return Collection(TypeKind::kSet, element); }
  Type Map(Type element) ABSL_ATTRIBUTE_LIFETIME_BOUND { return Collection(TypeKind::kMap, element); }
  Type Collection(TypeKind kind, Type element) ABSL_ATTRIBUTE_LIFETIME_BOUND;
  Type Tuple(absl::Span<const Type> elements) ABSL_ATTRIBUTE_LIFETIME_BOUND;
  // `types[i]` is the type of the attribute `shape.keys[i]`. The shape is copied unless the table has an equal one.
  Type Object(const Shape& shape, absl::Span<const Type> types) ABSL_ATTRIBUTE_LIFETIME_BOUND;
  Type Capsule(const CapsuleType* capsule) ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // The one shape of these keys (strings, sorted bytewise, distinct) in this table and its parents, so that objects
  // made one after another share it. For objects of moderate size: a shape counts as bytes of the table.
  const Shape* InternShape(absl::Span<const Value> sorted_keys) ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // A type equal to `type` that lives in this table.
  Type Import(Type type) ABSL_ATTRIBUTE_LIFETIME_BOUND;

  // Bytes that the table's own types take; what Clear() frees.
  size_t bytes_used() const { return arena_.bytes_used(); }
  // Bytes of the memory that the types themselves lie in.
  size_t block_bytes() const { return arena_.bytes_reserved(); }
  // Bytes held from the system.
  size_t bytes_reserved() const;
  // Forgets the table's own types (not the parent's); they become invalid.
  void Clear();
  // Sets *grown, which must outlive the table, whenever block_bytes() grows from now on.
  void set_watch(bool* grown) { arena_.set_watch(grown); }
  // Another number for each table of the process, and for one after each Clear(): whoever remembers types or shapes of
  // the table compares it. Not 0.
  uint64_t generation() const { return generation_.number; }

 private:
  // Goes along with what the table has made.
  struct Generation {
    Generation() : number(Next()) {}
    Generation(Generation&& other) noexcept : number(other.number) { other.number = Next(); }
    Generation& operator=(Generation&& other) noexcept {
      number = other.number;
      other.number = Next();
      return *this;
    }
    static uint64_t Next();
    uint64_t number;
  };

  struct Interned;  // what was made, by its structure

  const internal::TypeNode* Find(const internal::TypeNode& probe) const;
  Type Intern(const internal::TypeNode& probe);

  const TypeTable* parent_;
  Generation generation_;
  Arena arena_;
  std::unique_ptr<Interned> interned_;  // null until there is something
};

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_TYPE_H_
