// Files of base data (hclvm/vm/base_layer.h).
//
// Tested by tests/base_layer_test.cc and tests/cli_test.sh.

#ifndef HCLVM_VM_DATA_FILES_H_
#define HCLVM_VM_DATA_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"

namespace hcl {

// The texts at `paths`: of a file, which is an object, variable name to value; of a directory, each NAME.json in it, in
// the order of their names, which is the value of the variable NAME. Other files in a directory, those whose names
// begin with a dot, and directories in it are left alone. Fails with kNotFound where there is no such path, or no data
// in a directory; kUnavailable where a file cannot be read, or NAME.json in a directory is a pipe or a device, or NAME
// is not UTF-8; kResourceExhausted where all take more than max_source_bytes, or are more than 10,000.
absl::StatusOr<std::vector<BaseText>> ReadDataFiles(const std::vector<std::string>& paths, const Limits& limits = {});

}  // namespace hcl

#endif  // HCLVM_VM_DATA_FILES_H_
