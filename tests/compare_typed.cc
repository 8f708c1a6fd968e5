// Comparison of typed JSON. Tested by tests/compare_typed_test.cc.

#include "hclvm/tests/compare_typed.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace hcl {
namespace {

// A plain decimal without a leading "+", leading or trailing zeros, or a bare point; zero is "0".
std::string CanonicalDecimal(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.find('.') != std::string_view::npos) {
    while (text.back() == '0') text.remove_suffix(1);
    if (text.back() == '.') text.remove_suffix(1);
  }
  while (text.size() > 1 && text[0] == '0' && text[1] != '.') text.remove_prefix(1);
  if (text.empty() || text == "0") return "0";
  return (negative ? "-" : "") + std::string(text);
}

bool SameNumber(const std::string& got, const std::string& want, const CompareOptions& options) {
  if (options.digits > 0) {
    return CanonicalDecimal(got) == CanonicalDecimal(want) ||
           RoundedDecimal(got, options.digits) == RoundedDecimal(want, options.digits);
  }
  const bool has_exponent = want.find_first_of("eE") != std::string::npos;
  if (!has_exponent && CanonicalDecimal(got) == CanonicalDecimal(want)) return true;
  if (!has_exponent && want.find('.') == std::string::npos) return false;
  return std::strtod(got.c_str(), nullptr) == std::strtod(want.c_str(), nullptr);
}

bool IsName(const JsonTree& type, std::string_view name) {
  return type.kind == JsonTree::Kind::kString && type.text == name;
}

// "list" and the like for a type that is written as an array.
std::string_view KindName(const JsonTree& type) {
  return type.is_array() && type.items.size() == 2 ? std::string_view(type.items[0].text) : std::string_view();
}

const JsonTree* UnknownType(const JsonTree& value) { return value.Find("$unknown"); }

bool SameValue(const JsonTree& got, const JsonTree& want, const JsonTree& type, const CompareOptions& options);

bool SameList(const JsonTree& got, const JsonTree& want, const JsonTree& element, const CompareOptions& options) {
  if (got.items.size() != want.items.size()) return false;
  for (size_t i = 0; i < got.items.size(); ++i) {
    if (!SameValue(got.items[i], want.items[i], element, options)) return false;
  }
  return true;
}

bool SameTuple(const JsonTree& got, const JsonTree& want, const std::vector<JsonTree>& types,
               const CompareOptions& options) {
  if (got.items.size() != want.items.size() || want.items.size() != types.size()) return false;
  for (size_t i = 0; i < types.size(); ++i) {
    if (!SameValue(got.items[i], want.items[i], types[i], options)) return false;
  }
  return true;
}

bool SameSet(const JsonTree& got, const JsonTree& want, const JsonTree& element, const CompareOptions& options) {
  if (got.items.size() != want.items.size()) return false;
  std::vector<bool> used(got.items.size());
  for (const JsonTree& wanted : want.items) {
    size_t i = 0;
    while (i < used.size() && (used[i] || !SameValue(got.items[i], wanted, element, options))) ++i;
    if (i == used.size()) return false;
    used[i] = true;
  }
  return true;
}

// `types` is a map's element type, or an object's attribute types.
bool SameMembers(const JsonTree& got, const JsonTree& want, const JsonTree& types, bool is_map,
                 const CompareOptions& options) {
  if (!got.is_object() || got.members.size() != want.members.size()) return false;
  for (const auto& [name, wanted] : want.members) {
    const JsonTree* member = got.Find(name);
    const JsonTree* type = is_map ? &types : types.Find(name);
    if (member == nullptr || type == nullptr || !SameValue(*member, wanted, *type, options)) return false;
  }
  return true;
}

bool SameValue(const JsonTree& got, const JsonTree& want, const JsonTree& type, const CompareOptions& options) {
  if (const JsonTree* wanted = UnknownType(want)) {
    const JsonTree* unknown = UnknownType(got);
    return unknown != nullptr ? SameTypeTree(*unknown, *wanted, options) : options.accept_known;
  }
  if (UnknownType(got) != nullptr) return false;
  if (got.kind != want.kind) return false;
  if (want.is_null()) return true;
  const std::string_view kind = KindName(type);
  if (kind == "list") return SameList(got, want, type.items[1], options);
  if (kind == "set") return SameSet(got, want, type.items[1], options);
  if (kind == "tuple") return SameTuple(got, want, type.items[1].items, options);
  if (kind == "map" || kind == "object") return SameMembers(got, want, type.items[1], kind == "map", options);
  if (want.is_object()) return got.Text("$number") == want.Text("$number");
  return want.kind == JsonTree::Kind::kNumber ? SameNumber(got.text, want.text, options) : got.text == want.text;
}

