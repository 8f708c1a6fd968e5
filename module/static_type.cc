// StaticType. Recursion follows the depth of types, which the nesting of their texts bounds.
// Tested by module/type_checker_test.cc.

#include "hclvm/module/static_type.h"

#include <algorithm>
#include <new>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxSize = 10'000;
constexpr size_t kMaxBytes = size_t{128} << 20;

StaticKind KindOf(Type type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return StaticKind::kBool;
    case TypeKind::kNumber:
      return StaticKind::kNumber;
    case TypeKind::kString:
      return StaticKind::kString;
    case TypeKind::kList:
      return StaticKind::kList;
    case TypeKind::kSet:
      return StaticKind::kSet;
    case TypeKind::kMap:
      return StaticKind::kMap;
    case TypeKind::kTuple:
      return StaticKind::kTuple;
    case TypeKind::kObject:
      return StaticKind::kObject;
    case TypeKind::kCapsule:
      return StaticKind::kCapsule;
    default:
      return StaticKind::kAny;
  }
}

bool IsSequence(StaticKind kind) { return kind == StaticKind::kList || kind == StaticKind::kTuple; }

// Whether the value, as a tree, has at most `left` parts.
bool IsSmall(const Value& marked, size_t* left) {
  const Value& value = marked.unmarked();
  if (*left == 0) return false;
  --*left;
  if (!value.is_sequence() && !value.is_mapping()) return true;
  const absl::Span<const Value> items = value.is_mapping() ? value.values() : value.elements();
  return std::all_of(items.begin(), items.end(), [left](const Value& item) { return IsSmall(item, left); });
}

}  // namespace

const StaticType* StaticType::Find(std::string_view name) const {
  const auto at = std::lower_bound(names.begin(), names.end(), name);
  return at == names.end() || *at != name ? nullptr : parts[static_cast<size_t>(at - names.begin())];
}

std::string NameOf(const StaticType& type) {
  switch (type.kind) {
    case StaticKind::kAny:
    case StaticKind::kSilent:
      return "any";
    case StaticKind::kNull:
      return "null";
    case StaticKind::kBool:
      return "bool";
    case StaticKind::kNumber:
      return "number";
    case StaticKind::kString:
      return "string";
    case StaticKind::kCapsule:
      return "capsule";
    case StaticKind::kList:
      return absl::StrCat("list of ", NameOf(*type.element));
    case StaticKind::kSet:
      return absl::StrCat("set of ", NameOf(*type.element));
    case StaticKind::kMap:
      return absl::StrCat("map of ", NameOf(*type.element));
    case StaticKind::kTuple:
      return "tuple";
    case StaticKind::kObject:
      return "object";
  }
  return "";
}

std::string WithArticle(const StaticType& type) {
  if (type.kind == StaticKind::kAny || type.kind == StaticKind::kSilent) return "a value of any type";
  if (type.kind == StaticKind::kNull) return "null";
  return absl::StrCat(type.kind == StaticKind::kObject ? "an " : "a ", NameOf(type));
}

namespace {

// By kind, and whether they may be null.
using Scalars = std::array<StaticType, 24>;

constexpr Scalars MakeScalars() {
  Scalars scalars{};
  for (size_t n = 0; n < scalars.size(); ++n) {
    StaticType& type = scalars[n];
    type.kind = static_cast<StaticKind>(n / 2);
    type.nullable = n % 2 == 1 || type.kind == StaticKind::kAny || type.kind == StaticKind::kNull;
    type.holds_null = type.nullable;
  }
  return scalars;
}

constexpr Scalars kScalars = MakeScalars();

// By what else they may be, and whether they may be null.
constexpr std::array<StaticType, 8> MakeTexts() {
  std::array<StaticType, 8> texts{};
  for (size_t n = 0; n < texts.size(); ++n) {
    StaticType& type = texts[n];
    type.kind = StaticKind::kString;
    type.nullable = type.holds_null = n % 2 == 1;
    type.may_be_number = (n & 2) != 0;
    type.may_be_bool = (n & 4) != 0;
  }
  return texts;
}

constexpr std::array<StaticType, 8> kTexts = MakeTexts();

// Whether what is made of both may be of that kind.
bool MayBe(StaticKind kind, const StaticType& a, const StaticType& b) {
  const auto is_one = [kind](const StaticType& type) {
    return type.kind == kind || (kind == StaticKind::kNumber ? type.may_be_number : type.may_be_bool);
  };
  return is_one(a) || is_one(b);
}

}  // namespace

const StaticType* StaticTypes::Of(StaticKind kind, bool nullable) {
  return &kScalars[2 * static_cast<size_t>(kind) + (nullable ? 1 : 0)];
}

