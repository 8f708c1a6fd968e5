// KnownBodies: what may be written in a body, by what it is in. Tested by lsp/features/completion_test.cc.

#ifndef HCLVM_LSP_FEATURES_KNOWN_BODIES_H_
#define HCLVM_LSP_FEATURES_KNOWN_BODIES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/decode/spec.h"
#include "hclvm/lsp/documents/workspace.h"

namespace hcl::lsp {

// An attribute or a block that may stand in a body. Plain data.
struct KnownItem {
  std::string name;
  bool is_block = false;
  std::string detail;   // what it is, in a line
  std::string snippet;  // what is written for it, as the protocol's snippets are
};

// What may stand in the body within these blocks, the outermost first; `types` has the type of each. Empty where
// anything may, or nothing.
std::vector<KnownItem> ItemsIn(const Project& project, absl::Span<const std::string_view> types);
// The same of a config that a spec describes.
std::vector<KnownItem> ItemsBySpec(const DecodeSpec& spec, absl::Span<const std::string_view> types);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_KNOWN_BODIES_H_
