// Sorting of set elements: directly where they are primitive, by a text made once for each otherwise.
//
// Tested by vm/value/set_order_test.cc.

#include "hclvm/vm/value/set_order.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/container/fixed_array.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/key_sort.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/scratch.h"
#include "hclvm/vm/value/set_text.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Known values, then unknown ones, then nulls.
int Rank(const Value& value) { return value.is_null() ? 2 : value.is_unknown() ? 1 : 0; }

bool IsComposite(const Value& value) { return value.is_sequence() || value.is_mapping() || value.is_capsule(); }

template <typename T>
int Sign(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

// The string again.
Value ShortOfWords(Words words) {
  const uint64_t first = __builtin_bswap64(HighOf(words));
  const uint64_t length = LowOf(words) & 0xff;
  return ValueAccess::Make(Tag::kShortString, length << 8 | first << 16,
                           first >> 48 | __builtin_bswap64(LowOf(words) ^ length) << 16);
}

Words WordsOfText(std::string_view text) {
  const size_t shown = std::min(text.size(), kMaxInlineString);
  return WordsOf(Value::StringView(text.substr(0, shown)), std::min<uint64_t>(text.size(), kLonger));
}

constexpr uint64_t kSignBit = uint64_t{1} << 63;
Words WordsOfInt(const Value& integer) { return static_cast<uint64_t>(integer.AsInt()) ^ kSignBit; }
Value IntOfWords(Words words) { return Value::Int(static_cast<int64_t>(LowOf(words) ^ kSignBit)); }

int CompareItems(absl::Span<const Value> a, absl::Span<const Value> b);

// Compares structure and content; capsules tie. Total on values of one type. Texts may be equal for different values
// (numbers are rounded to ten digits), and this tells them apart.
int CompareStructure(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return Sign(a.AsInt(), b.AsInt());
  if (a.is_string() && b.is_string()) return CompareStrings(a, b);
  if (Rank(a) != Rank(b)) return Sign(Rank(a), Rank(b));
  if (Rank(a) != 0) return 0;
  if (a.is_number() && b.is_number()) return Compare(a.AsNumber(), b.AsNumber());
  if (TagOf(a) != TagOf(b)) return Sign(TagOf(a), TagOf(b));
  if (a.is_sequence()) return CompareItems(a.elements(), b.elements());
  if (a.is_mapping()) {
    int keys = CompareItems({a.shape().keys, a.shape().size}, {b.shape().keys, b.shape().size});
    return keys != 0 ? keys : CompareItems(a.values(), b.values());
  }
  return 0;
}

// This is std::lexicographical_compare with three outcomes.
int CompareItems(absl::Span<const Value> a, absl::Span<const Value> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    int compared = CompareStructure(a[i], b[i]);
    if (compared != 0) return compared;
  }
  return Sign(a.size(), b.size());
}

// The rank comes before the text, so that unknown elements stand behind the known ones, whatever their text.
int CompareTextAndStructure(std::string_view text_a, const Value& a, std::string_view text_b, const Value& b) {
  if (Rank(a) != Rank(b)) return Sign(Rank(a), Rank(b));
  int texts = Sign(text_a, text_b);
  return texts != 0 ? texts : CompareStructure(a, b);
}

std::string OrderText(const Value& value) {
  std::string text;
  AppendOrderText(value, &text);
  return text;
}

// Compares `a`, whose text is `text_a` if it is composite, with `b`.
int CompareElements(std::string_view text_a, const Value& a, const Value& b) {
  if (!IsComposite(a) || !IsComposite(b)) return CompareStructure(a, b);
  return CompareTextAndStructure(text_a, a, OrderText(b), b);
}

// How far ahead memory is asked for, so that the processor can wait for several at once.
constexpr size_t kAhead = 16;

