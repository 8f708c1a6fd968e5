// Attribute access and indexing. Tested by vm/operations_test.cc.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/habits.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// At most the first thousand names are looked at: a host's map may have millions, and a message must stay cheap.
std::string Suggestion(const Value& name, const Shape& shape, OpContext* context) {
  const std::string_view nearest = context->failures->Nearest(&shape, name.AsString(), [&] {
    std::vector<std::string_view> names;
    names.reserve(shape.size < 1000 ? shape.size : 1000);
    for (uint32_t i = 0; i < shape.size && i < 1000; ++i) names.push_back(shape.keys[i].AsString());
    return names;
  });
  return nearest.empty() ? std::string() : absl::StrCat(" Did you mean \"", Excerpt(nearest), "\"?");
}

// Attribute of an unknown object. native-syntax.md, "Attribute Access Operator": a type that has no such attribute
// makes it an error before the value is known.
Value UnknownAttribute(Type type, const Value& name, OpContext* context, int role) {
  const std::string_view text = name.AsString();
  if (const TypeNode* attribute = type.FindAttribute(text)) return Value::Unknown(Type(attribute));
  return context->Fail(role, DiagnosticCode::kUnsupportedAttribute, [&] {
    return absl::StrCat("This object has no attribute named \"", Excerpt(text), "\".",
                        Suggestion(name, type.shape(), context));
  });
}

// `.name` on something without attributes. Sequences get a hint, since `list.name` where `list[0].name` is meant is a
// common mistake.
Value NoAttributes(const Value& value, const Value& name, OpContext* context, int role) {
  if (context->quiet()) return context->FailQuietly();
  std::string detail = absl::StrCat("Attribute access needs an object or a map, but this is ", WithArticle(value), ".");
  const std::string hint = HintAtAttribute(name.AsString(), "", value.is_string());
  if (!hint.empty()) {
    detail += hint;
  } else if (value.is_sequence() && !value.is_set()) {
    absl::StrAppend(&detail, " To get the attribute of one element, write its index in brackets first, as in [0].",
                    Excerpt(name.AsString()), "; to get it of all elements, write [*].", Excerpt(name.AsString()), ".");
  }
  return context->Fail(role, DiagnosticCode::kNoAttributes, std::move(detail));
}

// `hide_key`: messages must not show the key. native-syntax.md, "Index Operator". The type alone may decide for an
// unknown value: a tuple's length is in it, and no sequence has a negative index (docs/language.md, "Answers about
// unknown values ..."). Whole numbers beyond 64 bits are over every length, and have no int64.
Value IndexSequence(const Value& value, const Value& key, bool hide_key, OpContext* context, int role) {
  const bool unknown_value = value.is_unknown();
  const Type type = unknown_value ? value.null_or_unknown_type() : Type();
  const bool is_tuple = unknown_value ? type.kind() == TypeKind::kTuple : value.is_tuple();
  Value number;
  ConversionError error = context->NewError();
  if (!context->ConvertScalar(key, Type::Number(), &number, &error)) {
    return context->FailConversion(error, role, DiagnosticCode::kIndexType, [&] {
      return absl::StrCat("An element of a sequence is found by its number: ", error.ToString(), ".");
    });
  }
  auto unknown_element = [&] {
    if (is_tuple) return Value::Dynamic();
    return Value::Unknown(unknown_value ? type.element() : value.element_type());
  };
  if (number.is_unknown()) return unknown_element();
  const std::optional<int64_t> index = number.AsNumber().ToInt64();
  const std::optional<size_t> size = !unknown_value ? std::optional<size_t>(value.size())
                                     : is_tuple     ? std::optional<size_t>(type.size())
                                                    : std::nullopt;
  if (index && *index >= 0 && (!size || static_cast<uint64_t>(*index) < *size)) {
    if (!unknown_value) return value.elements()[static_cast<size_t>(*index)];
    return Value::Unknown(is_tuple ? type.element(static_cast<size_t>(*index)) : type.element());
  }
  if (context->quiet() && (size || number.AsNumber().Sign() < 0)) return context->FailQuietly();
  std::string detail;
  if (!number.AsNumber().IsInteger()) {
    detail = "The index of a sequence must be a whole number, but this one has a fractional part or is infinite.";
  } else if (number.AsNumber().Sign() < 0) {
    detail = "The index of a sequence must not be negative; elements are counted from 0.";
  } else if (size && *size == 0) {
    detail = "The sequence has no elements.";
  } else if (size) {
    detail =
        absl::StrCat("The index is ", hide_key ? "too large" : number.AsNumber().ToString(), hide_key ? ":" : ", but",
                     " the sequence has only ", *size, *size == 1 ? " element" : " elements", ", counted from 0.");
  } else {
    return unknown_element();
  }
  return context->Fail(role, DiagnosticCode::kIndexNotFound, std::move(detail));
}

