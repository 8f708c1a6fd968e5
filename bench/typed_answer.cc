// Typed JSON of plain C++ values. Tested by bench/handwritten_test.cc.

#include "hclvm/bench/typed_answer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hcl::bench {
namespace {

struct Quote {
  void operator()(std::string* out, const std::string& text) const { absl::StrAppend(out, "\"", text, "\""); }
};

}  // namespace

std::string TypedAnswer(bool value) {
  return absl::StrCat(R"({"type":"bool","value":)", value ? "true" : "false", "}");
}

std::string TypedAnswer(int64_t value) { return absl::StrCat(R"({"type":"number","value":)", value, "}"); }

std::string TypedAnswer(const std::string& value) {
  return absl::StrCat(R"({"type":"string","value":")", value, "\"}");
}

std::string TypedAnswer(const std::vector<std::string>& value) {
  const std::vector<std::string> types(value.size(), "string");
  return absl::StrCat(R"({"type":["tuple",[)", absl::StrJoin(types, ",", Quote()), R"(]],"value":[)",
                      absl::StrJoin(value, ",", Quote()), "]}");
}

// The map's order is that of the object's keys, bytewise.
std::string TypedAnswer(const std::map<std::string, std::string>& value) {
  std::vector<std::string> types;
  std::vector<std::string> entries;
  for (const auto& [key, text] : value) {
    types.push_back(absl::StrCat("\"", key, "\":\"string\""));
    entries.push_back(absl::StrCat("\"", key, "\":\"", text, "\""));
  }
  return absl::StrCat(R"({"type":["object",{)", absl::StrJoin(types, ","), R"(}],"value":{)",
                      absl::StrJoin(entries, ","), "}}");
}

}  // namespace hcl::bench
