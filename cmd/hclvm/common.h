// What the subcommands of hclvm share: reading files, printing diagnostics, common options.

#ifndef HCLVM_CMD_HCLVM_COMMON_H_
#define HCLVM_CMD_HCLVM_COMMON_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/explain.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::cmd {

// The files of a CONFIG.
struct ConfigFiles {
  std::vector<ModuleFile> files;
  bool is_module = false;
};

// Options that every subcommand has.
struct CommonOptions {
  CompileOptions compile;
  bool json_diagnostics = false;
  std::optional<std::string> module_file;  // of --module: in place of a CONFIG
  // The module of a bundle; without it, the only one, or the one that decides logged_entry.
  std::optional<std::string> bundle_module;
  mutable std::string logged_entry;
  // Reads a CONFIG that is a bundle, as ReadConfig() does. False where it is none. Null: no bundles are taken.
  bool (*read_bundle)(std::string_view command, const std::string& path, const CommonOptions& common,
                      ConfigFiles* config, int* status) = nullptr;
  mutable ExplainHint explain;  // of the first error that PrintDiagnostics() has printed as text
};

// Each of these adds the setters of options that several commands have. What they write to must outlive them.

// --dialect.
void AddDialectOption(Dialect* dialect, CommandSyntax* syntax);

// --dialect and --limit.
void AddCompileOptions(CommonOptions* common, CommandSyntax* syntax);

// --diagnostics.
void AddDiagnosticsOption(bool* as_json, CommandSyntax* syntax);

// All of these.
void AddCommonOptions(CommonOptions* common, CommandSyntax* syntax);

// Reads all of `path` ("-": standard input), which may have at most `max_bytes` (Limits::max_source_bytes). Returns an
// exit status; unless it is kSuccess, *error is one line that names the file and the reason.
int ReadFile(std::string_view path, uint64_t max_bytes, std::string* text, std::string* error);

// Makes `text` all that is in the file. Returns and says the same.
int WriteFile(const std::string& path, std::string_view text, std::string* error);

// Whether both paths name one file, which may not be there yet. What is no regular file, as /dev/null, may be written
// to by several.
bool IsSameFile(const std::string& a, const std::string& b);

// Prints `diagnostics` to stderr, in the form that was asked for.
void PrintDiagnostics(const Diagnostics& diagnostics, const Source* source, const CommonOptions& common);

// The exit status for input with these diagnostics.
int StatusOf(const Diagnostics& diagnostics);

// One line about a wrong call or a failed file operation, to stderr; returns `status`.
int Complain(std::string_view command, std::string_view message, int status);

// The subcommands; `arguments` are those behind the name. Each returns an exit status.
int ProfileCommand(const std::vector<std::string_view>& arguments);
int ReplCommand(const std::vector<std::string_view>& arguments);
int RunCommand(const std::vector<std::string_view>& arguments);
int EvalCommand(const std::vector<std::string_view>& arguments);
int BundleCommand(const std::vector<std::string_view>& arguments);
int BenchCommand(const std::vector<std::string_view>& arguments);
int ConvertCommand(const std::vector<std::string_view>& arguments);
int CheckCommand(const std::vector<std::string_view>& arguments);
int DecodeCommand(const std::vector<std::string_view>& arguments);
int DiffCommand(const std::vector<std::string_view>& arguments);
int DisasmCommand(const std::vector<std::string_view>& arguments);
int DocCommand(const std::vector<std::string_view>& arguments);
int ExplainCommand(const std::vector<std::string_view>& arguments);
int FunctionsCommand(const std::vector<std::string_view>& arguments);
int CompletionCommand(const std::vector<std::string_view>& arguments);
int ManualCommand(const std::vector<std::string_view>& arguments);
int CoverageCommand(const std::vector<std::string_view>& arguments);
int FmtCommand(const std::vector<std::string_view>& arguments);
int LspCommand(const std::vector<std::string_view>& arguments);
int TestCommand(const std::vector<std::string_view>& arguments);

// Sets *threads from the value of --threads; what is wrong with it, or nothing.
std::string SetThreads(std::string_view value, uint32_t* threads);

// Sets *timeout from the value of --timeout, in milliseconds; what is wrong with it, or nothing.
std::string SetTimeout(std::string_view value, std::chrono::milliseconds* timeout);

// Handles help and errors of ParseCommandLine; true to go on, otherwise *status is to be returned.
bool ParseOrExplain(const CommandSyntax& syntax, const std::vector<std::string_view>& arguments,
                    std::vector<std::string_view>* positional, int* status);

// Whether there is a directory at `path`.
bool IsDirectory(const std::string& path);

// What a CONFIG argument names: the files of a directory, or the one file; *is_directory says which. Fails with a
// message for people; ResourceExhausted where a limit is the reason.
absl::StatusOr<std::vector<ModuleFile>> ReadSources(const std::string& path, const Limits& limits, bool* is_directory);
// The same for one file.
absl::StatusOr<ModuleFile> ReadSource(const std::string& path, const Limits& limits);
// What to say where `command` has taken the file at `path` for a plain config, and its folder is a module that it
// belongs to: that, and how to give the module to the command. Empty otherwise. Reads the folder.
std::string ModuleHint(std::string_view command, std::string_view path, const CommonOptions& common);

// Whether a file of that name is in the JSON syntax.
bool HasJsonName(std::string_view path);
// What ReadSource() makes of a file with that text.
ModuleFile SourceFile(const std::string& path, std::string text);

// --module.
void AddModuleOption(CommonOptions* common, CommandSyntax* syntax);

// --check-all.
void AddCheckAllOption(bool* check_all, CommandSyntax* syntax);

// --show-sensitive.
void AddShowSensitiveOption(bool* show_sensitive, CommandSyntax* syntax);

// --unknown-input.
void AddUnknownInputOption(UnknownInput* unknown, CommandSyntax* syntax);

// Reads the functions of the host that the file at `path` describes, for --functions. False where it is wrong: that has
// been printed, and *status is to be returned.
bool ReadHostFunctions(std::string_view command, const std::string& path, CommonOptions* common, int* status);

// How many configs were given, --module among them.
inline size_t ConfigCount(const std::vector<std::string_view>& positional, const CommonOptions& common) {
  return positional.size() + (common.module_file ? 1 : 0);
}
// The path of the only one.
inline std::string_view OnlyConfig(const std::vector<std::string_view>& positional, const CommonOptions& common) {
  return common.module_file ? std::string_view(*common.module_file) : positional[0];
}

// Reads the config at `path`. A directory, and the file of --module, is a module. False: the problem has been printed
// and *status is to be returned.
bool ReadConfig(std::string_view command, std::string_view path, const CommonOptions& common, ConfigFiles* config,
                int* status);
// Compiles it, a file that ends in ".json" in the JSON syntax. Null where it is wrong, which *diagnostics say.
std::shared_ptr<const Program> CompileFiles(const ConfigFiles& config, const CompileOptions& options,
                                            Diagnostics* diagnostics);
// Both. Null: the problem has been printed and *status is to be returned.
std::shared_ptr<const Program> LoadConfig(std::string_view command, std::string_view path, const CommonOptions& common,
                                          int* status);
// The second of them, and prints the diagnostics.
std::shared_ptr<const Program> CompileOrExplain(const ConfigFiles& config, const CommonOptions& common, int* status);
}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_COMMON_H_
