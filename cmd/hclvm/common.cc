// Shared parts of the subcommands. Tested by tests/cli_test.sh.

#include "hclvm/cmd/hclvm/common.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/limit_option.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

// Configs whose names end so are in the JSON syntax.
constexpr std::string_view kJsonExtension = ".json";

constexpr uint32_t kMaxThreads = 256;

}  // namespace

std::string SetThreads(std::string_view value, uint32_t* threads) {
  if (!absl::SimpleAtoi(ToAbsl(value), threads) || *threads > kMaxThreads) {
    return absl::StrCat("expected a number from 0 to ", kMaxThreads);
  }
  if (*threads == 0) *threads = std::max(1u, std::thread::hardware_concurrency());
  return "";
}

std::string SetTimeout(std::string_view value, std::chrono::milliseconds* timeout) {
  uint32_t milliseconds;
  if (!absl::SimpleAtoi(ToAbsl(value), &milliseconds) || milliseconds == 0) return "expected a number of milliseconds";
  *timeout = std::chrono::milliseconds(milliseconds);
  return "";
}

void AddDialectOption(Dialect* dialect, CommandSyntax* syntax) {
  syntax->setters.push_back({"--dialect", [dialect](std::string_view value) -> std::string {
                               if (value != "spec" && value != "hashicorp") return "expected spec or hashicorp";
                               *dialect = value == "spec" ? Dialect::kSpec : Dialect::kHashiCorp;
                               return "";
                             }});
}

// The options write through `common`, so whoever parses a command line keeps it in place until then.
void AddCommonOptions(CommonOptions* common, CommandSyntax* syntax) {
  AddCompileOptions(common, syntax);
  AddDiagnosticsOption(&common->json_diagnostics, syntax);
}

void AddCompileOptions(CommonOptions* common, CommandSyntax* syntax) {
  common->compile.functions = StandardFunctions();
  AddDialectOption(&common->compile.dialect, syntax);
  syntax->setters.push_back({"--limit", [common](std::string_view value) {
                               return SetLimit(value, LimitSet::kAll, &common->compile.limits);
                             }});
}

void AddDiagnosticsOption(bool* as_json, CommandSyntax* syntax) {
  syntax->setters.push_back({"--diagnostics", [as_json](std::string_view value) -> std::string {
                               if (value != "text" && value != "json") return "expected text or json";
                               *as_json = value == "json";
                               return "";
                             }});
}

namespace {

// An open file, or standard input, which stays open.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : file_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    if (file_ > STDIN_FILENO) close(file_);
  }
  int number() const { return file_; }

 private:
  const int file_;
};

// Bytes that were read, 0 at the end, less where reading has failed.
ssize_t ReadPiece(int file, char* buffer, size_t size) {
  ssize_t got = 0;
  while ((got = read(file, buffer, size)) < 0 && errno == EINTR) {
  }
  return got;
}

bool IsLarger(int file, uint64_t max_bytes) {
  struct stat status = {};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) > max_bytes;
}

// The size is asked for once a piece was full, so that little is read of a file that is too large, and small ones take
// no call for it. Pipes and devices do not have one.
int ReadAll(int file, uint64_t max_bytes, std::string* text, std::string* reason) {
  bool too_large = false;
  text->clear();
  char buffer[1 << 16];
  ssize_t got = 0;
  while (!too_large && (got = ReadPiece(file, buffer, sizeof(buffer))) > 0) {
    text->append(buffer, static_cast<size_t>(got));
    too_large = text->size() > max_bytes || (text->size() == sizeof(buffer) && IsLarger(file, max_bytes));
  }
  if (too_large) {
    *reason = absl::StrCat("it has more than ", max_bytes, " bytes (limit max_source_bytes)");
    return kLimitReached;
  }
  if (got >= 0) return kSuccess;
  *reason = std::strerror(errno);
  return kInputError;
}

}  // namespace

int ReadFile(std::string_view path, uint64_t max_bytes, std::string* text, std::string* error) {
  max_bytes = std::min(max_bytes, Limits::kMostSourceBytes);
  const std::string name(path);
  const InputFile file(name);
  std::string reason;
  int status = kInputError;
  if (file.number() < 0) {
    reason = std::strerror(errno);
  } else {
    status = internal::WithMemory([&] { return ReadAll(file.number(), max_bytes, text, &reason); },
                                  [&] {
                                    *text = std::string();
                                    reason = "there is not enough memory";
                                    return kLimitReached;
                                  });
  }
  if (status != kSuccess) *error = absl::StrCat("cannot read ", name, ": ", reason);
  return status;
}