// native-syntax.md, "Index Operator": the key is converted to a string. An unknown map may have any key, so that its
// element is unknown; an unknown object has only the attributes of its type, which decides now. Keys under marks are
// not shown, and neither are suggestions for them, which would tell most of the key.
Value IndexMapping(const Value& value, const Value& key, bool hide_key, OpContext* context, int role) {
  Value name;
  ConversionError error = context->NewError();
  if (!context->ConvertScalar(key, Type::String(), &name, &error)) {
    return context->FailConversion(error, role, DiagnosticCode::kIndexType,
                                   [&] { return absl::StrCat("A key must be a string: ", error.ToString(), "."); });
  }
  if (value.is_unknown()) {
    const Type type = value.null_or_unknown_type();
    if (type.kind() == TypeKind::kMap) return Value::Unknown(type.element());
    if (name.is_unknown()) return Value::Dynamic();
    if (const TypeNode* attribute = type.FindAttribute(name.AsString())) return Value::Unknown(Type(attribute));
    return context->Fail(role, DiagnosticCode::kIndexNotFound, [&] {
      return hide_key ? "This object has no attribute with the given name."
                      : absl::StrCat("This object has no attribute named \"", Excerpt(name.AsString()), "\".");
    });
  }
  if (name.is_unknown()) return value.is_map() ? Value::Unknown(value.element_type()) : Value::Dynamic();
  const int64_t at = value.shape().Find(name);
  if (at >= 0) return value.values()[static_cast<size_t>(at)];
  if (context->quiet()) return context->FailQuietly();
  if (hide_key) {
    return context->Fail(role, DiagnosticCode::kIndexNotFound,
                         value.is_map() ? "This map has no element with the given key, which is marked and not shown."
                                        : "This object has no attribute with the given name, which is marked and not "
                                          "shown.");
  }
  std::string detail =
      absl::StrCat(value.is_map() ? "This map has no element with the key \"" : "This object has no attribute named \"",
                   Excerpt(name.AsString()), "\".");
  if (key.is_number() && value.is_object()) {
    absl::StrAppend(&detail, " An object's attributes are found by name, not by number.");
  } else {
    absl::StrAppend(&detail, Suggestion(name, value.shape(), context));
  }
  return context->Fail(role, DiagnosticCode::kIndexNotFound, std::move(detail));
}

// Errors first, then null, then unknown: what is wrong for certain is reported even beside an unknown operand. The kind
// comes from the type where the value is unknown, so that a mistake shows before the value does. Sets have no index:
// information-model.md, "Collection Types".
Value GetUnmarkedIndex(const Value& value, const Value& key, bool hide_key, OpContext* context, int role) {
  if (value.is_error() || key.is_error()) return Poison(value, key);
  if (value.is_null()) {
    return context->Fail(role, DiagnosticCode::kIndexOfNull, "This value is null, so it does not have any indices.");
  }
  if (key.is_null())
    return context->Fail(role, DiagnosticCode::kIndexType, "A null value cannot be used as an index or key.");
  if (value.is_dynamic_value() || key.is_dynamic_value()) return Value::Dynamic();
  const TypeKind kind = value.is_unknown()  ? value.null_or_unknown_type().kind()
                        : value.is_tuple()  ? TypeKind::kTuple
                        : value.is_list()   ? TypeKind::kList
                        : value.is_set()    ? TypeKind::kSet
                        : value.is_object() ? TypeKind::kObject
                        : value.is_map()    ? TypeKind::kMap
                                            : TypeKind::kString;
  switch (kind) {
    case TypeKind::kTuple:
    case TypeKind::kList:
      return IndexSequence(value, key, hide_key, context, role);
    case TypeKind::kObject:
    case TypeKind::kMap:
      return IndexMapping(value, key, hide_key, context, role);
    case TypeKind::kSet:
      return context->Fail(role, DiagnosticCode::kNoIndices,
                           "The elements of a set have no index or key; only operations on all of them are possible.");
    default:
      return context->Fail(role, DiagnosticCode::kNoIndices, [&] {
        return absl::StrCat("Only sequences, maps and objects have indices, but this is ", WithArticle(value), ".");
      });
  }
}

}  // namespace

// native-syntax.md, "Attribute Access Operator"; also elements of a map by their name, as in the reference. The usual
// case comes first: a mapping that has the attribute. Sketched failures return before any text or suggestion is made,
// because a suggestion compares names and try() may drop very many of them.
Value GetAttribute(const Value& value, const Value& name, OpContext* context, int role) {
  if (value.is_mapping()) {
    const int64_t at = value.shape().Find(name);
    if (at >= 0) return value.values()[static_cast<size_t>(at)];
    if (context->quiet()) return context->FailQuietly();
    const std::string_view text = name.AsString();
    if (value.is_map()) {
      return context->Fail(role, DiagnosticCode::kMissingMapElement, [&] {
        return absl::StrCat("This map has no element with the key \"", Excerpt(text), "\".",
                            Suggestion(name, value.shape(), context));
      });
    }
    return context->Fail(role, DiagnosticCode::kUnsupportedAttribute, [&] {
      return absl::StrCat("This object has no attribute named \"", Excerpt(text), "\".",
                          Suggestion(name, value.shape(), context));
    });
  }
  if (value.is_error()) return value;
  if (value.is_marked()) {
    return Mark(GetAttribute(value.unmarked(), name, context, role), value.marks(), context->heap->arena());
  }
  if (value.is_null()) {
    if (context->quiet()) return context->FailQuietly();
    return context->Fail(role, DiagnosticCode::kAttributeOfNull,
                         "This value is null, so it does not have any attributes.");
  }
  if (value.is_unknown()) {
    const Type type = value.null_or_unknown_type();
    if (type.is_dynamic()) return value;
    if (type.kind() == TypeKind::kMap) return Value::Unknown(type.element());
    if (type.kind() == TypeKind::kObject) return UnknownAttribute(type, name, context, role);
  }
  return NoAttributes(value, name, context, role);
}

// Marks of the key count as those of the value, since which element is taken tells the key.
Value GetIndex(const Value& value, const Value& key, OpContext* context, int role) {
  if (!value.is_marked() && !key.is_marked()) return GetUnmarkedIndex(value, key, /*hide_key=*/false, context, role);
  const Value result = GetUnmarkedIndex(value.unmarked(), key.unmarked(), /*hide_key=*/true, context, role);
  return Mark(result, value.marks() | key.marks(), context->heap->arena());
}

}  // namespace hcl::internal
