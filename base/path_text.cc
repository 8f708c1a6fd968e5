// Steps of a path as text. Tested by base/path_text_test.cc.

#include "hclvm/base/path_text.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/unicode.h"

namespace hcl::internal {

void AppendNameStep(std::string_view name, std::string* out) {
  if (!IsIdentifier(name)) return AppendKeyStep(name, out);
  out->push_back('.');
  out->append(name);
}

// JSON's escapes are also escapes of the native syntax (native-syntax.md, "Template Expressions"), and they leave no
// control character in a message.
void AppendKeyStep(std::string_view key, std::string* out) {
  out->push_back('[');
  AppendJsonString(key, out);
  out->push_back(']');
}

void AppendIndexStep(uint64_t index, std::string* out) {
  out->push_back('[');
  out->append(std::to_string(index));
  out->push_back(']');
}

}  // namespace hcl::internal
