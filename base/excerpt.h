// Excerpts: as much of a text as a message may quote.
//
// A name, a key or a value may be as long as the input, and a loop may fail with it a million times; a message that
// quotes all of it would cost more than what it is about. Pure and thread-safe. Tested by base/excerpt_test.cc.

#ifndef HCLVM_BASE_EXCERPT_H_
#define HCLVM_BASE_EXCERPT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "hclvm/base/limits.h"

namespace hcl::internal {

// `text`, or, when it is longer than `max_bytes`, its beginning and "... (N bytes)", with the size of all of it. It is
// cut between code points, and the result is longer than `max_bytes` by that note at most.
std::string Excerpt(std::string_view text, size_t max_bytes = kMaxQuotedBytes);

// The same in place, of a text that is put together of excerpts: ends in "..." when it was cut.
void CutText(size_t max_bytes, std::string* text);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_EXCERPT_H_
