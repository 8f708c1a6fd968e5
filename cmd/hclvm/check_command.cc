// hclvm check: what is wrong with configs and modules before they run. Tested by tests/check_test.sh.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/config_checker.h"
#include "hclvm/cmd/hclvm/equal_findings.h"
#include "hclvm/cmd/hclvm/sarif.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/spec.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/infer.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl::cmd {

namespace {

constexpr std::string_view kName = "check";

enum class Format { kText, kJson, kSarif };

struct CheckCommandOptions {
  CommonOptions common;
  bool syntax_only = false;
  bool strict = false;
  bool show_types = false;
  bool has_dialect = false;  // that of the command line
  std::optional<std::string> variables;
  std::optional<std::string> functions;
  std::optional<std::string> spec;
  std::optional<std::string> requests;
  Format format = Format::kText;
};

// Empty where it is not known, as when it was removed.
std::string WorkingDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// What was found, with the sources that it is about.
class Findings {
 public:
  explicit Findings(const CheckCommandOptions& options) : options_(options) {
    settings_.compile = options.common.compile;
    if (options.spec && !options.has_dialect) settings_.compile.dialect = Dialect::kHashiCorp;  // as hclvm decode
    settings_.syntax_only = options.syntax_only;
    settings_.strict = options.strict;
    settings_.show_types = options.show_types;
    settings_.types_as_json = options.format == Format::kJson;
  }

  // Reads the files of options that all checks go by. False where one has mistakes, so that nothing can be said of what
  // is checked by it.
  bool Begin() {
    CompileOptions& compile = settings_.compile;
    // With a spec, the functions are those of the spec file and those that were described, as for hclvm decode.
    if (options_.spec) compile.functions = nullptr;
    if (options_.functions) {
      const std::optional<ModuleFile> file = ReadOption(*options_.functions);
      if (!file) return false;
      Diagnostics found(compile.limits.max_diagnostics);
      compile.functions = ReadFunctionDescriptions(file->source, compile.functions, compile.limits, &found);
      Take(found, *file->source);
      if (found.has_errors()) return false;
    }
    if (options_.variables) {
      const std::optional<ModuleFile> file = ReadOption(*options_.variables);
      if (!file) return false;
      settings_.variables.push_back(*file);
    }
    return !options_.spec || BeginSpec();
  }

  void Check(const std::vector<std::string_view>& given) {
    std::vector<std::string> modules;
    for (const std::string_view path : given) AddPath(path, &modules);
    const std::vector<std::string_view> paths(modules.begin(), modules.end());
    for (const std::unique_ptr<const CheckResult>& result : CheckPaths(paths, settings_, ProcessorCount())) {
      result == nullptr ? void(++checked_) : Take(*result);
    }
    const std::optional<std::string>& module = options_.common.module_file;
    if (module) Take(CheckPath(*module, /*is_module=*/true, settings_, ProcessorCount()));
  }

  int Print() {
    DropRepeated(&found_);
    std::string out = types_;
    size_t errors = 0;
    size_t warnings = 0;
    bool has_limit = limit_;
    std::string last;  // of the text
    for (const Diagnostic& diagnostic : found_) {
      ++(diagnostic.severity == Severity::kError ? errors : warnings);
      has_limit = has_limit || diagnostic.is_limit;
      if (options_.format == Format::kJson) absl::StrAppend(&out, ToJson(diagnostic, diagnostic.source), "\n");
    }
    if (left_out_ > 0) {
      Diagnostic more(DiagnosticCode::kMoreFound);
      more.detail = absl::StrCat(LeftOutText(left_out_), ". The limit for each path is max_diagnostics, ",
                                 settings_.compile.limits.max_diagnostics, ".");
      if (options_.format == Format::kJson) absl::StrAppend(&out, ToJson(more, nullptr), "\n");
      if (options_.format == Format::kText) last = ToText(more, nullptr) + "\n";
    }
    if (options_.format == Format::kSarif) out = ToSarif(found_, left_out_, WorkingDirectory());
    if (options_.format == Format::kText) {
      if (!types_.empty()) out += "\n";
      TextOptions text;
      text.color = UsesColor(STDOUT_FILENO);
      for (const Diagnostic& diagnostic : Grouped(found_)) {
        absl::StrAppend(&out, ToText(diagnostic, diagnostic.source, text), "\n");
      }
      absl::StrAppend(&out, last, checked_, checked_ == 1 ? " file" : " files", ", ", errors,
                      errors == 1 ? " error" : " errors", ", ", warnings, warnings == 1 ? " warning" : " warnings",
                      left_out_ > 0 ? absl::StrCat(", ", LeftOutText(left_out_)) : "", "\n");
      if (!found_.empty() && IsTerminal(STDOUT_FILENO)) options_.common.explain.Suggest(found_[0].code);
    }
    std::fwrite(out.data(), 1, out.size(), stdout);
    if (has_limit) return kLimitReached;
    return errors > 0 || unreadable_ ? kInputError : kSuccess;
  }

