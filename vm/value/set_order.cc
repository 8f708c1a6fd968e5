// Sorting of set elements: directly where they are primitive, by a text made once for each otherwise.
//
// Tested by vm/value/set_order_test.cc.

#include "hclvm/vm/value/set_order.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/number.h"
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

int CompareItems(absl::Span<const Value> a, absl::Span<const Value> b);

// Compares structure and content; capsules tie. Total on values of one type. Texts may be equal for different values
// (numbers are rounded to ten digits), and this tells them apart.
int CompareStructure(const Value& a, const Value& b) {
  if (Rank(a) != Rank(b)) return Sign(Rank(a), Rank(b));
  if (Rank(a) != 0) return 0;
  if (a.is_string() && b.is_string()) return Sign(a.AsString(), b.AsString());
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

// Digits in the text of a number.
constexpr size_t kTextDigits = 10;

// Rounds the digits (no point, no sign) to kTextDigits, half to even, and drops zeros at the end. True when a digit was
// carried in front. On decimal text, because the numbers are decimal: a detour over double would round twice.
bool RoundDigits(std::string* digits) {
  bool carry = false;
  if (digits->size() > kTextDigits) {
    char next = (*digits)[kTextDigits];
    bool more = digits->find_first_not_of('0', kTextDigits + 1) != std::string::npos;
    bool odd = ((*digits)[kTextDigits - 1] - '0') % 2 == 1;
    carry = next > '5' || (next == '5' && (more || odd));
    digits->resize(kTextDigits);
    for (size_t i = kTextDigits; carry && i-- > 0;) {
      carry = (*digits)[i] == '9';
      (*digits)[i] = carry ? '0' : static_cast<char>((*digits)[i] + 1);
    }
    if (carry) digits->insert(digits->begin(), '1');
  }
  size_t last = digits->find_last_not_of('0');
  digits->resize(last == std::string::npos ? 0 : last + 1);
  return carry;
}

// `digits` with the point after the first `point` of them.
void AppendPlain(std::string digits, int64_t point, std::string* out) {
  if (point <= 0) {
    out->append("0.");
    out->append(static_cast<size_t>(-point), '0');
    out->append(digits);
    return;
  }
  if (digits.size() < static_cast<size_t>(point)) digits.resize(static_cast<size_t>(point), '0');
  out->append(digits, 0, static_cast<size_t>(point));
  if (digits.size() == static_cast<size_t>(point)) return;
  out->push_back('.');
  out->append(digits, static_cast<size_t>(point));
}

void AppendScientific(const std::string& digits, int64_t exponent, std::string* out) {
  out->push_back(digits[0]);
  if (digits.size() > 1) {
    out->push_back('.');
    out->append(digits, 1);
  }
  out->append(exponent < 0 ? "e-" : "e+");
  std::string text = std::to_string(exponent < 0 ? -exponent : exponent);
  if (text.size() < 2) text.insert(text.begin(), '0');
  out->append(text);
}

// The number at ten significant digits, with an exponent below 1e-4 and from 1e10. The reference orders composite
// elements by such texts, so that this one has to be the same to the last character.
void AppendNumberText(const Number& number, std::string* out) {
  if (number.IsInfinite()) {
    out->append(number.Sign() < 0 ? "-Inf" : "+Inf");
    return;
  }
  if (number.is_inline() && number.scale() == 0 && number.coefficient() / 1'000'000'000 == 0) {
    out->append(std::to_string(number.coefficient()));
    return;
  }
  std::string plain = number.ToString();
  if (number.Sign() < 0) {
    out->push_back('-');
    plain.erase(0, 1);
  }
  size_t point_at = std::min(plain.find('.'), plain.size());
  int64_t point = static_cast<int64_t>(point_at);
  if (point_at < plain.size()) plain.erase(point_at, 1);
  size_t zeros = std::min(plain.find_first_not_of('0'), plain.size());
  plain.erase(0, zeros);
  point -= static_cast<int64_t>(zeros);
  if (RoundDigits(&plain)) ++point;
  int64_t size = static_cast<int64_t>(plain.size());
  int64_t widest = size < static_cast<int64_t>(kTextDigits) && size >= point ? size : static_cast<int64_t>(kTextDigits);
  if (point - 1 < -4 || point - 1 >= widest) return AppendScientific(plain, point - 1, out);
  AppendPlain(std::move(plain), point, out);
}

// The reference quotes strings so in these texts; characters beyond ASCII stand for themselves.
void AppendQuoted(std::string_view text, std::string* out) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kNames = "abfnrtv\\\"";
  out->push_back('"');
  for (char c : text) {
    size_t named = kNamed.find(c);
    unsigned char byte = static_cast<unsigned char>(c);
    if (named != std::string_view::npos) {
      out->push_back('\\');
      out->push_back(kNames[named]);
    } else if (byte < 0x20 || byte == 0x7f) {
      out->append("\\x");
      out->push_back(kHex[byte >> 4]);
      out->push_back(kHex[byte & 15]);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

void AppendOrderText(const Value& value, std::string* out);

// Every item ends in `;`, also the last one, as in the reference's text.
void AppendItemTexts(char open, absl::Span<const Value> items, char close, std::string* out) {
  out->push_back(open);
  for (const Value& item : items) {
    AppendOrderText(item, out);
    out->push_back(';');
  }
  out->push_back(close);
}

void AppendMapText(const Value& map, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < map.size(); ++i) {
    AppendQuoted(map.shape().keys[i].AsString(), out);
    out->push_back(':');
    AppendOrderText(map.values()[i], out);
    out->push_back(';');
  }
  out->push_back('}');
}

// The reference's text for hashing a value: the order of its sets is the order of these texts. An object is written
// without its keys, which all elements of one set have in common. Recursion follows the depth of the value.
void AppendOrderText(const Value& value, std::string* out) {
  if (value.is_unknown()) {
    out->push_back('?');
  } else if (value.is_null()) {
    out->push_back('~');
  } else if (value.is_number()) {
    AppendNumberText(value.AsNumber(), out);
  } else if (value.is_string()) {
    AppendQuoted(value.AsString(), out);
  } else if (value.is_tuple()) {
    AppendItemTexts('<', value.elements(), '>', out);
  } else if (value.is_sequence()) {
    AppendItemTexts('[', value.elements(), ']', out);
  } else if (value.is_object()) {
    AppendItemTexts('<', value.values(), '>', out);
  } else if (value.is_map()) {
    AppendMapText(value, out);
  } else if (value.is_capsule()) {
    out->append("\xc2\xab?\xc2\xbb");
  } else {
    out->push_back(value.is_true() ? 'T' : 'F');
  }
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

int CompareElements(const Value& a, const Value& b) {
  if (!IsComposite(a) || !IsComposite(b)) return CompareStructure(a, b);
  return CompareTextAndStructure(OrderText(a), a, OrderText(b), b);
}

// Each text is made once and not in each comparison: O(n) texts instead of O(n log n).
void SortComposite(absl::Span<Value> elements) {
  std::vector<std::pair<std::string, Value>> texts;
  texts.reserve(elements.size());
  for (const Value& element : elements) texts.emplace_back(OrderText(element), element);
  std::stable_sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) {
    return CompareTextAndStructure(a.first, a.second, b.first, b.second) < 0;
  });
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = texts[i].second;
}

// Whether `element` equals one of the last kept elements, which sort as it does. An element with unknown parts equals
// nothing for certain, and stays.
bool IsRepeated(absl::Span<const Value> kept, const Value& element) {
  if (!element.is_wholly_known()) return false;
  for (size_t i = kept.size(); i-- > 0;) {
    if (EqualsTri(kept[i], element) == Tri::kTrue) return true;
    // Only capsules are unequal and tie, so that this ends at once for all others.
    if (CompareStructure(kept[i], element) != 0) return false;
  }
  return false;
}

}  // namespace