// Bytes that begin all of the texts `text(0)` to `text(count - 1)`. They are left out of the keys, which tell texts
// apart then that only differ behind a long beginning.
template <typename Text>
size_t CommonPrefix(size_t count, const Text& text) {
  const std::string_view first = text(0);
  size_t prefix = first.size();
  for (size_t i = 1; i < count && prefix > 0; ++i) {
    // The texts of sorted strings lie scattered: memory is asked for ahead.
    if (i + kAhead < count) __builtin_prefetch(text(i + kAhead).data());
    const std::string_view other = text(i);
    if (other.substr(0, prefix) == first.substr(0, prefix)) continue;
    prefix = std::min(prefix, other.size());
    prefix =
        static_cast<size_t>(std::mismatch(first.begin(), first.begin() + prefix, other.begin()).first - first.begin());
  }
  return prefix;
}

// What the known elements of a set are: a bit for each tag, and whether its numbers are all integers.
struct Kinds {
  uint32_t tags = 0;
  bool integers = true;

  static constexpr uint32_t Bit(Tag tag) { return uint32_t{1} << static_cast<int>(tag); }
  bool only(uint32_t bits) const { return (tags & ~bits) == 0; }
  bool any(uint32_t bits) const { return (tags & bits) != 0; }
};

constexpr uint32_t kStrings = Kinds::Bit(Tag::kShortString) | Kinds::Bit(Tag::kString);
constexpr uint32_t kBlanks = Kinds::Bit(Tag::kNull) | Kinds::Bit(Tag::kUnknown);
constexpr uint32_t kComposites = Kinds::Bit(Tag::kTuple) | Kinds::Bit(Tag::kList) | Kinds::Bit(Tag::kSet) |
                                 Kinds::Bit(Tag::kObject) | Kinds::Bit(Tag::kMap) | Kinds::Bit(Tag::kCapsule);

Kinds KindsOf(absl::Span<const Value> elements) {
  Kinds kinds;
  for (const Value& element : elements) {
    kinds.tags |= Kinds::Bit(TagOf(element));
    kinds.integers &= element.is_int();
  }
  return kinds;
}

// For the texts of up to so many elements, no memory is taken from the system.
constexpr size_t kFew = 32;

// What is wanted of elements that are equal.
enum class Repeated { kDrop, kKeep };

// Elements that are their words alone, and how these are made of one, and one of these.
struct ShortStrings {
  static Words From(const Value& element) { return WordsOfShort(element); }
  static Value To(Words words) { return ShortOfWords(words); }
};
struct Integers {
  static Words From(const Value& element) { return WordsOfInt(element); }
  static Value To(Words words) { return IntOfWords(words); }
};

// For fewer, all that a sorter prepares takes longer than to put one after the other in its place.
constexpr size_t kFewInline = 12;

// Sorts such elements. How many are left.
template <typename Kind>
size_t SortFew(absl::Span<Value> elements, Repeated repeated, uint32_t* counts) {
  Words words[kFewInline];
  size_t kept = 0;
  for (const Value element : elements) {
    const Words own = Kind::From(element);
    size_t at = kept;
    while (at > 0 && own < words[at - 1]) --at;
    if (at > 0 && words[at - 1] == own && repeated == Repeated::kDrop) {
      if (counts != nullptr) ++counts[at - 1];
      continue;
    }
    for (size_t n = kept; n > at; --n) {
      words[n] = words[n - 1];
      elements[n] = elements[n - 1];
      if (counts != nullptr) counts[n] = counts[n - 1];
    }
    words[at] = own;
    elements[at] = element;
    if (counts != nullptr) counts[at] = 1;
    ++kept;
  }
  return kept;
}

// The same of any number.
template <typename Kind>
size_t SortInline(absl::Span<Value> elements, Repeated repeated, Arena* arena, uint32_t* counts) {
  const size_t size = elements.size();
  if (size <= kFewInline) return SortFew<Kind>(elements, repeated, counts);
  const Scratch<Words> memory(2 * size, arena);  // and as much scratch memory
  Words* const words = memory.data();
  for (size_t i = 0; i < size; ++i) words[i] = Kind::From(elements[i]);
  const auto less = [](Words a, Words b) { return a < b; };
  KeySorter<Words, decltype(less)>(words, words + size, size, less).Sort();
  elements[0] = Kind::To(words[0]);
  if (counts != nullptr) counts[0] = 1;
  size_t kept = 1;
  for (size_t i = 1; i < size; ++i) {
    if (words[i] == words[i - 1] && repeated == Repeated::kDrop) {
      if (counts != nullptr) ++counts[kept - 1];
      continue;
    }
    if (counts != nullptr) counts[kept] = 1;
    elements[kept++] = Kind::To(words[i]);
  }
  return kept;
}

