// Types: interning, comparison, and how they are written.
//
// Tested by vm/value/type_test.cc.

#include "hclvm/vm/value/type.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::HashKeys;
using internal::IsIdentifier;
using internal::MixHash;
using internal::SameStrings;
namespace internal {
namespace {

constexpr TypeNode Leaf(TypeKind kind, bool has_dynamic) {
  TypeNode node;
  node.kind = kind;
  node.has_dynamic = has_dynamic;
  // Any distinct constants do: a hash only has to be the same for equal structures within one process.
  node.hash = (static_cast<uint64_t>(kind) + 1) * 0x9e3779b97f4a7c15u;
  return node;
}

// Elements of one table are the same pointer when they are equal, and Type's operator== goes deeper only across tables.
bool SameElements(const TypeNode& a, const TypeNode& b) {
  for (uint32_t i = 0; i < a.size; ++i) {
    if (Type(a.elements[i]) != Type(b.elements[i])) return false;
  }
  return true;
}

// Objects with short names and with parts that are the same in all tables, such as scalars. Most are so; false says
// nothing. Requires that they have as many attributes.
bool HaveSameBits(const TypeNode& a, const TypeNode& b) {
  for (uint32_t i = 0; i < a.size; ++i) {
    if (a.elements[i] != b.elements[i] || !a.shape->keys[i].SameBits(b.shape->keys[i])) return false;
  }
  return true;
}

}  // namespace

const TypeNode kDynamicNode = Leaf(TypeKind::kDynamic, true);
const TypeNode kBoolNode = Leaf(TypeKind::kBool, false);
const TypeNode kNumberNode = Leaf(TypeKind::kNumber, false);
const TypeNode kStringNode = Leaf(TypeKind::kString, false);

// It is called for nodes with the same hash: of two tables, or a probe and a node. information-model.md, "Structural
// Types" and "Collection Types"; capsule types are identical to themselves only.
bool SameStructure(const TypeNode& a, const TypeNode& b) {
  if (a.kind != b.kind || a.size != b.size) return false;
  switch (a.kind) {
    case TypeKind::kDynamic:
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString:
      return true;
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
      return Type(a.element) == Type(b.element);
    case TypeKind::kTuple:
      return SameElements(a, b);
    case TypeKind::kObject:
      return HaveSameBits(a, b) || ((a.shape == b.shape || *a.shape == *b.shape) && SameElements(a, b));
    case TypeKind::kCapsule:
      return a.capsule == b.capsule;
  }
  return false;
}

}  // namespace internal

using internal::TypeNode;

namespace {

// It is made from the hashes of the parts, which are nodes already: one step, however deep the type.
uint64_t HashNode(const TypeNode& node) {
  uint64_t hash = MixHash(static_cast<uint64_t>(node.kind) + 1, node.size);
  if (node.element != nullptr) hash = MixHash(hash, node.element->hash);
  if (node.shape != nullptr) hash = MixHash(hash, node.shape->hash);
  if (node.capsule != nullptr) hash = MixHash(hash, reinterpret_cast<uintptr_t>(node.capsule));
  for (uint32_t i = 0; i < node.size; ++i) hash = MixHash(hash, node.elements[i]->hash);
  return hash;
}

}  // namespace

const TypeNode* Type::FindAttribute(std::string_view name) const {
  HCL_DCHECK(kind() == TypeKind::kObject);
  int64_t i = node_->shape->Find(name);
  return i < 0 ? nullptr : node_->elements[i];
}

// The name is short on purpose: messages name the kind of a structure, and ToTypeSyntax() shows it whole where two have
// to be told apart.
std::string FriendlyName(Type type) {
  switch (type.kind()) {
    case TypeKind::kDynamic:
      return "dynamic";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kString:
      return "string";
    case TypeKind::kList:
      return absl::StrCat("list of ", FriendlyName(type.element()));
    case TypeKind::kSet:
      return absl::StrCat("set of ", FriendlyName(type.element()));
    case TypeKind::kMap:
      return absl::StrCat("map of ", FriendlyName(type.element()));
    case TypeKind::kTuple:
      return "tuple";
    case TypeKind::kObject:
      return "object";
    case TypeKind::kCapsule:
      return type.capsule().name;
  }
  return "";
}

namespace {

void AppendTypeSyntax(Type type, std::string* out);

// The escapes are those of native-syntax.md, "Template Expressions" and "Template Literals", so that ParseTypeSyntax()
// reads the same name back.
void AppendAttributeName(std::string_view name, std::string* out) {
  constexpr std::string_view kEscaped = "\"\\\n\r\t", kEscapes = "\"\\nrt";
  if (IsIdentifier(name)) {
    out->append(name);
    return;
  }
  out->push_back('"');
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const size_t known = kEscaped.find(c);
    if (known != std::string_view::npos) {
      out->push_back('\\');
      out->push_back(kEscapes[known]);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppend(out, "\\u", absl::Hex(c, absl::kZeroPad4));
    } else {
      out->push_back(c);
      // What would begin an interpolation is written with its first character doubled.
      if ((c == '$' || c == '%') && name.substr(i + 1, 1) == "{") out->push_back(c);
    }
  }
  out->push_back('"');
}

