// What is wrong with one config or module, as hclvm check looks for it.
//
// Tested by tests/check_test.sh and cmd/hclvm/config_checker_test.cc.

#ifndef HCLVM_CMD_HCLVM_CONFIG_CHECKER_H_
#define HCLVM_CMD_HCLVM_CONFIG_CHECKER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {

// What all configs are looked at by.
struct CheckSettings {
  CompileOptions compile;
  bool syntax_only = false;
  bool strict = false;
  bool show_types = false;
  bool types_as_json = false;
  std::vector<ModuleFile> variables;     // with the variable blocks of plain configs
  std::unique_ptr<const SpecFile> spec;  // null where none is given
  // What the variables of configs that are decoded by the spec are declared to be; null where all may be anything.
  std::shared_ptr<const Program> declared;
};

// What is told of one path.
struct CheckResult {
  absl::Status status;                                 // not OK where it cannot be read; then nothing else is there
  size_t files = 0;                                    // that were looked at
  std::vector<Diagnostic> found;                       // each with its source
  size_t left_out = 0;                                 // past the bound
  std::string types;                                   // lines
  std::vector<std::shared_ptr<const Source>> sources;  // of `found`

  // A file of which there is nothing to tell, as most are.
  bool is_one_sound_file() const { return status.ok() && files == 1 && found.empty() && types.empty(); }
};

// Looks at what is at `path` by itself: a directory is a module, and so is a file if `is_module`; others are plain
// configs. The syntax of the files of a directory is looked at in up to `threads` threads. Thread-safe.
CheckResult CheckPath(const std::string& path, bool is_module, const CheckSettings& settings, uint32_t threads);

// Looks at all `paths`, as plain configs where they are no directories, in up to `threads` threads. The results are in
// the order of the paths, and null where is_one_sound_file(): so what they take follows what was found, and as many
// files are held as there are threads, besides those in which something was found.
std::vector<std::unique_ptr<const CheckResult>> CheckPaths(const std::vector<std::string_view>& paths,
                                                           const CheckSettings& settings, uint32_t threads);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_CONFIG_CHECKER_H_