int WriteFile(const std::string& path, std::string_view text, std::string* error) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool is_written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) is_written = std::fclose(file) == 0 && is_written;
  if (is_written) return kSuccess;
  *error = absl::StrCat("cannot write ", path, ": ", std::strerror(errno));
  return kInputError;
}

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::exists(a, error)) {
    return std::filesystem::is_regular_file(a, error) && std::filesystem::equivalent(a, b, error);
  }
  const auto whole = [&error](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return whole(a) == whole(b) && !error;
}

// JSON has one object on each line, so that a program can read them as they come.
void PrintDiagnostics(const Diagnostics& diagnostics, const Source* source, const CommonOptions& common) {
  std::string out;
  if (common.json_diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics.kept()) absl::StrAppend(&out, ToJson(diagnostic, source), "\n");
  } else {
    TextOptions options;
    options.color = UsesColor(STDERR_FILENO);
    out = ToText(diagnostics, source, options);
    const auto error = std::find_if(diagnostics.kept().begin(), diagnostics.kept().end(),
                                    [](const Diagnostic& one) { return one.severity == Severity::kError; });
    if (error != diagnostics.kept().end()) common.explain.Suggest(error->code);
  }
  std::fwrite(out.data(), 1, out.size(), stderr);
}

int StatusOf(const Diagnostics& diagnostics) {
  if (diagnostics.has_limit()) return kLimitReached;
  return diagnostics.has_errors() ? kInputError : kSuccess;
}

