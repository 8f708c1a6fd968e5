// Unification: one type for several.
//
// kHashiCorp follows what the reference does: collections and structures of one kind first, then the given types in an
// order of preference, the first that all others convert to. kSpec follows the text: each kind has a rule that builds
// the most general type. Tested by vm/value/unify_test.cc, vm/value/conversion_conformance_test.cc.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/conversion_types.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace internal {
namespace {

using TypeList = absl::InlinedVector<Type, 8>;

// How many of the types are of each kind.
struct Kinds {
  size_t count[static_cast<size_t>(TypeKind::kCapsule) + 1] = {};
  size_t total = 0;

  explicit Kinds(absl::Span<const Type> types) : total(types.size()) {
    for (Type type : types) ++count[static_cast<size_t>(type.kind())];
  }
  bool Any(TypeKind kind) const { return count[static_cast<size_t>(kind)] > 0; }
  // Some are of the first kind, and all of the given kinds or dynamic.
  bool Only(TypeKind first, TypeKind second) const {
    size_t both = count[static_cast<size_t>(first)] + (second == first ? 0 : count[static_cast<size_t>(second)]);
    return Any(first) && both + count[static_cast<size_t>(TypeKind::kDynamic)] == total;
  }
  bool Only(TypeKind kind) const { return Only(kind, kind); }
};

// Up to so many are compared one by one, which needs no memory.
constexpr size_t kFewTypes = 8;

// Each type once, in the order of first occurrence: repetitions change nothing, and the rest may be quadratic. A list
// of a million elements of a few types so costs linear time.
TypeList Distinct(absl::Span<const Type> types) {
  TypeList distinct;
  internal::HashSet<const TypeNode*> seen;
  for (Type type : types) {
    if (distinct.size() <= kFewTypes) {
      if (std::find(distinct.begin(), distinct.end(), type) == distinct.end()) distinct.push_back(type);
      continue;
    }
    if (seen.empty()) {
      for (Type known : distinct) seen.insert(known.node());
    }
    if (seen.insert(type.node()).second) distinct.push_back(type);
  }
  return distinct;
}

// Unification fails if any of the given types does not convert to the selected one: information-model.md, "Type
// Unification". Each rule below is only a proposal until this holds.
bool AllConvertible(absl::Span<const Type> types, Type to, bool unsafe, const ConversionContext& context) {
  for (Type type : types) {
    if (!ConvertibleTypes(type, to, unsafe, context)) return false;
  }
  return true;
}

// Types of all elements of the tuples, or attributes of the objects.
TypeList AllElements(absl::Span<const Type> types) {
  TypeList elements;
  for (Type type : types) elements.insert(elements.end(), ElementTypes(type).begin(), ElementTypes(type).end());
  return elements;
}

// The collection of `kind` of what all elements of the structures unify to.
bool StructuresToCollection(TypeKind kind, absl::Span<const Type> types, bool unsafe, const ConversionContext& context,
                            Type* result) {
  Type element;
  if (!UnifyTypes(AllElements(types), unsafe, context, &element)) return false;
  *result = context.types->Collection(kind, element);
  return AllConvertible(types, *result, unsafe, context);
}

bool UnifyCollections(TypeKind kind, absl::Span<const Type> types, bool unsafe, const ConversionContext& context,
                      Type* result) {
  TypeList elements;
  for (Type type : types) elements.push_back(type.element());
  Type element;
  if (!UnifyTypes(elements, unsafe, context, &element)) return false;
  *result = context.types->Collection(kind, element);
  return AllConvertible(types, *result, unsafe, context);
}

bool SameLengths(absl::Span<const Type> tuples) {
  return std::all_of(tuples.begin(), tuples.end(), [&](Type type) { return type.size() == tuples[0].size(); });
}

bool SameShapes(absl::Span<const Type> objects) {
  return std::all_of(objects.begin(), objects.end(), [&](Type type) { return type.shape() == objects[0].shape(); });
}

// Unifies part by part what has the same number of parts.
bool UnifyParts(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, TypeList* parts) {
  TypeList across(types.size());
  for (size_t i = 0; i < types[0].size(); ++i) {
    for (size_t j = 0; j < types.size(); ++j) across[j] = types[j].element(i);
    Type part;
    if (!UnifyTypes(across, unsafe, context, &part)) return false;
    parts->push_back(part);
  }
  return true;
}

// The reference: tuples of one length element by element; otherwise, and where the elements do not convert, a list.
bool UnifyTuples(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  if (!SameLengths(types)) return StructuresToCollection(TypeKind::kList, types, unsafe, context, result);
  TypeList parts;
  if (!UnifyParts(types, unsafe, context, &parts)) return false;
  *result = context.types->Tuple(parts);
  if (AllConvertible(types, *result, unsafe, context)) return true;
  return StructuresToCollection(TypeKind::kList, types, unsafe, context, result);
}

// The reference: objects of one shape attribute by attribute; otherwise, and where the attributes do not convert, a
// map.
bool UnifyObjects(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  if (!SameShapes(types)) return StructuresToCollection(TypeKind::kMap, types, unsafe, context, result);
  TypeList parts;
  if (!UnifyParts(types, unsafe, context, &parts)) return false;
  *result = context.types->Object(types[0].shape(), parts);
  if (AllConvertible(types, *result, unsafe, context)) return true;
  return StructuresToCollection(TypeKind::kMap, types, unsafe, context, result);
}

// Collections beside structures: the structures as one collection, unified with the collections.
bool UnifyAsCollections(TypeKind structure, TypeKind collection, absl::Span<const Type> types, bool unsafe,
                        const ConversionContext& context, Type* result) {
  TypeList structures;
  TypeList replaced;
  for (Type type : types) {
    if (type.kind() == structure) structures.push_back(type);
  }
  Type as_collection;
  if (!StructuresToCollection(collection, structures, unsafe, context, &as_collection)) return false;
  for (Type type : types) replaced.push_back(type.kind() == structure ? as_collection : type);
  return UnifyTypes(replaced, unsafe, context, result) && result->kind() == collection;
}

// Which of two types is preferred as a result: negative for `a`, positive for `b`, 0 where neither is more general.
int ComparePreference(Type a, Type b);

// One type is more general when it is so in some part and in no other part less.
int CompareParts(Type a, Type b) {
  if (a.size() != b.size()) return 0;
  if (a.kind() == TypeKind::kObject && !(a.shape() == b.shape())) return 0;
  bool a_preferred = false;
  bool b_preferred = false;
  for (size_t i = 0; i < a.size(); ++i) {
    int compared = ComparePreference(a.element(i), b.element(i));
    a_preferred = a_preferred || compared < 0;
    b_preferred = b_preferred || compared > 0;
  }
  return (b_preferred ? 1 : 0) - (a_preferred ? 1 : 0);
}

// Among kinds that convert to each other, lower is preferred; -1 for kinds that are not ranked.
int SequenceRank(TypeKind kind) {
  return kind == TypeKind::kList ? 0 : kind == TypeKind::kTuple ? 1 : kind == TypeKind::kSet ? 2 : -1;
}
int MappingRank(TypeKind kind) { return kind == TypeKind::kMap ? 0 : kind == TypeKind::kObject ? 1 : -1; }

// Which way conversions go: the dynamic type gives way to every other one, string takes all primitives, and kinds have
// ranks. Types that do not compare stay in the given order.
int ComparePreference(Type a, Type b) {
  if (a.is_dynamic() || b.is_dynamic()) return (a.is_dynamic() ? 1 : 0) - (b.is_dynamic() ? 1 : 0);
  if (a.is_primitive() && b.is_primitive()) {
    return (b.kind() == TypeKind::kString ? 1 : 0) - (a.kind() == TypeKind::kString ? 1 : 0);
  }
  if (a.kind() == b.kind()) {
    if (a.is_collection()) return ComparePreference(a.element(), b.element());
    if (a.kind() == TypeKind::kTuple || a.kind() == TypeKind::kObject) return CompareParts(a, b);
    return 0;
  }
  if (SequenceRank(a.kind()) >= 0 && SequenceRank(b.kind()) >= 0) {
    return SequenceRank(a.kind()) - SequenceRank(b.kind());
  }
  if (MappingRank(a.kind()) >= 0 && MappingRank(b.kind()) >= 0) return MappingRank(a.kind()) - MappingRank(b.kind());
  return 0;
}

// The types' indices, preferred ones first, as far as they compare; otherwise in the given order. Topological, since
// the preference is no total order.
std::vector<size_t> SortByPreference(absl::Span<const Type> types) {
  std::vector<std::vector<size_t>> after(types.size());
  std::vector<size_t> before(types.size(), 0);
  for (size_t i = 0; i < types.size(); ++i) {
    for (size_t j = i + 1; j < types.size(); ++j) {
      int compared = ComparePreference(types[i], types[j]);
      if (compared == 0) continue;
      size_t first = compared < 0 ? i : j;
      after[first].push_back(i + j - first);
      ++before[i + j - first];
    }
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < types.size(); ++i) {
    if (before[i] == 0) order.push_back(i);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (size_t other : after[order[next]]) {
      if (--before[other] == 0) order.push_back(other);
    }
  }
  return order;
}

// Different types unify to the string type if it is among them, as all convert to it, and to nothing otherwise.
bool UnifyPrimitives(absl::Span<const Type> types, Type* result) {
  *result = Type::String();
  return std::find(types.begin(), types.end(), Type::String()) != types.end();
}

// Kinds between which there are conversions have one number.
int FamilyOf(TypeKind kind) {
  if (kind <= TypeKind::kString) return 0;
  if (SequenceRank(kind) >= 0) return 1;
  return MappingRank(kind) >= 0 ? 2 : 3;
}

// Whether one of the types can take all others that are not dynamic, as their kinds tell.
bool AreRelated(absl::Span<const Type> types) {
  int family = -1;
  for (Type type : types) {
    if (type.is_dynamic()) continue;
    if (family >= 0 && family != FamilyOf(type.kind())) return false;
    family = FamilyOf(type.kind());
  }
  return true;
}

size_t PartsOf(Type type) {
  return type.kind() == TypeKind::kTuple || type.kind() == TypeKind::kObject ? type.size() : 0;
}

// The reference's last way: one of the given types itself, the most preferred one to which all others convert.
bool UnifyByPreference(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  const bool has_dynamic = std::any_of(types.begin(), types.end(), [](Type type) { return type.is_dynamic(); });
  if (!AreRelated(types)) {
    *result = Type::Dynamic();
    return has_dynamic;
  }
  // Each is compared with all others, and with all their parts.
  uint64_t parts = 0;
  for (Type type : types) parts += 1 + PartsOf(type);
  if (!context.Charge(types.size() * parts / 4)) return false;
  for (size_t i : SortByPreference(types)) {
    if (!AllConvertible(types, types[i], unsafe, context)) continue;
    *result = types[i];
    return true;
  }
  return false;
}

// This is kHashiCorp. Kinds decide which rule applies, in the reference's order of tests; objects beside tuples never
// unify. A rule for mixed kinds that fails leaves it to the order of preference, a rule for one kind does not.
bool UnifyAsReference(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  Kinds kinds(types);
  TypeKind one_kind = TypeKind::kDynamic;
  for (TypeKind kind : {TypeKind::kMap, TypeKind::kList, TypeKind::kSet, TypeKind::kObject, TypeKind::kTuple}) {
    if (kinds.Only(kind)) one_kind = kind;
  }
  if (one_kind != TypeKind::kDynamic && kinds.Any(TypeKind::kDynamic)) {
    // Which way is taken depends on what the dynamic ones turn out to be.
    *result = Type::Dynamic();
    return true;
  }
  switch (one_kind) {
    case TypeKind::kMap:
    case TypeKind::kList:
    case TypeKind::kSet:
      return UnifyCollections(one_kind, types, unsafe, context, result);
    case TypeKind::kObject:
      return UnifyObjects(types, unsafe, context, result);
    case TypeKind::kTuple:
      return UnifyTuples(types, unsafe, context, result);
    default:
      break;
  }
  if (kinds.Only(TypeKind::kMap, TypeKind::kObject)) {
    if (UnifyAsCollections(TypeKind::kObject, TypeKind::kMap, types, unsafe, context, result)) return true;
  } else if (kinds.Only(TypeKind::kList, TypeKind::kTuple)) {
    if (UnifyAsCollections(TypeKind::kTuple, TypeKind::kList, types, unsafe, context, result)) return true;
  } else if (kinds.Any(TypeKind::kObject) && kinds.Any(TypeKind::kTuple)) {
    return false;
  }
  return UnifyByPreference(types, unsafe, context, result);
}

// The types of the given kind.
TypeList OfKind(absl::Span<const Type> types, TypeKind kind) {
  TypeList out;
  for (Type type : types) {
    if (type.kind() == kind) out.push_back(type);
  }
  return out;
}

// The element types of the collections among the types.
TypeList CollectionElements(absl::Span<const Type> types) {
  TypeList out;
  for (Type type : types) {
    if (type.is_collection()) out.push_back(type.element());
  }
  return out;
}

// An attribute of an object type.
struct Attribute {
  Value name;
  Type type;
};

// Objects, and maybe maps: an object of all attributes, each unified with the maps' elements. information-model.md,
// "Type Unification": "attributes are the union of those of the two input types"; here of any number of types at once,
// attribute by attribute.
bool UnifyToObject(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  const TypeList elements = CollectionElements(types);
  std::vector<Attribute> all;
  for (Type object : types) {
    if (object.kind() != TypeKind::kObject) continue;
    for (size_t i = 0; i < object.size(); ++i) all.push_back({object.shape().keys[i], object.element(i)});
  }
  uint64_t rounds = 1;
  for (size_t rest = all.size(); rest > 1; rest /= 2) ++rounds;
  if (!context.Charge(all.size() * rounds)) return false;
  // The given order of types counts.
  std::stable_sort(all.begin(), all.end(),
                   [](const Attribute& a, const Attribute& b) { return a.name.AsString() < b.name.AsString(); });
  std::vector<Value> keys;
  TypeList parts;
  for (size_t i = 0; i < all.size();) {
    const Value& key = all[i].name;
    if (!context.Charge(elements.size())) return false;
    TypeList across = elements;
    for (; i < all.size() && all[i].name.AsString() == key.AsString(); ++i) across.push_back(all[i].type);
    Type part;
    if (!UnifyTypes(across, unsafe, context, &part)) return false;
    keys.push_back(key);
    parts.push_back(part);
  }
  *result = context.types->Object(*context.types->InternShape(keys), parts);
  return true;
}

// Tuples, and maybe lists and sets: a tuple, each element unified with those of the lists; a list where lengths differ.
// The text has no rule for different lengths; a list is the reference's answer.
bool UnifyToTuple(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  TypeList tuples = OfKind(types, TypeKind::kTuple);
  TypeList elements = CollectionElements(types);
  if (!SameLengths(tuples)) {
    TypeList all = AllElements(tuples);
    all.insert(all.end(), elements.begin(), elements.end());
    Type element;
    if (!UnifyTypes(all, unsafe, context, &element)) return false;
    *result = context.types->List(element);
    return true;
  }
  TypeList parts;
  for (size_t i = 0; i < tuples[0].size(); ++i) {
    TypeList across = elements;
    for (Type tuple : tuples) across.push_back(tuple.element(i));
    Type part;
    if (!UnifyTypes(across, unsafe, context, &part)) return false;
    parts.push_back(part);
  }
  *result = context.types->Tuple(parts);
  return true;
}

// Collections of one kind, or lists and sets: information-model.md, "Type Unification", prefers the list.
bool UnifyToCollection(absl::Span<const Type> types, TypeKind kind, bool unsafe, const ConversionContext& context,
                       Type* result) {
  Type element;
  if (!UnifyTypes(CollectionElements(types), unsafe, context, &element)) return false;
  *result = context.types->Collection(kind, element);
  return true;
}

// Collections beside the structures that become such collections: the collection of what all elements unify to. False
// for all others.
bool UnifyMixed(absl::Span<const Type> types, const Kinds& kinds, bool unsafe, const ConversionContext& context,
                Type* result) {
  const bool are_mappings = kinds.Only(TypeKind::kMap, TypeKind::kObject) && kinds.Any(TypeKind::kObject);
  const bool has_collections = kinds.Any(TypeKind::kList) || kinds.Any(TypeKind::kSet);
  const bool are_sequences =
      has_collections && kinds.Any(TypeKind::kTuple) && !kinds.Any(TypeKind::kMap) && !kinds.Any(TypeKind::kObject);
  if (!are_mappings && !are_sequences) return false;
  TypeList elements = CollectionElements(types);
  for (Type type : types) {
    if (!type.is_collection()) elements.insert(elements.end(), ElementTypes(type).begin(), ElementTypes(type).end());
  }
  const TypeKind kind = are_mappings ? TypeKind::kMap : kinds.Any(TypeKind::kList) ? TypeKind::kList : TypeKind::kSet;
  Type element;
  if (!UnifyTypes(elements, unsafe, context, &element)) return false;
  *result = context.types->Collection(kind, element);
  return AllConvertible(types, *result, unsafe, context);
}

// This is kSpec: information-model.md, "Type Unification". Dynamic types are left out, since they are the result only
// where there are no others. Kinds that no rule mixes still unify where one of the types takes all others.
bool UnifyAsText(absl::Span<const Type> given, bool unsafe, const ConversionContext& context, Type* result) {
  TypeList types;
  for (Type type : given) {
    if (!type.is_dynamic()) types.push_back(type);
  }
  *result = Type::Dynamic();
  if (types.empty()) return true;
  Kinds kinds(types);
  size_t sequences = OfKind(types, TypeKind::kList).size() + OfKind(types, TypeKind::kSet).size() +
                     OfKind(types, TypeKind::kTuple).size();
  if (context.prefers_collections && UnifyMixed(types, kinds, unsafe, context, result)) return true;
  bool found = false;
  if (kinds.Only(TypeKind::kObject, TypeKind::kMap)) {
    found = UnifyToObject(types, unsafe, context, result);
  } else if (sequences == types.size() && kinds.Any(TypeKind::kTuple)) {
    found = UnifyToTuple(types, unsafe, context, result);
  } else if (sequences == types.size()) {
    TypeKind kind = kinds.Any(TypeKind::kList) ? TypeKind::kList : TypeKind::kSet;
    found = UnifyToCollection(types, kind, unsafe, context, result);
  } else if (kinds.Only(TypeKind::kMap)) {
    found = UnifyToCollection(types, TypeKind::kMap, unsafe, context, result);
  } else {
    return UnifyByPreference(types, unsafe, context, result);
  }
  return found && AllConvertible(types, *result, unsafe, context);
}

}  // namespace