void AppendCollectionSyntax(const char* name, Type element, std::string* out) {
  out->append(name);
  out->push_back('(');
  AppendTypeSyntax(element, out);
  out->push_back(')');
}

void AppendTupleSyntax(Type type, std::string* out) {
  out->append("tuple([");
  for (size_t i = 0; i < type.size(); ++i) {
    if (i > 0) out->append(", ");
    AppendTypeSyntax(type.element(i), out);
  }
  out->append("])");
}

void AppendObjectSyntax(Type type, std::string* out) {
  out->append("object({");
  for (size_t i = 0; i < type.size(); ++i) {
    if (i > 0) out->append(", ");
    AppendAttributeName(type.shape().keys[i].AsString(), out);
    out->append(" = ");
    AppendTypeSyntax(type.element(i), out);
  }
  out->append("})");
}

// Recursion follows the depth of the type, which is that of a value or of a text within Limits::max_nesting_depth.
void AppendTypeSyntax(Type type, std::string* out) {
  switch (type.kind()) {
    case TypeKind::kDynamic:
      out->append("any");
      return;
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString:
    case TypeKind::kCapsule:
      out->append(FriendlyName(type));
      return;
    case TypeKind::kList:
      return AppendCollectionSyntax("list", type.element(), out);
    case TypeKind::kSet:
      return AppendCollectionSyntax("set", type.element(), out);
    case TypeKind::kMap:
      return AppendCollectionSyntax("map", type.element(), out);
    case TypeKind::kTuple:
      return AppendTupleSyntax(type, out);
    case TypeKind::kObject:
      return AppendObjectSyntax(type, out);
  }
}

}  // namespace

std::string ToTypeSyntax(Type type) {
  std::string text;
  AppendTypeSyntax(type, &text);
  return text;
}

// information-model.md, "Type Specifications". Subtrees without the dynamic pseudo-type are compared as a whole.
bool Matches(Type type, Type spec) {
  if (spec.is_dynamic()) return true;
  if (!spec.has_dynamic()) return type == spec;
  if (type.kind() != spec.kind()) return false;
  if (spec.is_collection()) return Matches(type.element(), spec.element());
  if (type.size() != spec.size()) return false;
  if (spec.kind() == TypeKind::kObject && !(type.shape() == spec.shape())) return false;
  for (size_t i = 0; i < spec.size(); ++i) {
    if (!Matches(type.element(i), spec.element(i))) return false;
  }
  return true;
}

// Sets of this kind are costly to compile, so that they are kept out of a header that nearly all others include.
struct TypeTable::Interned {
  struct NodeHash {
    using is_transparent = void;
    size_t operator()(const TypeNode* n) const { return n->hash; }
  };
  struct NodeEq {
    using is_transparent = void;
    bool operator()(const TypeNode* a, const TypeNode* b) const {
      return a == b || (a->hash == b->hash && internal::SameStructure(*a, *b));
    }
  };
  struct ShapeProbe {
    uint64_t hash;
    absl::Span<const Value> keys;
  };
  struct ShapeHash {
    using is_transparent = void;
    size_t operator()(const Shape* shape) const { return shape->hash; }
    size_t operator()(const ShapeProbe& probe) const { return probe.hash; }
  };
  struct ShapeEq {
    using is_transparent = void;
    bool operator()(const Shape* a, const Shape* b) const { return a == b || *a == *b; }
    bool operator()(const Shape* a, const ShapeProbe& b) const {
      return a->hash == b.hash && a->size == b.keys.size() && SameStrings(a->keys, b.keys.data(), a->size);
    }
    bool operator()(const ShapeProbe& a, const Shape* b) const { return (*this)(b, a); }
  };

  static Interned* Of(std::unique_ptr<Interned>* interned) {
    if (*interned == nullptr) *interned = std::make_unique<Interned>();
    return interned->get();
  }

  internal::HashSet<const TypeNode*, NodeHash, NodeEq> nodes;
  internal::HashSet<const Shape*, ShapeHash, ShapeEq> shapes;
};

// One counter for the process, so that no two tables ever have the same number. It is touched only when a table is
// made, moved or cleared.
uint64_t TypeTable::Generation::Next() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

TypeTable::TypeTable(const TypeTable* parent) : parent_(parent) {}

TypeTable::~TypeTable() = default;
TypeTable::TypeTable(TypeTable&& other) noexcept = default;
TypeTable& TypeTable::operator=(TypeTable&& other) noexcept = default;

size_t TypeTable::bytes_reserved() const {
  const size_t places = interned_ == nullptr ? 0 : interned_->nodes.capacity() + interned_->shapes.capacity();
  return arena_.bytes_reserved() + places * (sizeof(void*) + 1);
}

