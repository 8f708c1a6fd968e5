// hclvm check: what is wrong with configs and modules before they run. Tested by tests/check_test.sh.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
#include "hclvm/cmd/hclvm/sarif.h"
#include "hclvm/cmd/hclvm/spec_check.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/infer.h"
#include "hclvm/module/module.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/vm/value/heap.h"

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

// What was found, with the sources that it is about.
class Findings {
 public:
  explicit Findings(const CheckCommandOptions& options) : options_(options), compile_(options.common.compile) {
    if (options.spec && !options.has_dialect) compile_.dialect = Dialect::kHashiCorp;  // as hclvm decode
  }

  // Reads the files of options that all checks go by. False where one has mistakes, so that nothing can be said of what
  // is checked by it.
  bool Begin() {
    // With a spec, the functions are those of the spec file and those that were described, as for hclvm decode.
    if (options_.spec) compile_.functions = nullptr;
    if (options_.functions) {
      const std::optional<ModuleFile> file = ReadOption(*options_.functions);
      if (!file) return false;
      Diagnostics found(compile_.limits.max_diagnostics);
      compile_.functions = ReadFunctionDescriptions(file->source, compile_.functions, compile_.limits, &found);
      Take(found, {*file});
      if (found.has_errors()) return false;
    }
    if (options_.variables) {
      const std::optional<ModuleFile> file = ReadOption(*options_.variables);
      if (!file) return false;
      variables_.push_back(*file);
    }
    if (!options_.spec) return true;
    const std::optional<ModuleFile> file = ReadOption(*options_.spec);
    if (!file) return false;
    Diagnostics found(compile_.limits.max_diagnostics);
    spec_ = ReadSpecFile(file->source, compile_.limits, &found);
    Take(found, {*file});
    return spec_ != nullptr;
  }

  // Each path by itself: a directory is a module, and so is the file of --module; others are plain configs. False when
  // it cannot be read, which has been printed.
  bool Check(const std::string& path, bool is_module) {
    const bool is_directory = IsDirectory(path);
    const absl::StatusOr<std::vector<ModuleFile>> files = ReadSources(path, compile_.limits);
    if (!files.ok()) return CannotRead(files.status());
    Diagnostics found(compile_.limits.max_diagnostics);
    std::vector<internal::TypedName> names;
    std::vector<internal::TypedName>* const wanted = options_.show_types ? &names : nullptr;
    if (options_.syntax_only) {
      for (const ModuleFile& file : *files) Parse(file, &found);
    } else if (spec_ != nullptr) {
      CheckWithSpec(*spec_, *files, compile_, options_.strict, &found);
    } else if (is_module || is_directory) {
      internal::CheckModuleTypes(*files, compile_, options_.strict, &found, wanted);
    } else {
      internal::CheckPlainTypes(*files, variables_, compile_, options_.strict, &found, wanted);
    }
    checked_ += files->size();
    Take(found, *files);
    for (const internal::TypedName& name : names) {
      absl::StrAppend(&types_, options_.format == Format::kJson ? internal::ToJson(name) : internal::ToText(name),
                      "\n");
    }
    return true;
  }

  int Print() const {
    std::string out = types_;
    size_t errors = 0;
    size_t warnings = 0;
    bool has_limit = limit_;
    for (const Diagnostic& diagnostic : found_) {
      ++(diagnostic.severity == Severity::kError ? errors : warnings);
      has_limit = has_limit || diagnostic.is_limit;
      if (options_.format == Format::kJson) absl::StrAppend(&out, ToJson(diagnostic, diagnostic.source), "\n");
    }
    if (options_.format == Format::kSarif) out = ToSarif(found_);
    if (options_.format == Format::kText) {
      if (!types_.empty()) out += "\n";
      for (const Diagnostic& diagnostic : found_) absl::StrAppend(&out, ToText(diagnostic, diagnostic.source), "\n");
      absl::StrAppend(&out, checked_, checked_ == 1 ? " file" : " files", ", ", errors,
                      errors == 1 ? " error" : " errors", ", ", warnings, warnings == 1 ? " warning" : " warnings",
                      left_out_ > 0 ? absl::StrCat(", ", left_out_, " more were left out") : "", "\n");
    }
    std::fwrite(out.data(), 1, out.size(), stdout);
    if (has_limit) return kLimitReached;
    return errors > 0 || unreadable_ ? kInputError : kSuccess;
  }

 private:
  void Parse(const ModuleFile& file, Diagnostics* found) const {
    Diagnostics own(compile_.limits.max_diagnostics);
    if (file.is_json) {
      ParseJson(*file.source, JsonOptionsFor(compile_), &own);
    } else {
      ParseConfig(*file.source, ParseOptionsFor(compile_), &own);
    }
    Add(own, file, found);
  }

