// Refinements of unknown values. Tested by vm/value/refinement_test.cc.

#include "hclvm/vm/value/refinement.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "hclvm/base/unicode.h"

namespace hcl {

using internal::GraphemeBytes;
namespace {

// Longer known prefixes are of no use to anybody, and would be copied again and again.
constexpr size_t kMaxPrefixBytes = 128;

static_assert(std::is_standard_layout_v<Refinement> || offsetof(Refinement, type) == 0, "Value relies on it");

constexpr int kPrimitives = 3;
// These are static, so that an operator with unknown operands allocates nothing for its result.
const Refinement* NotNullPrimitive(Type type) {
  static const Refinement kNotNull[kPrimitives] = {
      {Type::Bool(), true, {}, {}, {}, 0, UINT64_MAX},
      {Type::Number(), true, {}, {}, {}, 0, UINT64_MAX},
      {Type::String(), true, {}, {}, {}, 0, UINT64_MAX},
  };
  return &kNotNull[static_cast<int>(type.kind()) - static_cast<int>(TypeKind::kBool)];
}

bool SaysNothing(const Refinement& r) {
  return !r.not_null && !r.min && !r.max && r.prefix.empty() && r.min_length == 0 && r.max_length == UINT64_MAX;
}

// Whether only one number is left, and null is none of the answers.
bool IsOneNumber(const Refinement& r) {
  const bool has_ends = r.not_null && r.min && r.max && r.min->inclusive && r.max->inclusive;
  return has_ends && Compare(r.min->value, r.max->value) == 0;
}

// The range of a number, known or not. A known number is a range of one, so that one rule serves both.
void RangeOf(const Value& number, std::optional<NumberBound>* min, std::optional<NumberBound>* max) {
  if (number.is_number()) {
    *min = *max = NumberBound{number.AsNumber(), true};
    return;
  }
  if (!number.is_unknown()) return;
  const Refinement r = RefinementOf(number);
  *min = r.min;
  *max = r.max;
}

using Operation = Number (*)(const Number&, const Number&, Arena*, NumberError*);

// An end that cannot be computed (inf - inf, too large an exponent) is no end: less is known then, and nothing wrong.
// The result is open as soon as one operand is.
std::optional<NumberBound> Combine(Operation operation, const std::optional<NumberBound>& a,
                                   const std::optional<NumberBound>& b, Arena* arena) {
  if (!a || !b) return std::nullopt;
  NumberError error = NumberError::kNone;
  const Number value = operation(a->value, b->value, arena, &error);
  if (error != NumberError::kNone) return std::nullopt;
  return NumberBound{value, a->inclusive && b->inclusive};
}

// Whether every number up to `max` is less than every number from `min` on; with `or_equal`, at most equal.
bool AllBelow(const std::optional<NumberBound>& max, const std::optional<NumberBound>& min, bool or_equal) {
  if (!max || !min) return false;
  const int order = Compare(max->value, min->value);
  return order < 0 || (order == 0 && (or_equal || !max->inclusive || !min->inclusive));
}

// The wider of two ends, for `sign` 1 the lower one; without an end on one side there is none.
std::optional<NumberBound> Outer(const std::optional<NumberBound>& a, const std::optional<NumberBound>& b, int sign) {
  if (!a || !b) return std::nullopt;
  const int order = sign * Compare(a->value, b->value);
  if (order == 0) return NumberBound{a->value, a->inclusive || b->inclusive};
  return order < 0 ? *a : *b;
}

std::string_view PrefixOf(const Value& value) {
  if (value.is_string()) return value.AsString();
  return value.is_unknown() ? RefinementOf(value).prefix : std::string_view();
}

void LengthsOf(const Value& value, uint64_t* min, uint64_t* max) {
  if (value.is_sequence() || value.is_mapping()) {
    *min = *max = value.size();
  } else if (value.is_unknown()) {
    const Refinement r = RefinementOf(value);
    *min = r.min_length;
    *max = r.max_length;
  }
}

}  // namespace

Refinement RefinementOf(const Value& value) {
  if (const Refinement* refinement = value.refinement()) return *refinement;
  Refinement none;
  none.type = value.null_or_unknown_type();
  return none;
}

// What says nothing beyond the type becomes the plain unknown, which needs no memory. The prefix is copied, since it
// may point into a buffer of the caller.
Value RefinedUnknown(const Refinement& refinement, Arena* arena) {
  if (refinement.type.is_dynamic() || SaysNothing(refinement)) return Value::Unknown(refinement.type);
  if (IsOneNumber(refinement)) return Value::FromNumber(refinement.min->value);
  Refinement* copy = arena->New<Refinement>(refinement);
  copy->prefix = arena->CopyString(refinement.prefix);
  return Value::Unknown(copy);
}

Value UnknownNotNull(Type primitive) { return Value::Unknown(NotNullPrimitive(primitive)); }

bool DefinitelyNotNull(const Value& value) {
  if (value.is_marked()) return DefinitelyNotNull(value.unmarked());
  if (value.is_unknown()) return value.refinement() != nullptr && value.refinement()->not_null;
  return !value.is_null();
}

// Only what is impossible counts. Lengths of sets are left out: unknown elements may turn out to be equal, so that a
// set's length is not known before its elements are.
bool Contradicts(const Value& unknown, const Value& known) {
  const Refinement* r = unknown.refinement();
  if (r == nullptr) return false;
  if (known.is_null()) return r->not_null;
  if (known.is_number()) {
    const std::optional<NumberBound> bound = NumberBound{known.AsNumber(), true};
    return AllBelow(r->max, bound, false) || AllBelow(bound, r->min, false);
  }
  if (known.is_string()) return known.AsString().substr(0, r->prefix.size()) != r->prefix;
  if (known.is_list() || known.is_map()) return known.size() < r->min_length || known.size() > r->max_length;
  return false;
}

// What follows an unknown text may begin with a combining character, which NFC merges into the last character of the
// prefix: "e" + U+0301 is one code point, and the prefix "e" would be wrong. So the last grapheme cluster is dropped
// unless it ends in ASCII that composes with nothing.
std::string_view SafePrefix(std::string_view text) {
  if (text.size() > kMaxPrefixBytes) {
    size_t end = kMaxPrefixBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text = text.substr(0, end);
  }
  if (text.empty()) return text;
  const char last = text.back();
  const bool letter = (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
  // Of ASCII, only letters and these have characters composed of them and a combining one.
  const bool composes = letter || last == '<' || last == '=' || last == '>';
  if (static_cast<unsigned char>(last) < 0x80 && !composes) return text;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); at += GraphemeBytes(text, at)) begin = at;
  return text.substr(0, begin);
}