int Complain(std::string_view command, std::string_view message, int status) {
  const std::string line = absl::StrCat("hclvm ", ToAbsl(command), ": ", internal::PrintableLines(message), "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return status;
}

// Help that was asked for is output and a success; a wrong call is a line on stderr, without the whole help, in which
// the reason would be lost.
bool ParseOrExplain(const CommandSyntax& syntax, const std::vector<std::string_view>& arguments,
                    std::vector<std::string_view>* positional, int* status) {
  std::string message;
  switch (ParseCommandLine(syntax, arguments, positional, &message)) {
    case ParseOutcome::kOk:
      return true;
    case ParseOutcome::kHelp:
      std::fwrite(message.data(), 1, message.size(), stdout);
      *status = kSuccess;
      return false;
    case ParseOutcome::kError:
      break;
  }
  *status = Complain(syntax.command->name, absl::StrCat(message, " (see ", FullName(*syntax.command), " --help)"),
                     kUsageError);
  return false;
}

bool IsDirectory(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

void AddModuleOption(CommonOptions* common, CommandSyntax* syntax) {
  syntax->setters.push_back(
      {"--module", [common](std::string_view v) { return common->module_file = std::string(v), ""; }});
}

void AddCheckAllOption(bool* check_all, CommandSyntax* syntax) {
  syntax->setters.push_back({"--check-all", [check_all](std::string_view) { return *check_all = true, ""; }});
}

void AddShowSensitiveOption(bool* show_sensitive, CommandSyntax* syntax) {
  syntax->setters.push_back(
      {"--show-sensitive", [show_sensitive](std::string_view) { return *show_sensitive = true, ""; }});
}

void AddUnknownInputOption(UnknownInput* unknown, CommandSyntax* syntax) {
  const auto set = [unknown](std::string_view v) {
    *unknown = v == "error" ? UnknownInput::kError : v == "ignore" ? UnknownInput::kIgnore : UnknownInput::kNear;
    return v == "error" || v == "near" || v == "ignore" ? "" : "must be error, near or ignore";
  };
  syntax->setters.push_back({"--unknown-input", set});
}

bool HasJsonName(std::string_view path) {
  return path.size() >= kJsonExtension.size() && path.substr(path.size() - kJsonExtension.size()) == kJsonExtension;
}

// The syntax goes by the name of the file alone: what a config means must not depend on a guess about its text.
ModuleFile SourceFile(const std::string& path, std::string text) {
  return {std::make_shared<const Source>(path == "-" ? "<stdin>" : path, std::move(text)), HasJsonName(path)};
}

absl::StatusOr<ModuleFile> ReadSource(const std::string& path, const Limits& limits) {
  std::string text, error;
  const int status = ReadFile(path, limits.max_source_bytes, &text, &error);
  if (status == kLimitReached) return absl::ResourceExhaustedError(error);
  if (status != kSuccess) return absl::NotFoundError(error);
  return SourceFile(path, std::move(text));
}

// Mostly it is a file, and then nobody asks what it is.
absl::StatusOr<std::vector<ModuleFile>> ReadSources(const std::string& path, const Limits& limits, bool* is_directory) {
  absl::StatusOr<ModuleFile> file = ReadSource(path, limits);
  *is_directory = !file.ok() && IsDirectory(path);
  if (*is_directory) return ReadModuleDirectory(path, limits);
  if (!file.ok()) return file.status();
  return std::vector<ModuleFile>{*std::move(file)};
}

bool ReadHostFunctions(std::string_view command, const std::string& path, CommonOptions* common, int* status) {
  const absl::StatusOr<ModuleFile> file = ReadSource(path, common->compile.limits);
  if (!file.ok()) {
    *status = Complain(command, std::string(file.status().message()), kInputError);
    return false;
  }
  Diagnostics found(common->compile.limits.max_diagnostics);
  common->compile.functions =
      ReadFunctionDescriptions(file->source, common->compile.functions, common->compile.limits, &found);
  if (!found.empty()) PrintDiagnostics(found, file->source.get(), *common);
  *status = StatusOf(found);
  return *status == kSuccess;
}

bool ReadConfig(std::string_view command, std::string_view path, const CommonOptions& common, ConfigFiles* config,
                int* status) {
  if (common.read_bundle != nullptr && common.read_bundle(command, std::string(path), common, config, status)) {
    return *status == kSuccess;
  }
  absl::StatusOr<std::vector<ModuleFile>> files =
      ReadSources(std::string(path), common.compile.limits, &config->is_module);
  if (!files.ok()) {
    *status = absl::IsResourceExhausted(files.status()) ? kLimitReached : kInputError;
    Complain(command, std::string(files.status().message()), *status);
    return false;
  }
  config->files = *std::move(files);
  config->is_module |= common.module_file.has_value();
  return true;
}

std::shared_ptr<const Program> CompileFiles(const ConfigFiles& config, const CompileOptions& options,
                                            Diagnostics* diagnostics) {
  if (config.is_module) return CompileModule(config.files, options, diagnostics);
  const auto& [source, is_json] = config.files.front();
  return is_json ? CompileJsonConfig(source, options, diagnostics) : CompileConfig(source, options, diagnostics);
}

std::shared_ptr<const Program> CompileOrExplain(const ConfigFiles& config, const CommonOptions& common, int* status) {
  Diagnostics diagnostics(common.compile.limits.max_diagnostics);
  std::shared_ptr<const Program> program = CompileFiles(config, common.compile, &diagnostics);
  if (!diagnostics.empty()) PrintDiagnostics(diagnostics, config.files.front().source.get(), common);
  *status = StatusOf(diagnostics);
  return program;
}

std::shared_ptr<const Program> LoadConfig(std::string_view command, std::string_view path, const CommonOptions& common,
                                          int* status) {
  ConfigFiles config;
  return ReadConfig(command, path, common, &config, status) ? CompileOrExplain(config, common, status) : nullptr;
}

namespace {

// Whether the file declares variables or locals, as only those of modules do.
bool DeclaresNames(const ModuleFile& file, const CommonOptions& common) {
  if (file.is_json) return false;
  ParseOptions options;
  options.limits = common.compile.limits;
  Diagnostics ignored;
  const std::unique_ptr<ParsedFile> parsed = ParseConfig(*file.source, options, &ignored);
  const absl::Span<const Block> blocks = parsed->body->blocks;
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
    return (block.type == "variable" && block.labels.size() == 1) || (block.type == "locals" && block.labels.empty());
  });
}

}  // namespace

std::string ModuleHint(std::string_view command, std::string_view path, const CommonOptions& common) {
  const size_t slash = path.rfind('/');
  const std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  if (common.module_file || path == "-" || !IsModuleFileName(name)) return "";
  const std::string folder(slash == std::string_view::npos ? "." : slash == 0 ? "/" : path.substr(0, slash));
  const absl::StatusOr<std::vector<ModuleFile>> files = ReadModuleDirectory(folder, common.compile.limits);
  if (!files.ok()) return "";
  const auto found =
      std::find_if(files->begin(), files->end(), [&](const ModuleFile& file) { return DeclaresNames(file, common); });
  if (found == files->end()) return "";
  return absl::StrCat(internal::ToAbsl(path), " was read alone, as a plain config. ", found->source->name(),
                      " declares names, so that the folder is a module: hclvm ", internal::ToAbsl(command), " ",
                      folder);
}

}  // namespace hcl::cmd