  bool CannotRead(const absl::Status& status) {
    unreadable_ = true;
    limit_ = limit_ || absl::IsResourceExhausted(status);
    Complain(kName, std::string(status.message()), kInputError);
    return false;
  }

  // A file that an option names. None when it cannot be read, which has been printed.
  std::optional<ModuleFile> ReadOption(const std::string& path) {
    const absl::StatusOr<ModuleFile> file = ReadSource(path, compile_.limits);
    if (!file.ok()) return CannotRead(file.status()), std::nullopt;
    sources_.push_back(file->source);
    return *file;
  }

  static void Add(const Diagnostics& own, const ModuleFile& file, Diagnostics* found) {
    for (Diagnostic diagnostic : own.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = file.source.get();
      found->Add(std::move(diagnostic));
    }
  }

  void Take(const Diagnostics& found, const std::vector<ModuleFile>& files) {
    if (found.empty()) return;
    for (const ModuleFile& file : files) sources_.push_back(file.source);
    for (Diagnostic diagnostic : found.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = files[0].source.get();
      found_.push_back(std::move(diagnostic));
    }
    left_out_ += found.left_out();
  }

  const CheckCommandOptions& options_;
  CompileOptions compile_;
  std::vector<ModuleFile> variables_;
  std::unique_ptr<SpecFile> spec_;
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
    return Complain(kName, std::string(declarations.status().message()), status);
  }
  std::fwrite(declarations->data(), 1, declarations->size(), stdout);
  return kSuccess;
}

// Notes that --dialect is given: without it, the default hangs on what else is.
void NoteDialect(bool* given, CommandSyntax* syntax) {
  for (Option& option : syntax->options) {
    if (option.name != "--dialect") continue;
    option.set = [given, set = std::move(option.set)](std::string_view value) { return *given = true, set(value); };
  }
}

// What of the options does not go together, or null.
const char* ConflictIn(const CheckCommandOptions& options) {
  if (options.show_types && options.format == Format::kSarif) return "--show-types has no form in SARIF";
  if (options.show_types && options.syntax_only) return "--show-types needs more than --syntax";
  if (!options.spec) return nullptr;
  if (options.syntax_only) return "--spec needs more than --syntax";
  if (options.show_types || options.variables || options.common.module_file) {
    return "--spec goes with neither --show-types nor --variables nor --module: it says what there is";
  }
  return nullptr;
}

}  // namespace

int CheckCommand(const std::vector<std::string_view>& arguments) {
  CheckCommandOptions options;
  CommandSyntax syntax;
  syntax.usage = "hclvm check DIR|FILE... [options]";
  syntax.summary =
      "Says what is wrong with modules and configs before they run: syntax, functions, numbers of arguments, and for\n"
      "modules names, types and nulls. A DIR is a module, a FILE a plain config.";
  syntax.options = {
      {"--syntax", "", "", "look at the syntax alone",
       [&](std::string_view) { return options.syntax_only = true, ""; }},
      {"--strict", "", "", "warnings are errors", [&](std::string_view) { return options.strict = true, ""; }},
      {"--variables", "", "FILE.hcl", "variable blocks for plain configs, whose names are looked at then",
       [&](std::string_view v) { return options.variables = std::string(v), ""; }},
      {"--functions", "", "FILE.json", "functions of the host, as hclvm functions --json describes them",
       [&](std::string_view v) { return options.functions = std::string(v), ""; }},
      {"--spec", "", "FILE.hcldec", "look at configs by a spec file, as hclvm decode does; a DIR is one config",
       [&](std::string_view v) { return options.spec = std::string(v), ""; }},
      {"--show-types", "", "", "print what is known of the types of variables, locals, functions and attributes",
       [&](std::string_view) { return options.show_types = true, ""; }},
      {"--infer-from", "", "FILE.ndjson", "print variable blocks that fit all lines of scopes, and check nothing",
       [&](std::string_view v) { return options.requests = std::string(v), ""; }},
      {"--format", "", "text|json|sarif", "how findings are written (text)",
       [&](std::string_view v) -> std::string {
         if (v != "text" && v != "json" && v != "sarif") return "expected text, json or sarif";
         options.format = v == "text" ? Format::kText : v == "json" ? Format::kJson : Format::kSarif;
         return "";
       }},
  };
  AddModuleOption(&options.common, &syntax);
  AddCommonOptions(&options.common, &syntax);
  NoteDialect(&options.has_dialect, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(kName, syntax, arguments, &positional, &status)) return status;
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
  for (const std::string_view path : positional) findings.Check(std::string(path), /*is_module=*/false);
  if (options.common.module_file) findings.Check(*options.common.module_file, /*is_module=*/true);
  return findings.Print();
}

}  // namespace hcl::cmd