 private:
  // A directory of modules stands for these. With a spec, a directory is one config.
  void AddPath(std::string_view path, std::vector<std::string>* paths) {
    std::string name(path);
    if (options_.spec || !IsDirectory(name)) return paths->push_back(std::move(name));
    const absl::StatusOr<std::vector<std::string>> modules = FindModules(name);
    if (!modules.ok()) {
      CannotRead(modules.status());
    } else if (modules->empty()) {
      paths->push_back(std::move(name));
    } else {
      paths->insert(paths->end(), modules->begin(), modules->end());
    }
  }

  bool BeginSpec() {
    const CompileOptions& compile = settings_.compile;
    const std::optional<ModuleFile> file = ReadOption(*options_.spec);
    if (!file) return false;
    Diagnostics found(compile.limits.max_diagnostics);
    settings_.spec = ReadSpecFile(file->source, compile.limits, &found);
    Take(found, *file->source);
    if (settings_.spec == nullptr) return false;
    if (options_.show_types) {
      Heap heap;
      const Type type = ImpliedType(*settings_.spec->spec, &heap);
      AddType({internal::TypedName::Kind::kSpec, *options_.spec, ToTypeSyntax(type), false, {}, file->source.get()});
    }
    return !options_.variables || BeginVariables();
  }

  // Variables of configs that are decoded.
  bool BeginVariables() {
    const ModuleFile& file = settings_.variables[0];
    Diagnostics found(settings_.compile.limits.max_diagnostics);
    CompileOptions compile = settings_.compile;
    if (compile.functions == nullptr) compile.functions = StandardFunctions();  // of defaults and validations
    settings_.declared = CompileModule(settings_.variables, compile, &found);
    Take(found, *file.source);
    if (settings_.declared == nullptr || !options_.show_types) return settings_.declared != nullptr;
    std::vector<internal::TypedName> names;
    internal::CheckModuleTypes(settings_.variables, compile, /*strict=*/false, &found, &names);
    for (const internal::TypedName& name : names) {
      if (name.kind == internal::TypedName::Kind::kVariable) AddType(name);
    }
    return true;
  }

  void AddType(const internal::TypedName& name) {
    absl::StrAppend(&types_, settings_.types_as_json ? internal::ToJson(name) : internal::ToText(name), "\n");
  }

  // A path that cannot be read has been printed.
  void Take(const CheckResult& result) {
    if (!result.status.ok()) return CannotRead(result.status);
    checked_ += result.files;
    left_out_ += result.left_out;
    types_ += result.types;
    sources_.insert(sources_.end(), result.sources.begin(), result.sources.end());
    found_.insert(found_.end(), result.found.begin(), result.found.end());
  }

  // What was found in a file of an option.
  void Take(const Diagnostics& found, const Source& source) {
    for (Diagnostic diagnostic : found.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = &source;
      found_.push_back(std::move(diagnostic));
    }
    left_out_ += found.unkept_errors() + found.unkept_warnings();
  }

  void CannotRead(const absl::Status& status) {
    unreadable_ = true;
    limit_ = limit_ || absl::IsResourceExhausted(status);
    Complain(kName, std::string(status.message()), kInputError);
  }

  // A file that an option names. None when it cannot be read, which has been printed.
  std::optional<ModuleFile> ReadOption(const std::string& path) {
    const absl::StatusOr<ModuleFile> file = ReadSource(path, settings_.compile.limits);
    if (!file.ok()) return CannotRead(file.status()), std::nullopt;
    sources_.push_back(file->source);
    return *file;
  }