const StaticType* StaticTypes::MixedText(bool may_be_number, bool may_be_bool, bool nullable) {
  if (!may_be_number && !may_be_bool) return Of(StaticKind::kString, nullable);
  return &kTexts[(may_be_bool ? 4 : 0) + (may_be_number ? 2 : 0) + (nullable ? 1 : 0)];
}

bool StaticTypes::is_full() const { return arena_.bytes_used() > kMaxBytes; }

const StaticType* StaticTypes::Finish(StaticType* made) {
  uint64_t size = 1;
  made->holds_null = made->nullable || made->is_open;
  made->is_loose = made->kind == StaticKind::kMap && !made->is_exact;
  const auto add = [&](const StaticType& part) {
    size += part.size;
    made->is_loose = made->is_loose || part.is_loose;
    made->holds_null = made->holds_null || part.holds_null;
  };
  if (made->element != nullptr) add(*made->element);
  for (const StaticType* part : made->parts) add(*part);
  if (size > kMaxSize) return Of(StaticKind::kAny);
  made->size = static_cast<uint32_t>(size);
  return made;
}

const StaticType* StaticTypes::Collection(StaticKind kind, const StaticType* element, bool is_exact) {
  if (is_full()) return Of(StaticKind::kAny);
  auto* const type = arena_.New<StaticType>();
  type->kind = kind;
  type->element = element;
  type->is_exact = is_exact;
  return Finish(type);
}

const StaticType* StaticTypes::Tuple(absl::Span<const StaticType* const> parts) {
  if (is_full()) return Of(StaticKind::kAny);
  auto* const type = arena_.New<StaticType>();
  type->kind = StaticKind::kTuple;
  type->parts = arena_.CopySpan(parts);
  return Finish(type);
}

const StaticType* StaticTypes::Object(absl::Span<NamedPart> parts, bool is_open) {
  if (is_full()) return Of(StaticKind::kAny);
  const auto before = [](const NamedPart& a, const NamedPart& b) { return a.first < b.first; };
  if (!std::is_sorted(parts.begin(), parts.end(), before)) std::sort(parts.begin(), parts.end(), before);
  auto* const type = arena_.New<StaticType>();
  type->kind = StaticKind::kObject;
  type->is_open = is_open;
  auto* const types = arena_.NewArray<const StaticType*>(parts.size());
  auto* const names = arena_.NewArray<std::string_view>(parts.size());
  for (size_t n = 0; n < parts.size(); ++n) {
    new (names + n) std::string_view(arena_.CopyString(parts[n].first));
    types[n] = parts[n].second;
  }
  type->parts = {types, parts.size()};
  type->names = {names, parts.size()};
  return Finish(type);
}

const StaticType* StaticTypes::WithNull(const StaticType* type, bool nullable) {
  if (type->nullable == nullable || type->kind == StaticKind::kNull || type->kind == StaticKind::kSilent) return type;
  if (type->kind == StaticKind::kString) return MixedText(type->may_be_number, type->may_be_bool, nullable);
  if (type->is_primitive() || type->kind == StaticKind::kCapsule) return Of(type->kind, nullable);
  auto* const other = arena_.New<StaticType>(*type);
  other->nullable = nullable;
  return Finish(other);
}

const StaticType* StaticTypes::FromType(Type type, const TypeDefaults* defaults, bool nullable, bool nulls_inside) {
  const StaticType* made = nullptr;
  if (type.is_collection()) {
    made = Collection(KindOf(type), FromType(type.element(), ElementOf(defaults), nulls_inside, nulls_inside),
                      /*is_exact=*/true);
  } else if (type.kind() == TypeKind::kTuple) {
    std::vector<const StaticType*> parts;
    for (size_t n = 0; n < type.size(); ++n) {
      parts.push_back(FromType(type.element(n), PartOf(defaults, absl::StrCat(n)), nulls_inside, nulls_inside));
    }
    made = Tuple(parts);
  } else if (type.kind() == TypeKind::kObject) {
    std::vector<NamedPart> parts;
    for (size_t n = 0; n < type.size(); ++n) {
      const std::string_view name = type.shape().keys[n].AsString();
      parts.emplace_back(name, FromType(type.element(n), PartOf(defaults, name),
                                        nulls_inside || MayBeNull(defaults, name), nulls_inside));
    }
    made = Object(absl::MakeSpan(parts));
  } else {
    made = Of(KindOf(type));
  }
  return type.is_dynamic() ? made : WithNull(made, nullable);
}

