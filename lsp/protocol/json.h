// JSON of the protocol: reading with bounds, and access that never throws.
//
// Messages come from outside, so that a member may be missing or of another type. These functions answer with a default
// then. Pure and thread-safe. Tested by lsp/protocol/json_test.cc.

#ifndef HCLVM_LSP_PROTOCOL_JSON_H_
#define HCLVM_LSP_PROTOCOL_JSON_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

namespace hcl::lsp {

using Json = nlohmann::json;

// Levels of nested arrays and objects in a message.
inline constexpr size_t kMaxJsonDepth = 200;

// Reads one JSON text. None where it is no JSON, no UTF-8, or deeper than kMaxJsonDepth; *error then says which.
std::optional<Json> ReadJson(std::string_view text, std::string* error);

// The text of `json`. Bytes that are no UTF-8 become U+FFFD.
std::string WriteJson(const Json& json);

// The member at the end of the path, or null where there is none.
const Json* Member(const Json& json, std::initializer_list<const char*> path);

// The member of that name if it has this type; otherwise the default.
std::string TextAt(const Json& json, const char* name, std::string_view otherwise = {});
int64_t NumberAt(const Json& json, const char* name, int64_t otherwise = 0);
bool BoolAt(const Json& json, const char* name, bool otherwise = false);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_PROTOCOL_JSON_H_