  const CheckCommandOptions& options_;
  CheckSettings settings_;
  std::string types_;  // lines
  std::vector<std::shared_ptr<const Source>> sources_;
  std::vector<Diagnostic> found_;
  size_t checked_ = 0;  // files
  size_t left_out_ = 0;
  bool unreadable_ = false;
  bool limit_ = false;
};

int Infer(const std::string& path, const Limits& limits) {
  std::FILE* const input = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (input == nullptr) {
    return Complain(kName, absl::StrCat("cannot read ", path, ": ", std::strerror(errno)), kInputError);
  }
  const absl::StatusOr<std::string> declarations = internal::InferVariables(input, limits);
  if (input != stdin) std::fclose(input);
  if (!declarations.ok()) {
    const int status = absl::IsResourceExhausted(declarations.status()) ? kLimitReached : kInputError;
    const char* const about = absl::IsUnavailable(declarations.status()) ? "cannot read " : "";
    return Complain(kName, absl::StrCat(about, path, ": ", declarations.status().message()), status);
  }
  std::fwrite(declarations->data(), 1, declarations->size(), stdout);
  return kSuccess;
}

// Notes that --dialect is given: without it, the default hangs on what else is.
void NoteDialect(bool* given, CommandSyntax* syntax) {
  for (OptionSetter& setter : syntax->setters) {
    if (setter.option != "--dialect") continue;
    setter.set = [given, set = std::move(setter.set)](std::string_view value) { return *given = true, set(value); };
  }
}

// What of the options does not go together, or null.
const char* ConflictIn(const CheckCommandOptions& options) {
  if (options.show_types && options.format == Format::kSarif) return "--show-types has no form in SARIF";
  if (options.show_types && options.syntax_only) return "--show-types needs more than --syntax";
  if (!options.spec) return nullptr;
  if (options.syntax_only) return "--spec needs more than --syntax";
  if (options.common.module_file) {
    return "--spec does not go with --module: a spec says what there is in a config, and a module does so itself";
  }
  return nullptr;
}

}  // namespace

int CheckCommand(const std::vector<std::string_view>& arguments) {
  CheckCommandOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--syntax", [&](std::string_view) { return options.syntax_only = true, ""; }},
      {"--strict", [&](std::string_view) { return options.strict = true, ""; }},
      {"--variables", [&](std::string_view v) { return options.variables = std::string(v), ""; }},
      {"--functions", [&](std::string_view v) { return options.functions = std::string(v), ""; }},
      {"--spec", [&](std::string_view v) { return options.spec = std::string(v), ""; }},
      {"--show-types", [&](std::string_view) { return options.show_types = true, ""; }},
      {"--infer-from", [&](std::string_view v) { return options.requests = std::string(v), ""; }},
      {"--diagnostics",
       [&](std::string_view v) -> std::string {
         if (v != "text" && v != "json" && v != "sarif") return "expected text, json or sarif";
         options.format = v == "text" ? Format::kText : v == "json" ? Format::kJson : Format::kSarif;
         return "";
       }},
  };
  AddModuleOption(&options.common, &syntax);
  AddCompileOptions(&options.common, &syntax);
  NoteDialect(&options.has_dialect, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (options.requests) {
    if (ConfigCount(positional, options.common) > 0) return Complain(kName, "--infer-from goes alone", kUsageError);
    return Infer(*options.requests, options.common.compile.limits);
  }
  if (ConfigCount(positional, options.common) == 0) {
    return Complain(kName, "give a DIR or a FILE (see hclvm check --help)", kUsageError);
  }
  const char* const conflict = ConflictIn(options);
  if (conflict != nullptr) return Complain(kName, conflict, kUsageError);
  Findings findings(options);
  if (!findings.Begin()) return findings.Print();
  findings.Check(positional);
  status = findings.Print();
  if (options.format == Format::kText && !options.spec && !options.variables && positional.size() == 1) {
    const std::string hint = ModuleHint(kName, positional[0], options.common);
    if (!hint.empty()) Complain(kName, hint, status);
  }
  return status;
}

}  // namespace hcl::cmd