// Of what is left out, FromParts takes the worst. Time: the product of both bounds.
void StaticTypes::Gather(const StaticType* type, size_t* left, Parts* parts) {
  constexpr size_t kMaxGathered = 64;
  const bool is_out = parts->known.size() == kMaxGathered || *left == 0;
  parts->has_null = parts->has_null || type->kind == StaticKind::kNull || (is_out && type->holds_null);
  if (is_out || !type->is_told() || type->kind == StaticKind::kNull) return;
  --*left;
  const Type as_type = ToType(*type);
  bool is_new = true;
  for (auto& [known, part] : parts->known) {
    if (known != as_type) continue;
    part = Join(part, type, /*unifies=*/false);
    is_new = false;
  }
  if (is_new) parts->known.emplace_back(as_type, type);
  if (type->element != nullptr) Gather(type->element, left, parts);
  for (const StaticType* part : type->parts) Gather(part, left, parts);
}

// Elements of a collection were made of one type, and a null among them with it.
const StaticType* StaticTypes::Assemble(Type type, const Parts& parts, bool nulls_inside, bool is_element) {
  for (const auto& [known, part] : parts.known) {
    if (known == type) return is_element && parts.has_null ? WithNull(part, true) : part;
  }
  if (type.is_collection()) {
    return Collection(KindOf(type), Assemble(type.element(), parts, nulls_inside, /*is_element=*/true));
  }
  if (type.kind() == TypeKind::kTuple) {
    std::vector<const StaticType*> made;
    for (size_t n = 0; n < type.size(); ++n) {
      made.push_back(Assemble(type.element(n), parts, nulls_inside, is_element));
    }
    return Tuple(made);
  }
  if (type.kind() == TypeKind::kObject) {
    std::vector<NamedPart> made;
    for (size_t n = 0; n < type.size(); ++n) {
      made.emplace_back(type.shape().keys[n].AsString(), Assemble(type.element(n), parts, nulls_inside, is_element));
    }
    return Object(absl::MakeSpan(made));
  }
  return Of(KindOf(type), nulls_inside);
}

const StaticType* StaticTypes::FromParts(Type type, absl::Span<const StaticType* const> sources) {
  Parts parts;
  bool nulls_inside = false;
  size_t left = 1'000;
  for (const StaticType* source : sources) {
    Gather(source, &left, &parts);
    nulls_inside = nulls_inside || (source->kind != StaticKind::kAny && source->holds_null);
  }
  return WithNull(Assemble(type, parts, nulls_inside, /*is_element=*/false), false);
}

const StaticType* StaticTypes::FromValue(const Value& marked) {
  const Value& value = marked.unmarked();
  if (value.is_string()) return Of(StaticKind::kString);
  if (value.is_number()) return Of(StaticKind::kNumber);
  if (!value.is_sequence() && !value.is_mapping()) return FromSmallValue(value);
  size_t left = kMaxSize;
  if (IsSmall(value, &left)) return FromSmallValue(value);
  return Collection(value.is_mapping() ? StaticKind::kMap
                    : value.is_set()   ? StaticKind::kSet
                                       : StaticKind::kList,
                    Of(StaticKind::kAny));
}

const StaticType* StaticTypes::FromSmallValue(const Value& marked) {
  const Value& value = marked.unmarked();
  if (value.is_null() || value.is_unknown()) {
    const Type type = value.null_or_unknown_type();
    if (value.is_null() && type.is_dynamic()) return Of(StaticKind::kNull);
    return FromType(type, nullptr, /*nullable=*/true, /*nulls_inside=*/true);
  }
  if (value.is_bool()) return Of(StaticKind::kBool);
  if (value.is_number()) return Of(StaticKind::kNumber);
  if (value.is_string()) return Of(StaticKind::kString);
  if (value.is_capsule()) return Of(StaticKind::kCapsule);
  if (value.is_list() || value.is_set() || value.is_map()) {
    const StaticType* element = nullptr;
    for (const Value& item : value.is_mapping() ? value.values() : value.elements()) {
      const StaticType* const type = FromSmallValue(item);
      element = element == nullptr ? type : Join(element, type, /*unifies=*/false);
    }
    if (element == nullptr) element = FromType(value.element_type(), nullptr, false);
    return Collection(value.is_map()   ? StaticKind::kMap
                      : value.is_set() ? StaticKind::kSet
                                       : StaticKind::kList,
                      element);
  }
  if (value.is_tuple()) {
    absl::InlinedVector<const StaticType*, 8> parts;
    for (const Value& item : value.elements()) parts.push_back(FromSmallValue(item));
    return Tuple(parts);
  }
  absl::InlinedVector<NamedPart, 8> parts;
  for (uint32_t n = 0; n < value.shape().size; ++n) {
    parts.emplace_back(value.shape().keys[n].AsString(), FromSmallValue(value.values()[n]));
  }
  return Object(absl::MakeSpan(parts));
}