// One type, primitives only, and one primitive beside what has no type yet (an untyped null, above all) are decided
// without any of the rules. Recursion goes into parts, and so is bounded by
// the depth of the types.
bool UnifyTypes(absl::Span<const Type> types, bool unsafe, const ConversionContext& context, Type* result) {
  if (types.empty() || !context.Charge(types.size() / 4)) return false;
  TypeList distinct = Distinct(types);
  if (distinct.size() == 1) {
    *result = distinct[0];
    return true;
  }
  if (!context.Charge(distinct.size())) return false;
  if (std::all_of(distinct.begin(), distinct.end(), [](Type type) { return type.is_primitive(); })) {
    return UnifyPrimitives(distinct, result);
  }
  if (unsafe && distinct.size() == 2) {
    const size_t typed = distinct[0].is_dynamic() ? 1 : 0;
    *result = distinct[typed];
    if (distinct[1 - typed].is_dynamic() && result->is_primitive()) return true;
  }
  if (context.dialect == Dialect::kSpec) return UnifyAsText(distinct, unsafe, context, result);
  return UnifyAsReference(distinct, unsafe, context, result);
}

}  // namespace internal

bool Unify(absl::Span<const Type> types, Heap* heap, Type* result, Fuel* fuel) {
  return internal::UnifyTypes(types, /*unsafe=*/true, {heap->types(), heap->dialect(), fuel}, result);
}

}  // namespace hcl