// Own types first, then the parents'. Parents are only read, so that threads can share a program's table.
const TypeNode* TypeTable::Find(const TypeNode& probe) const {
  for (const TypeTable* table = this; table != nullptr; table = table->parent_) {
    if (table->interned_ == nullptr) continue;
    const auto it = table->interned_->nodes.find(&probe);
    if (it != table->interned_->nodes.end()) return *it;
  }
  return nullptr;
}

// The probe lives on the caller's stack, so that asking for a type that there is allocates nothing.
Type TypeTable::Intern(const TypeNode& probe) {
  if (const TypeNode* found = Find(probe)) return Type(found);
  TypeNode* node = arena_.New<TypeNode>(probe);
  // What a type is made of may belong to a host's heap, which goes before this table does.
  if (probe.element != nullptr) node->element = Import(Type(probe.element)).node();
  const TypeNode** elements = arena_.NewArray<const TypeNode*>(probe.size);
  for (uint32_t i = 0; i < probe.size; ++i) elements[i] = Import(Type(probe.elements[i])).node();
  node->elements = elements;
  if (probe.shape != nullptr) node->shape = InternShape(absl::MakeConstSpan(probe.shape->keys, probe.size));
  Interned::Of(&interned_)->nodes.insert(node);
  return Type(node);
}

Type TypeTable::Collection(TypeKind kind, Type element) {
  TypeNode probe;
  probe.kind = kind;
  probe.has_dynamic = element.has_dynamic();
  probe.depth = element.node()->depth + 1;
  probe.element = element.node();
  probe.hash = HashNode(probe);
  return Intern(probe);
}

namespace {

// The node of a tuple (`shape` null) or object type, not yet interned.
TypeNode StructuralProbe(const Shape* shape, absl::Span<const Type> elements) {
  // A span of types serves as one of node pointers.
  static_assert(sizeof(Type) == sizeof(void*));
  TypeNode probe;
  probe.kind = shape == nullptr ? TypeKind::kTuple : TypeKind::kObject;
  probe.has_dynamic = false;
  probe.size = static_cast<uint32_t>(elements.size());
  probe.elements = reinterpret_cast<const TypeNode* const*>(elements.data());
  probe.shape = shape;
  for (Type element : elements) {
    probe.has_dynamic = probe.has_dynamic || element.has_dynamic();
    probe.depth = std::max(probe.depth, element.node()->depth + 1);
  }
  probe.hash = HashNode(probe);
  return probe;
}

}  // namespace

Type TypeTable::Tuple(absl::Span<const Type> elements) { return Intern(StructuralProbe(nullptr, elements)); }

Type TypeTable::Object(const Shape& shape, absl::Span<const Type> types) {
  return Intern(StructuralProbe(&shape, types));
}

Type TypeTable::Capsule(const CapsuleType* capsule) {
  TypeNode probe;
  probe.kind = TypeKind::kCapsule;
  probe.has_dynamic = false;
  probe.capsule = capsule;
  probe.hash = HashNode(probe);
  return Intern(probe);
}

// Key texts are copied: those of the caller may go with a request, and the shape stays.
const Shape* TypeTable::InternShape(absl::Span<const Value> sorted_keys) {
  const Interned::ShapeProbe probe{HashKeys(sorted_keys), sorted_keys};
  for (const TypeTable* table = this; table != nullptr; table = table->parent_) {
    if (table->interned_ == nullptr) continue;
    const auto it = table->interned_->shapes.find(probe);
    if (it != table->interned_->shapes.end()) return *it;
  }
  absl::InlinedVector<Value, 16> keys;
  keys.reserve(sorted_keys.size());
  for (const Value& key : sorted_keys) keys.push_back(Value::String(key.AsString(), &arena_));
  const Shape* shape = MakeShape(keys, &arena_);
  Interned::Of(&interned_)->shapes.insert(shape);
  return shape;
}

// Looks the whole type up first: a type that came from this table, or equals one in it, costs one probe.
Type TypeTable::Import(Type type) {
  if (type.is_dynamic() || type.is_primitive()) return type;
  if (const TypeNode* found = Find(*type.node())) return Type(found);
  if (type.is_collection()) return Collection(type.kind(), Import(type.element()));
  if (type.kind() == TypeKind::kCapsule) return Capsule(&type.capsule());
  absl::InlinedVector<Type, 16> elements;
  elements.reserve(type.size());
  for (size_t i = 0; i < type.size(); ++i) elements.push_back(Import(type.element(i)));
  return type.kind() == TypeKind::kTuple ? Tuple(elements) : Object(type.shape(), elements);
}

// The generation changes first of all, so that whoever remembers types finds out.
void TypeTable::Clear() {
  generation_ = Generation();
  if (interned_ != nullptr) {
    interned_->nodes.clear();
    interned_->shapes.clear();
  }
  arena_.Reset();
}

}  // namespace hcl