// {"type": T, "value": V}, as opposed to the attributes of a body that are called so, whose types are objects here.
bool IsTyped(const JsonTree& tree) {
  const JsonTree* type = tree.Find("type");
  return type != nullptr && !type->is_object() && tree.Find("value") != nullptr;
}

}  // namespace

std::string RoundedDecimal(std::string_view text, int digits) {
  const size_t power = std::min(text.find_first_of("eE"), text.size());
  std::string plain = CanonicalDecimal(text.substr(0, power));
  std::string sign;
  if (plain[0] == '-') {
    sign = "-";
    plain.erase(0, 1);
  }
  const size_t point = std::min(plain.find('.'), plain.size());
  int exponent = static_cast<int>(point);  // of a point before the first digit
  plain.erase(point, 1);
  const size_t first = plain.find_first_not_of('0');
  if (first == std::string::npos) return "0";
  plain.erase(0, first);
  exponent -= static_cast<int>(first);
  if (power < text.size())
    exponent += static_cast<int>(std::strtol(std::string(text.substr(power + 1)).c_str(), nullptr, 10));
  if (plain.size() > static_cast<size_t>(digits)) {
    const bool up = plain[digits] >= '5';
    plain.resize(digits);
    int at = digits - 1;
    while (up && at >= 0 && plain[at] == '9') plain[at--] = '0';
    if (up && at >= 0) ++plain[at];
    if (up && at < 0) {
      plain.insert(0, "1");
      ++exponent;
    }
  }
  while (plain.back() == '0') plain.pop_back();
  return sign + plain + "e" + std::to_string(exponent);
}

bool SameTypeTree(const JsonTree& got, const JsonTree& want, const CompareOptions& options) {
  if (options.accept_known && IsName(want, "dynamic")) return true;
  // Some cases write the element types of an empty tuple as null.
  if (want.is_null()) return got.is_null() || (got.is_array() && got.items.empty());
  if (got.kind != want.kind || got.text != want.text) return false;
  if (got.items.size() != want.items.size() || got.members.size() != want.members.size()) return false;
  for (size_t i = 0; i < want.items.size(); ++i) {
    if (!SameTypeTree(got.items[i], want.items[i], options)) return false;
  }
  for (const auto& [name, wanted] : want.members) {
    const JsonTree* member = got.Find(name);
    if (member == nullptr || !SameTypeTree(*member, wanted, options)) return false;
  }
  return true;
}

bool SameTypedTree(const JsonTree& got, const JsonTree& want, const CompareOptions& options) {
  const JsonTree* got_type = got.Find("type");
  const JsonTree* want_type = want.Find("type");
  const JsonTree* got_value = got.Find("value");
  const JsonTree* want_value = want.Find("value");
  if (got_type == nullptr || want_type == nullptr || got_value == nullptr || want_value == nullptr) return false;
  return SameTypeTree(*got_type, *want_type, options) && SameValue(*got_value, *want_value, *want_type, options);
}

bool SameResultTree(const JsonTree& got, const JsonTree& want, const CompareOptions& options) {
  if (IsTyped(want)) return SameTypedTree(got, want, options);
  if (got.kind == JsonTree::Kind::kNumber && want.kind == got.kind) return SameNumber(got.text, want.text, options);
  if (got.kind != want.kind || got.text != want.text) return false;
  if (got.items.size() != want.items.size() || got.members.size() != want.members.size()) return false;
  for (size_t i = 0; i < want.items.size(); ++i) {
    if (!SameResultTree(got.items[i], want.items[i], options)) return false;
  }
  for (const auto& [name, wanted] : want.members) {
    const JsonTree* member = got.Find(name);
    if (member == nullptr || !SameResultTree(*member, wanted, options)) return false;
  }
  return true;
}

}  // namespace hcl
