// Config files in both syntaxes, opened for decoding.
//
// Tested by tests/hcldec_test.sh and bindings/python/tests/test_tools.py.

#ifndef HCLVM_DECODE_CONFIG_FILE_H_
#define HCLVM_DECODE_CONFIG_FILE_H_

#include <memory>
#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {

// A file, with all that its body points into.
struct ConfigFile {
  std::shared_ptr<const Source> source;
  std::unique_ptr<ParsedFile> native;  // or
  std::unique_ptr<JsonFile> json;
  BodyViewPtr body;  // null where there are errors
};

// The file that a text is, in the JSON syntax if `is_json`. It is returned also with errors, as these, each of which
// names its source, point into that.
std::unique_ptr<ConfigFile> ReadConfigFile(std::string name, std::string text, bool is_json, Dialect dialect,
                                           const Limits& limits, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_DECODE_CONFIG_FILE_H_
