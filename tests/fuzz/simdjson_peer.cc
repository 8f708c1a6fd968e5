// What simdjson says about a JSON text.

#include "hclvm/tests/fuzz/simdjson_peer.h"

#include <cstddef>

#include "hclvm/base/unicode.h"
#include "simdjson.h"

namespace hcl::fuzz {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

bool HasSurrogateEscape(std::string_view text) {
  for (size_t at = text.find("\\u"); at != std::string_view::npos; at = text.find("\\u", at + 1)) {
    if (at + 2 < text.size() && (text[at + 2] == 'd' || text[at + 2] == 'D')) return true;
  }
  return false;
}

bool SameString(std::string_view text, const Value& value) {
  return value.is_string() && value.AsString() == internal::ToNfc(text);
}

bool Same(const element& wanted, const Value& value);

bool SameArray(const simdjson::dom::array& wanted, const Value& value) {
  if (!value.is_tuple() || value.size() != wanted.size()) return false;
  size_t at = 0;
  for (const element item : wanted) {
    if (!Same(item, value.elements()[at++])) return false;
  }
  return true;
}

// Our reader takes no name twice, so equal numbers of properties that are all found are the same properties.
bool SameObject(const simdjson::dom::object& wanted, const Value& value) {
  if (!value.is_object() || value.size() != wanted.size()) return false;
  for (const simdjson::dom::key_value_pair property : wanted) {
    const std::string name = internal::ToNfc(property.key);
    const int64_t at = value.shape().Find(std::string_view(name));
    if (at < 0 || !Same(property.value, value.values()[static_cast<size_t>(at)])) return false;
  }
  return true;
}

// Recursion is bounded by what our reader takes (Limits::max_nesting_depth).
bool Same(const element& wanted, const Value& value) {
  switch (wanted.type()) {
    case element_type::ARRAY:
      return SameArray(wanted.get_array().value_unsafe(), value);
    case element_type::OBJECT:
      return SameObject(wanted.get_object().value_unsafe(), value);
    case element_type::INT64:
      return value.is_number() && value.AsNumber().ToInt64() == wanted.get_int64().value_unsafe();
    case element_type::UINT64:
      return value.is_number() && value.AsNumber().ToUint64() == wanted.get_uint64().value_unsafe();
    case element_type::DOUBLE:
      return value.is_number() && value.AsNumber().ToDouble() == wanted.get_double().value_unsafe();
    case element_type::STRING:
      return SameString(wanted.get_string().value_unsafe(), value);
    case element_type::BOOL:
      return value.is_bool() && value.AsBool() == wanted.get_bool().value_unsafe();
    case element_type::NULL_VALUE:
      return value.is_null();
    default:  // newer versions have one for numbers beyond 64 bits, when asked for
      return false;
  }
}

}  // namespace

struct SimdjsonPeer::Impl {
  simdjson::dom::parser parser;
  element document;
};

SimdjsonPeer::SimdjsonPeer() : impl_(std::make_unique<Impl>()) {}
SimdjsonPeer::~SimdjsonPeer() = default;

SimdjsonPeer::Verdict SimdjsonPeer::Judge(std::string_view text) {
  const simdjson::error_code error = impl_->parser.parse(text.data(), text.size()).get(impl_->document);
  switch (error) {
    case simdjson::SUCCESS:
      return Verdict::kValid;
    case simdjson::NUMBER_ERROR:
    case simdjson::DEPTH_ERROR:
      return Verdict::kNoOpinion;
    case simdjson::STRING_ERROR:
      return HasSurrogateEscape(text) ? Verdict::kNoOpinion : Verdict::kInvalid;
    default:
      return Verdict::kInvalid;
  }
}

bool SimdjsonPeer::Says(const Value& value) const { return Same(impl_->document, value); }

}  // namespace hcl::fuzz