Type StaticTypes::ToType(const StaticType& type) {
  if (type.element == nullptr && type.parts.empty()) return MakeType(type);
  const auto known = as_types_.find(&type);
  if (known != as_types_.end()) return known->second;
  const Type made = MakeType(type);
  as_types_.emplace(&type, made);
  return made;
}

Type StaticTypes::MakeType(const StaticType& type) {
  if (type.element != nullptr) {
    const Type element = ToType(*type.element);
    if (type.kind == StaticKind::kMap) return types_.Map(element);
    return type.kind == StaticKind::kSet ? types_.Set(element) : types_.List(element);
  }
  switch (type.kind) {
    case StaticKind::kBool:
      return Type::Bool();
    case StaticKind::kNumber:
      return Type::Number();
    case StaticKind::kString:
      return Type::String();
    case StaticKind::kTuple: {
      std::vector<Type> parts;
      for (const StaticType* part : type.parts) parts.push_back(ToType(*part));
      return types_.Tuple(parts);
    }
    case StaticKind::kObject: {
      if (type.is_open) return Type::Dynamic();
      std::vector<Value> keys;
      std::vector<Type> parts;
      for (size_t n = 0; n < type.parts.size(); ++n) {
        keys.push_back(Value::String(type.names[n], &arena_));
        parts.push_back(ToType(*type.parts[n]));
      }
      return types_.Object(*types_.InternShape(keys), parts);
    }
    default:
      return Type::Dynamic();
  }
}

// Where both are told and differ, there is no type of both but for branches, which become texts where one of them is.
const StaticType* StaticTypes::Join(const StaticType* a, const StaticType* b, bool unifies) {
  if (a == b && !(unifies && a->is_loose)) return a;
  // What fails always gives no value, and what has no elements none of theirs.
  if (a->kind == StaticKind::kSilent) return b;
  if (b->kind == StaticKind::kSilent) return a;
  if (a->kind == StaticKind::kNull) return WithNull(b, true);
  if (b->kind == StaticKind::kNull) return WithNull(a, true);
  const bool nullable = a->nullable || b->nullable;
  const StaticType* joined = nullptr;
  if (a->kind == StaticKind::kAny || b->kind == StaticKind::kAny) {
    joined = Of(StaticKind::kAny);
  } else if (a->is_primitive() || b->is_primitive() || a->kind == StaticKind::kCapsule ||
             b->kind == StaticKind::kCapsule) {
    const bool has_text = a->kind == StaticKind::kString || b->kind == StaticKind::kString;
    if (a->kind == b->kind && !has_text) {
      joined = a;
    } else if (has_text && a->is_primitive() && b->is_primitive() && (unifies || a->kind == b->kind)) {
      joined = MixedText(MayBe(StaticKind::kNumber, *a, *b), MayBe(StaticKind::kBool, *a, *b));
    } else {
      joined = Of(StaticKind::kAny);
    }
  } else if (a->kind == StaticKind::kTuple && b->kind == StaticKind::kTuple && a->parts.size() == b->parts.size()) {
    std::vector<const StaticType*> parts;
    for (size_t n = 0; n < a->parts.size(); ++n) parts.push_back(Join(a->parts[n], b->parts[n], unifies));
    joined = Tuple(parts);
  } else if (a->kind == StaticKind::kObject && b->kind == StaticKind::kObject) {
    std::vector<NamedPart> parts;
    bool differ = a->is_open || b->is_open || a->names.size() != b->names.size();
    for (size_t n = 0; n < a->names.size(); ++n) {
      const StaticType* const other = b->Find(a->names[n]);
      if (other != nullptr) parts.emplace_back(a->names[n], Join(a->parts[n], other, unifies));
      differ = differ || other == nullptr;
    }
    joined = Object(absl::MakeSpan(parts), differ);
  } else if ((a->kind == b->kind || (IsSequence(a->kind) && IsSequence(b->kind)))) {
    const auto element_of = [&](const StaticType* type) {
      if (type->element != nullptr) return type->element;
      const StaticType* element = nullptr;
      for (const StaticType* part : type->parts) element = element == nullptr ? part : Join(element, part, unifies);
      return element;
    };
    const StaticType* const x = element_of(a);
    const StaticType* const y = element_of(b);
    const StaticType* element = x == nullptr ? y : y == nullptr ? x : Join(x, y, unifies);
    // Of two objects, what one of them lacks is null.
    const bool may_lack = a->kind == StaticKind::kMap && !(a->is_exact && b->is_exact);
    if (unifies && may_lack && element != nullptr) element = WithNull(element, true);
    joined = Collection(a->kind == b->kind && a->element != nullptr ? a->kind : StaticKind::kList,
                        element == nullptr ? Of(StaticKind::kAny) : element);
  } else {
    joined = Of(StaticKind::kAny);
  }
  return WithNull(joined, nullable);
}

}  // namespace hcl::internal
