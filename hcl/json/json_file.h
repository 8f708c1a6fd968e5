// JsonFile: a parsed text in the JSON syntax, and the memory it lives in.
//
// Tested by hcl/json/json_parser_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_FILE_H_
#define HCLVM_HCL_JSON_JSON_FILE_H_

#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_syntax.h"

namespace hcl {

// Where specification and reference contradict each other, which one is followed.
enum class JsonRules : uint8_t {
  kSpec,       // names in objects that are expressions are literal; arrays stand only around bodies
  kReference,  // such names are templates; arrays at the level of labels, and around all of a body, are flattened;
               // messages about missing commas and malformed strings point where the reference's do
};

// Immutable and thread-safe. Neither copied nor moved, as views of expressions point to it. Views of the source's text
// stand in the tree, so the source must outlive the file.
struct JsonFile {
  JsonFile() = default;
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;

  const Source* source = nullptr;
  Limits limits;
  JsonRules rules = JsonRules::kSpec;
  Arena arena;
  JsonValue root;
  JsonSyntax syntax{this};  // makes views of expressions
};

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_FILE_H_
