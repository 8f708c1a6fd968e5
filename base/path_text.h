// Steps of a path as text, as the native syntax has them: `.name`, `["a key"]`, `[0]`.
//
// Messages, listings and errors name a part of a value by such a path. There is one way to write it, so that what is
// shown in one place can be pasted into another. Pure and thread-safe. Tested by base/path_text_test.cc.

#ifndef HCLVM_BASE_PATH_TEXT_H_
#define HCLVM_BASE_PATH_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace hcl::internal {

// The attribute or element `name`: `.name` if that is an identifier, otherwise as AppendKeyStep().
void AppendNameStep(std::string_view name, std::string* out);

// The element with the key `key`: `["key"]`, with escapes.
void AppendKeyStep(std::string_view key, std::string* out);

// The element at `index`: `[0]`.
void AppendIndexStep(uint64_t index, std::string* out);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_PATH_TEXT_H_
