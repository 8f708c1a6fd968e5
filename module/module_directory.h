// The files of a module in a directory.
//
// Tested by module/module_directory_test.cc.

#ifndef HCLVM_MODULE_MODULE_DIRECTORY_H_
#define HCLVM_MODULE_MODULE_DIRECTORY_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/base/limits.h"
#include "hclvm/module/module.h"

namespace hcl {

// Reads the `*.hcl` and `*.hcl.json` of the directory, in the order of their names, without `*.test.hcl`, files whose
// names begin with a dot, and directories. The sources are named by their paths. Fails with kNotFound where there is no
// such directory or no such file in it, kResourceExhausted where there are more than 10,000 or where all together are
// larger than Limits::max_source_bytes, kUnavailable where one of that name is a pipe, a socket or a device, and
// otherwise as reading does. Thread-safe.
absl::StatusOr<std::vector<ModuleFile>> ReadModuleDirectory(const std::string& path, const Limits& limits = {});

// The modules in the directories below `path`, by their paths and in the order of these, if the directory itself has no
// file of a module: so what is one module stays one. Directories whose names begin with a dot, and links to
// directories, are not looked into, nor what is 16 levels deep; 10,000 directories are looked into at most. Empty where
// there are none. Fails with kNotFound where a directory cannot be read. Thread-safe.
absl::StatusOr<std::vector<std::string>> FindModules(const std::string& path);

// Whether a file of that name belongs to the module of its directory.
bool IsModuleFileName(std::string_view name);

namespace internal {

// Whether a file of that name has tests of the module of its directory: `*.test.hcl`, unless it begins with a dot.
bool IsTestFileName(std::string_view name);

}  // namespace internal

}  // namespace hcl

#endif  // HCLVM_MODULE_MODULE_DIRECTORY_H_