// Sorts other elements, by words which nearly always decide. The elements stay where they are until their order is
// known, so that comparisons can look at them.
class Sorter {
 public:
  // `counts` may be null.
  Sorter(absl::Span<Value> elements, Repeated repeated, Arena* arena, uint32_t* counts)
      : elements_(elements), repeated_(repeated), counts_(counts), keys_(2 * elements.size(), arena) {}

  // Each of the following returns how many are left.

  size_t SortStrings() {
    const auto text = [this](size_t i) { return elements_[i].AsString(); };
    const size_t prefix = CommonPrefix(size(), text);
    for (size_t i = 0; i < size(); ++i) {
      if (i + kAhead < size()) __builtin_prefetch(text(i + kAhead).data() + prefix);
      Set(i, WordsOfText(text(i).substr(prefix)));
    }
    const auto tie = [&](size_t a, size_t b) { return CompareBehind(prefix, text(a), text(b)); };
    Sort(tie);
    return Keep([&](size_t kept, const Key& key) {
      const bool same = kept > 0 && repeated_ == Repeated::kDrop && keys_[kept - 1].SameWords(key) &&
                        tie(keys_[kept - 1].index, key.index) == 0;
      return same ? kept - 1 : kept;
    });
  }

  // Each text is made once and not in each comparison: O(n) texts instead of O(n log n).
  size_t SortByTexts() {
    std::string texts;
    absl::FixedArray<size_t, kFew + 1> ends(size() + 1);
    ends[0] = 0;
    for (size_t i = 0; i < size(); ++i) {
      AppendOrderText(elements_[i], &texts);
      ends[i + 1] = texts.size();
    }
    const auto text = [&](size_t i) { return std::string_view(texts.data() + ends[i], ends[i + 1] - ends[i]); };
    const size_t prefix = CommonPrefix(size(), text);
    for (size_t i = 0; i < size(); ++i) Set(i, WordsOfText(text(i).substr(prefix)));
    Sort([&](size_t a, size_t b) {
      const int order = CompareBehind(prefix, text(a), text(b));
      return order != 0 ? order : CompareStructure(elements_[a], elements_[b]);
    });
    return KeepDifferent();
  }

  size_t SortByStructure() {
    for (size_t i = 0; i < size(); ++i) Set(i, 0);
    Sort([this](size_t a, size_t b) { return CompareStructure(elements_[a], elements_[b]); });
    return KeepDifferent();
  }

 private:
  // The words of an element, and where it is.
  struct Key {
    uint64_t high;
    uint64_t low;
    uint32_t index;

    bool SameWords(const Key& other) const { return high == other.high && low == other.low; }
  };

  size_t size() const { return elements_.size(); }
  void Set(size_t i, Words words) { keys_[i] = {HighOf(words), LowOf(words), static_cast<uint32_t>(i)}; }

  // Compares two texts with the same prefix and the same words behind it.
  static int CompareBehind(size_t prefix, std::string_view a, std::string_view b) {
    const size_t same = prefix + kMaxInlineString;
    if (a.size() <= same) return 0;  // so is the other one, since the words hold the length
    return a.substr(same).compare(b.substr(same));
  }

  // tie(a, b) compares two elements of the same words: below, at or above zero.
  template <typename Tie>
  void Sort(const Tie& tie) {
    const auto less = [&tie](const Key& a, const Key& b) {
      if (a.high != b.high) return a.high < b.high;
      if (a.low != b.low) return a.low < b.low;
      return tie(a.index, b.index) < 0;
    };
    KeySorter<Key, decltype(less)>(keys_.data(), keys_.data() + size(), size(), less).Sort();
  }

  // An element with unknown parts equals nothing for certain, and stays. Only capsules are unequal and tie, so that the
  // search ends at once for all others.
  size_t KeepDifferent() {
    return Keep([this](size_t kept, const Key& key) {
      const Value& element = elements_[key.index];
      if (!element.is_wholly_known()) return kept;
      for (size_t i = kept; i-- > 0;) {
        const Value& other = elements_[keys_[i].index];
        if (!keys_[i].SameWords(key)) break;
        if (EqualsTri(other, element) == Tri::kTrue) return i;
        if (CompareStructure(other, element) != 0) break;
      }
      return kept;
    });
  }

