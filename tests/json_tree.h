// A JSON text as a tree that keeps the spelling of numbers, for the conformance suite.
//
// Independent of the library's own JSON, which is under test.

#ifndef HCLVM_TESTS_JSON_TREE_H_
#define HCLVM_TESTS_JSON_TREE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hcl {

struct JsonTree {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string text;  // of a string: its content; of a number or bool: its spelling
  std::vector<JsonTree> items;
  std::vector<std::pair<std::string, JsonTree>> members;  // in order of appearance
  std::string_view raw;                                   // the part of the parsed text that this tree is

  bool is_null() const { return kind == Kind::kNull; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_object() const { return kind == Kind::kObject; }
  // The member of that name, or null.
  const JsonTree* Find(std::string_view name) const;
  // Its text, or empty when there is none.
  std::string_view Text(std::string_view name) const;
};

// Parses all of `json`, which must outlive the tree's `raw`; false when it is not JSON, or deeper than 1,000 levels.
bool ParseJsonTree(std::string_view json, JsonTree* tree);

}  // namespace hcl

#endif  // HCLVM_TESTS_JSON_TREE_H_
