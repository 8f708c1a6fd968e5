// Parts of answers. Tested by serve/auth_parts_test.cc.

#include "hclvm/serve/auth_parts.h"

#include <cstddef>
#include <optional>

#include "hclvm/serve/http_message.h"

namespace hcl::serve {
namespace {

constexpr size_t kMaxItems = 64;
constexpr size_t kMaxBody = 1 << 20;
constexpr std::string_view kNoHeaderValue = "has what can be no value of a header";
constexpr std::string_view kNoTexts = "is no list of texts, or too long";
constexpr std::string_view kNoTextMap = "is no object of texts, or too large";

// Headers that say where a message ends, or whose it is, are the server's.
constexpr std::string_view kReserved[] = {"connection",        "content-length", "date",    "keep-alive",
                                          "transfer-encoding", "trailer",        "upgrade", "server"};

bool IsReserved(std::string_view lower) {
  for (const std::string_view name : kReserved) {
    if (name == lower) return true;
  }
  return lower.substr(0, 8) == "x-hclvm-";
}

struct ActionName {
  std::string_view name;
  HeaderAction action;
};
constexpr ActionName kActions[] = {
    {"overwrite", HeaderAction::kOverwrite},
    {"append", HeaderAction::kAppend},
    {"add_if_absent", HeaderAction::kAddIfAbsent},
    {"overwrite_if_exists", HeaderAction::kOverwriteIfExists},
};

std::optional<HeaderAction> ActionOf(const Value& text) {
  for (const ActionName& known : kActions) {
    if (text.is_string() && text.AsString() == known.name) return known.action;
  }
  return std::nullopt;
}

// What an object says of a header.
std::string_view ReadActed(const Value& given, const Value** value, HeaderAction* action) {
  const Value* found_value = nullptr;
  for (size_t n = 0; n < given.size(); ++n) {
    const std::string_view name = given.shape().keys[n].AsString();
    const Value& part = given.values()[n].unmarked();
    if (name == "value") {
      found_value = &part;
    } else if (name == "action") {
      const std::optional<HeaderAction> found = ActionOf(part);
      if (!found) return "has an action that is none of overwrite, append, add_if_absent and overwrite_if_exists";
      *action = *found;
    } else {
      return "has an object with more than value and action for a header";
    }
  }
  if (found_value == nullptr) return "has an object without a value for a header";
  *value = found_value;
  return "";
}

std::string_view AddHeader(const std::string& name, const Value& marked, HeaderAction action, AuthHeaders* headers) {
  const Value& text = marked.unmarked();
  if (!text.is_string() || !IsHeaderValue(text.AsString()) || headers->size() >= kMaxItems) return kNoHeaderValue;
  // Two names that differ in case alone are one to HTTP.
  const bool joins = action == HeaderAction::kOverwrite && !headers->empty() && headers->back().name == name;
  headers->push_back({name, std::string(text.AsString()), joins ? HeaderAction::kAppend : action});
  return "";
}

std::string_view ReadHeader(const std::string& name, const Value& given, AuthHeaders* headers) {
  const Value* value = &given;
  HeaderAction action = HeaderAction::kOverwrite;
  if (given.is_mapping()) {
    const std::string_view fault = ReadActed(given, &value, &action);
    if (!fault.empty()) return fault;
  }
  if (value->is_null()) return "";
  if (!value->is_sequence()) return AddHeader(name, *value, action, headers);
  if (value->size() > 1 && (action == HeaderAction::kAddIfAbsent || action == HeaderAction::kOverwriteIfExists)) {
    return "has several values where its action takes one";
  }
  for (const Value& one : value->elements()) {
    const std::string_view fault = AddHeader(name, one, action, headers);
    if (!fault.empty()) return fault;
    action = HeaderAction::kAppend;
  }
  return "";
}

}  // namespace

std::string_view ReadStatus(const Value& given, bool (*is_denial)(int64_t status), int* status) {
  const int64_t number = given.is_int() ? given.AsInt() : 0;
  if (!is_denial(number)) return "is none that this dialect has for a denial";
  *status = static_cast<int>(number);
  return "";
}

std::string_view ReadBody(const Value& given, std::string* body) {
  if (!given.is_string() || given.AsString().size() > kMaxBody) return "is no text, or too long";
  *body = std::string(given.AsString());
  return "";
}

std::string_view ReadHeaders(const Value& given, AuthHeaders* headers) {
  if (!given.is_mapping()) return "is no object";
  for (size_t n = 0; n < given.size(); ++n) {
    const std::string name = LowerCase(given.shape().keys[n].AsString());
    if (!IsHeaderName(name) || IsReserved(name)) return "has a name that a policy cannot set";
    const std::string_view fault = ReadHeader(name, given.values()[n].unmarked(), headers);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string_view ReadTexts(const Value& given, std::vector<std::string>* texts) {
  if (!given.is_sequence() || given.elements().size() > kMaxItems) return kNoTexts;
  for (const Value& marked : given.elements()) {
    const Value& text = marked.unmarked();
    if (!text.is_string()) return kNoTexts;
    texts->emplace_back(text.AsString());
  }
  return "";
}

std::string_view ReadHeaderNames(const Value& given, std::vector<std::string>* names) {
  const std::string_view fault = ReadTexts(given, names);
  if (!fault.empty()) return fault;
  for (std::string& name : *names) {
    name = LowerCase(name);
    if (!IsHeaderName(name) || IsReserved(name) || name == "host") return "has a name that a policy cannot remove";
  }
  return "";
}

std::string_view ReadTextMap(const Value& given, AuthPairs* pairs) {
  if (!given.is_mapping() || given.size() > kMaxItems) return kNoTextMap;
  for (size_t n = 0; n < given.size(); ++n) {
    const Value& value = given.values()[n].unmarked();
    if (value.is_null()) continue;
    if (!value.is_string()) return kNoTextMap;
    pairs->emplace_back(given.shape().keys[n].AsString(), value.AsString());
  }
  return "";
}

}  // namespace hcl::serve