  // Drops keys of elements that are repeated, and puts the others in the order of their keys. `find(kept, key)` is
  // which of the kept keys stands for the same as `key`, or `kept`.
  template <typename Find>
  size_t Keep(const Find& find) {
    size_t kept = 0;
    bool in_order = true;
    for (size_t i = 0; i < size(); ++i) {
      const size_t at = find(kept, keys_[i]);
      if (counts_ != nullptr) counts_[at] = at == kept ? 1 : counts_[at] + 1;
      if (at != kept) continue;
      in_order &= keys_[i].index == kept;
      keys_[kept++] = keys_[i];
    }
    if (in_order) return kept;
    // The scratch memory of the sort has room for them.
    static_assert(sizeof(Key) >= sizeof(Value) && alignof(Key) >= alignof(Value));
    auto* const from = static_cast<Value*>(static_cast<void*>(keys_.data() + size()));
    std::uninitialized_copy(elements_.begin(), elements_.end(), from);
    for (size_t i = 0; i < kept; ++i) elements_[i] = from[keys_[i].index];
    return kept;
  }

  absl::Span<Value> elements_;
  const Repeated repeated_;
  uint32_t* const counts_;
  const Scratch<Key> keys_;  // and as much scratch memory behind them
};

// A word of a string or integer that equal ones share. Most long texts differ at one of their ends.
uint64_t HashOfPlain(const Value& value) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  if (TagOf(value) != Tag::kString) return (HeadBits(value) * kFactor ^ PayloadBits(value)) * kFactor;
  const std::string_view text = value.AsString();
  return (LoadWord(text.data()) * kFactor ^ LoadWord(text.data() + text.size() - sizeof(uint64_t))) * kFactor;
}

bool IsSamePlain(const Value& a, const Value& b) {
  return a.SameBits(b) || (TagOf(a) == Tag::kString && TagOf(b) == Tag::kString && SameString(a, b));
}

// Whether the first elements rise, as those of sets, keys and ranges do, which sort in one pass.
bool BeginInOrder(absl::Span<const Value> elements) {
  constexpr size_t kLooked = 6;
  const auto* const end = elements.begin() + std::min(elements.size(), kLooked);
  return std::adjacent_find(elements.begin(), end,
                            [](const Value& a, const Value& b) { return CompareStructure(a, b) >= 0; }) == end;
}

// Drops strings or integers that are repeated, and returns how many are left, at the front: lists of what records say,
// such as who made a request, have few different elements. Some may still be repeated, as sorting drops them anyway.
// Where most of the first elements differ, nothing more is looked for. Time: linear.
size_t DropMostRepeated(absl::Span<Value> elements) {
  constexpr size_t kPlaces = 256;
  constexpr size_t kMostKept = kPlaces / 2 - 1;
  constexpr size_t kSample = 32, kMostOfSample = 24;
  constexpr int kMostProbes = 4;
  uint8_t places[kPlaces] = {};  // by hash: one more than where an element stands, or 0
  size_t kept = 0;
  size_t n = 0;
  for (; n < elements.size() && kept < kMostKept && (n != kSample || kept <= kMostOfSample); ++n) {
    const Value element = elements[n];
    auto at = static_cast<uint8_t>(HashOfPlain(element) >> 56);
    bool is_new = true;
    for (int probe = 0; probe < kMostProbes && is_new; ++probe, ++at) {
      if (places[at] == 0) {
        places[at] = static_cast<uint8_t>(kept + 1);
        break;
      }
      is_new = !IsSamePlain(elements[places[at] - 1u], element);
    }
    if (is_new) elements[kept++] = element;
  }
  if (kept < n) std::copy(elements.begin() + n, elements.end(), elements.begin() + kept);
  return kept + elements.size() - n;
}