namespace internal {

// This is interval arithmetic on whatever ends are known. Division and remainder are left out: a range that holds zero
// would split. Each result contains every result that known operands could give: "a known value in place of the unknown
// one never contradicts it" (docs/language.md).
Value UnknownArithmetic(BinaryOp op, const Value& a, const Value& b, Arena* arena) {
  std::optional<NumberBound> a_min, a_max, b_min, b_max;
  RangeOf(a, &a_min, &a_max);
  RangeOf(b, &b_min, &b_max);
  Refinement r;
  r.type = Type::Number();
  r.not_null = true;
  if (op == BinaryOp::kAdd) {
    r.min = Combine(Add, a_min, b_min, arena);
    r.max = Combine(Add, a_max, b_max, arena);
  } else if (op == BinaryOp::kSubtract) {
    r.min = Combine(Subtract, a_min, b_max, arena);
    r.max = Combine(Subtract, a_max, b_min, arena);
  } else if (op == BinaryOp::kMultiply) {
    // The extremes of a product are products of extremes.
    const std::optional<NumberBound> products[] = {
        Combine(Multiply, a_min, b_min, arena), Combine(Multiply, a_min, b_max, arena),
        Combine(Multiply, a_max, b_min, arena), Combine(Multiply, a_max, b_max, arena)};
    r.min = r.max = products[0];
    for (const auto& product : products) {
      r.min = Outer(r.min, product, 1);
      r.max = Outer(r.max, product, -1);
    }
    // An open end times zero is reached by zero itself.
    if (r.min) r.min->inclusive = true;
    if (r.max) r.max->inclusive = true;
  }
  if (!r.min && !r.max) return UnknownNotNull(Type::Number());
  return RefinedUnknown(r, arena);
}

// `a > b` is taken as `b < a`, so that two tests serve four operators.
Value UnknownComparison(BinaryOp op, const Value& a, const Value& b) {
  std::optional<NumberBound> a_min, a_max, b_min, b_max;
  const bool swap = op == BinaryOp::kGreater || op == BinaryOp::kGreaterEqual;
  RangeOf(swap ? b : a, &a_min, &a_max);
  RangeOf(swap ? a : b, &b_min, &b_max);
  const bool or_equal = op == BinaryOp::kLessEqual || op == BinaryOp::kGreaterEqual;
  // a < b holds for all, or a >= b does; both need that neither is null, which would be an error anyway.
  if (!DefinitelyNotNull(a) || !DefinitelyNotNull(b)) return UnknownNotNull(Type::Bool());
  if (AllBelow(a_max, b_min, or_equal)) return Value::Bool(true);
  if (AllBelow(b_max, a_min, !or_equal)) return Value::Bool(false);
  return UnknownNotNull(Type::Bool());
}

// What holds for both branches holds for either: the wider range, the common prefix, the wider length. The prefix is
// cut to whole characters before SafePrefix() looks at it. A set made of elements that converge may be shorter than its
// source, but not empty.
Value UnknownChoice(const Value& marked_a, const Value& marked_b, Type type, Arena* arena) {
  const Value& a = marked_a.unmarked();
  const Value& b = marked_b.unmarked();
  if (a.is_null() && b.is_null()) return Value::Null(type);
  Refinement r;
  r.type = type;
  r.not_null = DefinitelyNotNull(a) && DefinitelyNotNull(b);
  if (!r.not_null) return Value::Unknown(type);  // a null has no range, prefix or length
  if (type.kind() == TypeKind::kNumber) {
    std::optional<NumberBound> a_min, a_max, b_min, b_max;
    RangeOf(a, &a_min, &a_max);
    RangeOf(b, &b_min, &b_max);
    r.min = Outer(a_min, b_min, 1);
    r.max = Outer(a_max, b_max, -1);
  } else if (type.kind() == TypeKind::kString) {
    const std::string_view p = PrefixOf(a), q = PrefixOf(b);
    const size_t same = static_cast<size_t>(
        std::mismatch(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(std::min(p.size(), q.size())), q.begin())
            .first -
        p.begin());
    size_t end = same;
    while (end > 0 && end < p.size() && (static_cast<unsigned char>(p[end]) & 0xc0) == 0x80) --end;
    r.prefix = SafePrefix(p.substr(0, end));
  } else if (type.is_collection()) {
    uint64_t a_min = 0, a_max = UINT64_MAX, b_min = 0, b_max = UINT64_MAX;
    LengthsOf(a, &a_min, &a_max);
    LengthsOf(b, &b_min, &b_max);
    r.min_length = std::min(a_min, b_min);
    r.max_length = std::max(a_max, b_max);
    if (type.kind() == TypeKind::kSet) r.min_length = std::min<uint64_t>(r.min_length, 1);
  }
  return RefinedUnknown(r, arena);
}

// Ranges and prefixes do not survive, since they belong to numbers and strings; lengths do, between collections.
Value ConvertedUnknown(const Value& unknown, Type type, Arena* arena) {
  const Refinement* from = unknown.refinement();
  if (from == nullptr) return Value::Unknown(type);
  Refinement r;
  r.type = type;
  r.not_null = from->not_null;
  if (type.is_collection() && from->type.is_collection()) {
    r.min_length = from->min_length;
    r.max_length = from->max_length;
    // Equal elements become one.
    if (type.kind() == TypeKind::kSet) r.min_length = std::min<uint64_t>(r.min_length, 1);
  }
  if (type.is_primitive() && r.not_null) return UnknownNotNull(type);
  return RefinedUnknown(r, arena);
}

}  // namespace internal
}  // namespace hcl
