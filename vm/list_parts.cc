// Parts of lists that are not made. Elements are compared each with each, which takes less time than to put few of them
// in order. Tested by vm/list_parts_test.cc.

#include "hclvm/vm/list_parts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "hclvm/base/find_text.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/short_pieces.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Comparisons of one count at most.
constexpr uint64_t kMaxComparisons = 4096;

constexpr uint32_t Bit(Tag tag) { return uint32_t{1} << static_cast<int>(tag); }

// An empty list has a type of elements, which the other's may not agree with; an empty tuple has none.
bool IsWholeList(const Value& value) {
  if (!value.is_sequence()) return false;
  const Sequence& sequence = SequenceOf(value);
  return sequence.wholly_known && !sequence.has_marks && (sequence.size > 0 || value.is_tuple());
}

// The tags of the elements, a bit for each.
uint32_t TagsOf(absl::Span<const Value> elements) {
  uint32_t tags = 0;
  for (const Value& element : elements) tags |= Bit(TagOf(element));
  return tags;
}

bool IsSame(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  if (TagOf(a) == Tag::kString) return HeadBits(a) == HeadBits(b) && a.AsString() == b.AsString();
  return TagOf(a) == Tag::kBigNumber && TagOf(b) == Tag::kBigNumber && Equal(a.AsNumber(), b.AsNumber());
}

template <typename Same>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool Has(absl::Span<const Value> elements, const Value& wanted, const Same& same) {
  for (const Value& element : elements) {
    if (same(element, wanted)) return true;
  }
  return false;
}

// Different elements of `list` that are among `others`, or are not.
template <typename Same>
int64_t Count(const Value& list, absl::Span<const Value> others, bool lacking, const Same& same) {
  const absl::Span<const Value> elements = list.elements();
  int64_t found = 0;
  for (size_t n = 0; n < elements.size(); ++n) {
    if (!list.is_set() && Has(elements.first(n), elements[n], same)) continue;
    found += Has(others, elements[n], same) != lacking ? 1 : 0;
  }
  return found;
}

}  // namespace

bool CountShared(const Value& list, const Value& other, bool lacking, int64_t* count, uint64_t* cost) {
  if (!IsWholeList(list) || !IsWholeList(other)) return false;
  const absl::Span<const Value> elements = list.elements();
  const absl::Span<const Value> others = other.elements();
  const uint64_t comparisons = uint64_t{elements.size()} * (others.size() + elements.size());
  if (comparisons > kMaxComparisons) return false;
  const uint32_t tags = TagsOf(elements) | TagsOf(others);
  constexpr uint32_t kKinds[] = {Bit(Tag::kShortString) | Bit(Tag::kString), Bit(Tag::kNumber) | Bit(Tag::kBigNumber),
                                 Bit(Tag::kFalse) | Bit(Tag::kTrue)};
  if (std::none_of(std::begin(kKinds), std::end(kKinds), [tags](uint32_t kind) { return (tags & ~kind) == 0; })) {
    return false;
  }
  // A long text is compared with each that is as long.
  *cost = elements.size() * (list.weight() + other.weight()) / 4;
  constexpr uint32_t kComparedByBits = Bit(Tag::kShortString) | Bit(Tag::kNumber) | Bit(Tag::kFalse) | Bit(Tag::kTrue);
  *count = (tags & ~kComparedByBits) == 0
               ? Count(list, others, lacking, [](const Value& a, const Value& b) { return a.SameBits(b); })
               : Count(list, others, lacking, IsSame);
  return true;
}

namespace {

// The piece at `place` from the end, which is 1 or more. Pieces are found from the beginning: separators of one byte
// are the same from either side.
bool PieceFromEnd(std::string_view all, std::string_view between, uint32_t place, Value* piece) {
  if (between.size() != 1) return false;
  for (;; --place) {
    const size_t before = all.rfind(between[0]);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    if (place == 1) {
      *piece = Value::StringView(all.substr(begin));
      return true;
    }
    if (begin == 0) return false;
    all = all.substr(0, before);
  }
}

// Out of line, so that PieceAt() saves no registers for it.
ABSL_ATTRIBUTE_NOINLINE bool AnyPieceAt(const Value& text, const Value& separator, uint32_t place, Value* piece,
                                        uint64_t* cost) {
  if (!text.is_string() || !separator.is_string()) return false;
  const std::string_view all = text.AsString();
  const std::string_view between = separator.AsString();
  if (between.empty()) return false;
  if (place >= kFromEnd) {
    *cost = all.size() / 64 + (2 * kFromEnd - place);
    return PieceFromEnd(all, between, 2 * kFromEnd - place, piece);
  }
  *cost = CostOfSearch(all.size(), between) + place;
  size_t begin = 0;
  for (;; --place) {
    const size_t end = FindText(all, between, begin);
    if (place == 0) {
      *piece = Value::StringView(all.substr(begin, end == std::string_view::npos ? end : end - begin));
      return true;
    }
    if (end == std::string_view::npos) return false;
    begin = end + between.size();
  }
}

// What is done with a text that is split: false, and nothing, where it cannot be.
bool BeginPieces(const Value& text, const Value& separator, uint64_t* cost) {
  if (!text.is_string() || !separator.is_string() || separator.AsString().empty()) return false;
  *cost = CostOfSearch(text.AsString().size(), separator.AsString());
  return true;
}

}  // namespace

bool PieceAt(const Value& text, const Value& separator, uint32_t place, Value* piece, uint64_t* cost) {
  if (ABSL_PREDICT_FALSE(!HasShortPieces(text, separator) || place >= kFromEnd)) {
    return AnyPieceAt(text, separator, place, piece, cost);
  }
  static_assert(kMaxInlineString < 64);  // the search of a short text costs nothing
  *cost = place;
  return ShortPieceAt(text, separator, place, piece);
}

bool CountPieces(const Value& text, const Value& separator, int64_t* count, uint64_t* cost) {
  if (!BeginPieces(text, separator, cost)) return false;
  const std::string_view all = text.AsString(), between = separator.AsString();
  *count = 1;
  if (between.size() == 1) {
    *count += std::count(all.begin(), all.end(), between[0]);
    return true;
  }
  for (size_t at = 0; (at = FindText(all, between, at)) != std::string_view::npos; at += between.size()) ++*count;
  *cost += static_cast<uint64_t>(*count);
  return true;
}

// Each end of a piece is looked for behind the one before: separators may overlap.
bool HasPiece(const Value& text, const Value& separator, const Value& piece, bool* found, uint64_t* cost) {
  if (!piece.is_string() || !BeginPieces(text, separator, cost)) return false;
  const std::string_view all = text.AsString(), between = separator.AsString(), wanted = piece.AsString();
  *found = false;
  uint64_t pieces = 1;
  for (size_t begin = 0; !*found; ++pieces) {
    const size_t end = FindText(all, between, begin);
    const size_t size = std::min(end, all.size()) - begin;
    *found = size == wanted.size() && all.substr(begin, size) == wanted;
    if (end == std::string_view::npos) break;
    begin = end + between.size();
  }
  *cost += pieces + wanted.size() / 64;
  return true;
}

}  // namespace hcl::internal