// For known elements.
size_t SortKnown(absl::Span<Value> elements, const Kinds& kinds, Arena* arena, uint32_t* counts) {
  if (elements.size() < 2) {
    if (counts != nullptr && !elements.empty()) counts[0] = 1;
    return elements.size();
  }
  const bool are_plain = kinds.only(kStrings) || kinds.integers;
  if (are_plain && counts == nullptr && elements.size() > kFewInline && !BeginInOrder(elements)) {
    elements = elements.first(DropMostRepeated(elements));
  }
  if (kinds.only(Kinds::Bit(Tag::kShortString))) {
    return SortInline<ShortStrings>(elements, Repeated::kDrop, arena, counts);
  }
  if (kinds.integers) return SortInline<Integers>(elements, Repeated::kDrop, arena, counts);
  Sorter sorter(elements, Repeated::kDrop, arena, counts);
  if (kinds.only(kStrings)) return sorter.SortStrings();
  return kinds.any(kComposites) ? sorter.SortByTexts() : sorter.SortByStructure();
}

// Known elements come first, then unknown ones, of which none equals another for certain, then a null.
ABSL_ATTRIBUTE_NOINLINE size_t SortWithBlanks(absl::Span<Value> elements, Arena* arena, uint32_t* counts) {
  std::stable_sort(elements.begin(), elements.end(), [](const Value& a, const Value& b) { return Rank(a) < Rank(b); });
  const auto begin_of = [&](int rank) {
    const auto is_before = [rank](const Value& v) { return Rank(v) < rank; };
    return static_cast<size_t>(std::partition_point(elements.begin(), elements.end(), is_before) - elements.begin());
  };
  const size_t unknown = begin_of(1);
  const size_t null = begin_of(2);
  const absl::Span<Value> known = elements.subspan(0, unknown);
  size_t kept = SortKnown(known, KindsOf(known), arena, counts);
  const auto keep = [&](size_t at, uint32_t count) {
    elements[kept] = elements[at];
    if (counts != nullptr) counts[kept] = count;
    ++kept;
  };
  for (size_t i = unknown; i < null; ++i) keep(i, 1);
  if (null < elements.size()) keep(null, static_cast<uint32_t>(elements.size() - null));
  return kept;
}

// Position of a string among the elements of a set of strings, or -1. The known ones come first.
int64_t FindString(absl::Span<const Value> elements, const Value& string) {
  const auto* const it = std::partition_point(elements.begin(), elements.end(), [&](const Value& other) {
    return other.is_string() && CompareStrings(other, string) < 0;
  });
  const bool found = it != elements.end() && it->is_string() && CompareStrings(*it, string) == 0;
  return found ? it - elements.begin() : -1;
}

}  // namespace

// Primitive elements are compared directly: no text is made for the usual sets. The sort is stable, so that the first
// of equal elements is kept.
size_t SortSetElements(absl::Span<Value> elements, Arena* arena, uint32_t* counts) {
  const Kinds kinds = KindsOf(elements);
  return kinds.any(kBlanks) ? SortWithBlanks(elements, arena, counts) : SortKnown(elements, kinds, arena, counts);
}

void SortStrings(absl::Span<Value> strings, Arena* arena) {
  if (strings.size() < 2) return;
  if (KindsOf(strings).only(Kinds::Bit(Tag::kShortString))) {
    SortInline<ShortStrings>(strings, Repeated::kKeep, arena, nullptr);
  } else {
    Sorter(strings, Repeated::kKeep, arena, nullptr).SortStrings();
  }
}

// A binary search finds the first of those that tie, which are then compared: only capsules tie that are not equal.
int64_t FindSetElement(const Value& set, const Value& element) {
  absl::Span<const Value> elements = set.elements();
  if (element.is_string() && set.element_type().kind() == TypeKind::kString) return FindString(elements, element);
  const std::string text = IsComposite(element) ? OrderText(element) : std::string();
  const auto* it = std::partition_point(elements.begin(), elements.end(),
                                        [&](const Value& other) { return CompareElements(text, element, other) > 0; });
  for (; it != elements.end() && CompareElements(text, element, *it) == 0; ++it) {
    if (EqualsTri(*it, element) == Tri::kTrue) return it - elements.begin();
  }
  return -1;
}

}  // namespace hcl::internal
