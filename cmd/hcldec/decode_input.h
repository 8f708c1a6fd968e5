// What hcldec reads: files in both syntaxes, and variables.
//
// Tested by tests/hcldec_test.sh.

#ifndef HCLVM_CMD_HCLDEC_DECODE_INPUT_H_
#define HCLVM_CMD_HCLDEC_DECODE_INPUT_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/decode/config_file.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {

// A file; its body is null when it could not be read or has errors.
using InputFile = internal::ConfigFile;

// Reads the file at `path` ("-": standard input); a name that ends in ".json" means the JSON syntax.
std::unique_ptr<InputFile> ReadInput(std::string_view path, Dialect dialect, Diagnostics* diagnostics);

using Variables = std::vector<std::pair<std::string, Value>>;

// Appends the variables that `argument`, number `index` of --vars, stands for: a JSON object, a file, or
// NAME=EXPRESSION. Values are made in `heap`; files that diagnostics point into are appended to `files`.
void ReadVariables(std::string_view argument, size_t index, Heap* heap, Variables* variables,
                   std::vector<std::unique_ptr<InputFile>>* files, Diagnostics* diagnostics);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLDEC_DECODE_INPUT_H_
