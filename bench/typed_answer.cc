// Typed JSON of plain C++ values. Tested by bench/handwritten_test.cc and bench/breadth/breadth_test.cc.

#include "hclvm/bench/typed_answer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hcl::bench {
namespace {

struct AppendType {
  void operator()(std::string* out, const TypedJson& json) const { out->append(json.type); }
};

struct AppendValue {
  void operator()(std::string* out, const TypedJson& json) const { out->append(json.value); }
};

}  // namespace

// Other characters than these do not occur in the answers.
TypedJson DescribeText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    c == '\n' ? quoted.append("\\n") : quoted.append(1, c);
  }
  return {R"("string")", quoted + "\""};
}

// Without zeros at the end, as a decimal is written once only.
TypedJson DescribeFixed(int64_t units, int scale) {
  for (; scale > 0 && units % 10 == 0; --scale) units /= 10;
  std::string digits = std::to_string(units < 0 ? -units : units);
  if (scale > 0) {
    const size_t places = static_cast<size_t>(scale);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return {R"("number")", (units < 0 ? "-" : "") + digits};
}

TypedJson DescribeTuple(const std::vector<TypedJson>& items) {
  return {absl::StrCat(R"(["tuple",[)", absl::StrJoin(items, ",", AppendType()), "]]"),
          absl::StrCat("[", absl::StrJoin(items, ",", AppendValue()), "]")};
}

TypedJson DescribeList(const std::string& type, const std::vector<TypedJson>& items) {
  return {absl::StrCat(R"(["list",)", type, "]"), absl::StrCat("[", absl::StrJoin(items, ",", AppendValue()), "]")};
}

// The map's order is that of the object's keys, bytewise.
TypedJson DescribeObject(const std::map<std::string, TypedJson>& members) {
  std::vector<std::string> types;
  std::vector<std::string> values;
  for (const auto& [key, member] : members) {
    const std::string name = DescribeText(key).value;
    types.push_back(absl::StrCat(name, ":", member.type));
    values.push_back(absl::StrCat(name, ":", member.value));
  }
  return {absl::StrCat(R"(["object",{)", absl::StrJoin(types, ","), "}]"),
          absl::StrCat("{", absl::StrJoin(values, ","), "}")};
}

}  // namespace hcl::bench
