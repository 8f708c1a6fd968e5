// WhatIsWrong. Tested by tests/well_typed_test.cc.

#include "hclvm/tests/well_typed.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {
namespace {

class Checker {
 public:
  explicit Checker(TypeTable* types) : types_(types) {}

  std::string Check(const Value& value) {
    if (value.is_error()) return "an error value";
    if (value.is_marked()) return CheckMarked(value);
    if (value.is_string()) return CheckText(value.AsString());
    if (value.is_unknown()) return CheckUnknown(value);
    if (value.is_sequence()) return CheckSequence(value);
    if (value.is_mapping()) return CheckMapping(value);
    return "";
  }

 private:
  std::string CheckMarked(const Value& value) {
    if (value.marks() == 0) return "marked, but with no mark";
    if (value.unmarked().is_marked()) return "marked twice";
    return Check(value.unmarked());
  }

  static std::string CheckText(std::string_view text) {
    return internal::ToNfc(text) == text ? "" : absl::StrCat("a text that is not in NFC: ", std::string(text));
  }

  std::string CheckUnknown(const Value& value) {
    const Refinement* const r = value.refinement();
    if (r == nullptr) return "";
    const TypeKind kind = r->type.kind();
    if (kind == TypeKind::kDynamic) return "a refinement of the dynamic value";
    if ((r->min || r->max) && kind != TypeKind::kNumber) return "a range of no number";
    if (!r->prefix.empty() && kind != TypeKind::kString) return "a prefix of no string";
    const bool has_length = r->min_length != 0 || r->max_length != UINT64_MAX;
    if (has_length && !r->type.is_collection()) return "a length of no collection";
    if (r->min_length > r->max_length) return "a length that there is not";
    if (!r->min || !r->max) return CheckText(r->prefix);
    const int order = Compare(r->min->value, r->max->value);
    const bool empty = order > 0 || (order == 0 && !(r->min->inclusive && r->max->inclusive));
    return empty ? "a range that is empty" : "";
  }

  std::string CheckSequence(const Value& value) {
    const absl::Span<const Value> elements = value.elements();
    if (value.is_set()) {
      if (std::string wrong = CheckSet(value); !wrong.empty()) return wrong;
    }
    for (size_t n = 0; n < elements.size(); ++n) {
      std::string wrong = value.is_tuple() ? Check(elements[n]) : CheckElement(elements[n], value.element_type());
      if (!wrong.empty()) return absl::StrCat("[", n, "]: ", wrong);
    }
    return CheckHeader(value, elements);
  }

  // A set that is made once more of its elements is the same.
  std::string CheckSet(const Value& value) {
    const Value again = MakeSet(value.element_type(), value.elements(), &arena_);
    if (again.size() != value.size()) return "an element that is there twice";
    return Identical(again, value) ? "" : "elements that are not sorted";
  }

  std::string CheckMapping(const Value& value) {
    const absl::Span<const Value> keys(value.shape().keys, value.size());
    for (size_t n = 0; n < keys.size(); ++n) {
      if (!keys[n].is_string()) return "a key that is no string";
      if (std::string wrong = CheckText(keys[n].AsString()); !wrong.empty()) return wrong;
      if (n > 0 && keys[n - 1].AsString() >= keys[n].AsString()) return "keys that are not sorted";
      const Value& element = value.values()[n];
      std::string wrong = value.is_object() ? Check(element) : CheckElement(element, value.element_type());
      if (!wrong.empty()) return absl::StrCat(".", std::string(keys[n].AsString()), ": ", wrong);
    }
    return CheckHeader(value, value.values());
  }

  std::string CheckElement(const Value& element, Type wanted) {
    const Type type = TypeOf(element, types_);
    if (!Matches(type, wanted)) return absl::StrCat(ToTypeSyntax(type), " among elements of ", ToTypeSyntax(wanted));
    return Check(element);
  }

  static std::string CheckHeader(const Value& value, absl::Span<const Value> elements) {
    bool known = true, marked = false, may_have_nulls = false;
    uint32_t depth = 0;
    for (const Value& element : elements) {
      known &= element.is_wholly_known();
      marked |= element.has_marks();
      const bool is_collection = element.is_sequence() || element.is_mapping();
      may_have_nulls |= element.unmarked().is_null() || (is_collection && !internal::HasNoNulls(element));
      depth = std::max(depth, element.depth());
    }
    if (value.is_wholly_known() != known) return "is_wholly_known() is wrong";
    if (value.has_marks() != marked) return "has_marks() is wrong";
    if (internal::HasNoNulls(value) && may_have_nulls) return "has_no_nulls is wrong";
    return value.depth() == std::min<uint32_t>(depth + 1, UINT16_MAX) ? "" : "depth() is wrong";
  }

  TypeTable* types_;
  Arena arena_;
};

}  // namespace

std::string WhatIsWrong(const Value& value, TypeTable* types) { return Checker(types).Check(value); }

}  // namespace hcl
