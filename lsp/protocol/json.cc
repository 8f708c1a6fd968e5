// JSON of the protocol. Tested by lsp/protocol/json_test.cc.

#include "hclvm/lsp/protocol/json.h"

#include <utility>

namespace hcl::lsp {
namespace {

// Copying and writing a value recurse, so that its depth has a bound.
bool IsTooDeep(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

std::optional<Json> ReadJson(std::string_view text, std::string* error) {
  if (IsTooDeep(text)) {
    *error = "The message has more than " + std::to_string(kMaxJsonDepth) + " levels of arrays and objects.";
    return std::nullopt;
  }
  Json json = Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    *error = "The message is no JSON in UTF-8.";
    return std::nullopt;
  }
  return json;
}

std::string WriteJson(const Json& json) {
  return json.dump(/*indent=*/-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

const Json* Member(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* const name : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string TextAt(const Json& json, const char* name, std::string_view otherwise) {
  const Json* const found = Member(json, {name});
  return found != nullptr && found->is_string() ? found->get_ref<const std::string&>() : std::string(otherwise);
}

// A number of the protocol is an integer of at most 32 bits; a fraction or a larger one is none.
int64_t NumberAt(const Json& json, const char* name, int64_t otherwise) {
  const Json* const found = Member(json, {name});
  if (found == nullptr || !found->is_number_integer()) return otherwise;
  if (found->is_number_unsigned() && found->get<uint64_t>() > INT64_MAX) return INT64_MAX;
  return found->get<int64_t>();
}

bool BoolAt(const Json& json, const char* name, bool otherwise) {
  const Json* const found = Member(json, {name});
  return found != nullptr && found->is_boolean() ? found->get<bool>() : otherwise;
}

}  // namespace hcl::lsp
