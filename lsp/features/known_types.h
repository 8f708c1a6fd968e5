// KnownTypes: what a check knows of the type of what stands at a place. Tested by lsp/features/known_types_test.cc.

#ifndef HCLVM_LSP_FEATURES_KNOWN_TYPES_H_
#define HCLVM_LSP_FEATURES_KNOWN_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"

namespace hcl::lsp {

// Plain data.
struct KnownType {
  struct Attribute {
    std::string name;
    std::string type;
  };
  std::string text;  // "list(string)", and "string or null" where it may be null
  bool nullable = false;
  std::vector<Attribute> attributes;  // of an object
};

// The type of the expression that ends with the word [begin, end) of a file of the project; none where nothing is
// known. Takes a check of the project.
std::optional<KnownType> TypeOfWord(Workspace* workspace, const Project& project, const TextFile& file,
                                    SourceRange word);

// The type of `expression`, in the module or config, as if it stood at the end of a file of the project.
std::optional<KnownType> TypeOfExpression(Workspace* workspace, const Project& project, std::string_view expression);

// The type of what stands before the dot in front of the word [begin, end) of a file. The word may be empty, so that
// the text is wrong: the check is of a text with a name in its place.
std::optional<KnownType> TypeBeforeDot(Workspace* workspace, const Project& project, const TextFile& file,
                                       SourceRange word);

// A name that stands where a reader has not yet written one.
inline constexpr std::string_view kNameInPlace = "hclvm_name_in_place";

// The project with another text of one of its files.
Project WithText(const Project& project, const TextFile& file, std::string text);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_KNOWN_TYPES_H_