// Sorted elements that are equal are neighbors, but for capsules, so that one pass drops them. Primitive elements are
// compared directly: no text is made for the usual sets. The sort is stable, so that the first of equal elements is
// kept.
size_t SortSetElements(absl::Span<Value> elements) {
  bool composite = false;
  for (const Value& element : elements) composite = composite || IsComposite(element);
  if (composite) {
    SortComposite(elements);
  } else {
    std::stable_sort(elements.begin(), elements.end(),
                     [](const Value& a, const Value& b) { return CompareStructure(a, b) < 0; });
  }
  size_t kept = 0;
  for (const Value& element : elements) {
    if (!IsRepeated(elements.subspan(0, kept), element)) elements[kept++] = element;
  }
  return kept;
}

// A binary search finds the first of those that tie, which are then compared: only capsules tie that are not equal.
int64_t FindSetElement(const Value& set, const Value& element) {
  absl::Span<const Value> elements = set.elements();
  auto less = [](const Value& a, const Value& b) { return CompareElements(a, b) < 0; };
  auto it = std::lower_bound(elements.begin(), elements.end(), element, less);
  for (; it != elements.end() && CompareElements(*it, element) == 0; ++it) {
    if (EqualsTri(*it, element) == Tri::kTrue) return it - elements.begin();
  }
  return -1;
}

}  // namespace hcl::internal
