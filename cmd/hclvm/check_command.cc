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

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/sarif.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/infer.h"
#include "hclvm/module/module.h"

namespace hcl::cmd {

namespace {

constexpr std::string_view kName = "check";

enum class Format { kText, kJson, kSarif };

struct CheckCommandOptions {
  CommonOptions common;
  bool syntax_only = false;
  bool strict = false;
  std::optional<std::string> variables;
  std::optional<std::string> requests;
  Format format = Format::kText;
};

// What was found, with the sources that it is about.
class Findings {
 public:
  explicit Findings(const CheckCommandOptions& options) : options_(options) {}

  // Each path by itself: a directory is a module, and so is the file of --module; others are plain configs. False when
  // it cannot be read, which has been printed.
  bool Check(const std::string& path, bool is_module) {
    const absl::StatusOr<std::vector<ModuleFile>> files = ReadSources(path, options_.common.compile.limits);
    if (!files.ok()) {
      unreadable_ = true;
      limit_ = limit_ || absl::IsResourceExhausted(files.status());
      Complain(kName, std::string(files.status().message()), kInputError);
      return false;
    }
    Diagnostics found(options_.common.compile.limits.max_diagnostics);
    if (options_.syntax_only) {
      for (const ModuleFile& file : *files) Parse(file, &found);
    } else if (is_module || IsDirectory(path)) {
      CheckModule(*files, options_.common.compile, options_.strict, &found);
    } else {
      CheckConfig((*files)[0], &found);
    }
    checked_ += files->size();
    Take(found, *files);
    return true;
  }

  int Print() const {
    std::string out;
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
    Diagnostics own(options_.common.compile.limits.max_diagnostics);
    const CompileOptions& options = options_.common.compile;
    if (file.is_json) {
      ParseJson(*file.source, JsonOptionsFor(options), &own);
    } else {
      ParseConfig(*file.source, ParseOptionsFor(options), &own);
    }
    Add(own, file, found);
  }

  // Names are known where variables are declared for it: then it is as a module with them.
  void CheckConfig(const ModuleFile& file, Diagnostics* found) {
    if (options_.variables) {
      absl::StatusOr<std::vector<ModuleFile>> variables =
          ReadSources(*options_.variables, options_.common.compile.limits);
      if (!variables.ok()) {
        unreadable_ = true;
        Complain(kName, std::string(variables.status().message()), kInputError);
        return;
      }
      sources_.push_back((*variables)[0].source);
      CheckPlainConfig({file}, *variables, options_.common.compile, options_.strict, found);
      return;
    }
    CheckPlainConfig({file}, {}, options_.common.compile, options_.strict, found);
  }

  static void Add(const Diagnostics& own, const ModuleFile& file, Diagnostics* found) {
    for (Diagnostic diagnostic : own.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = file.source.get();
      found->Add(std::move(diagnostic));
    }
  }

  void Take(const Diagnostics& found, const std::vector<ModuleFile>& files) {
    for (const ModuleFile& file : files) sources_.push_back(file.source);
    for (Diagnostic diagnostic : found.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = files[0].source.get();
      found_.push_back(std::move(diagnostic));
    }
    left_out_ += found.left_out();
  }

  const CheckCommandOptions& options_;
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
  Findings findings(options);
  for (const std::string_view path : positional) findings.Check(std::string(path), /*is_module=*/false);
  if (options.common.module_file) findings.Check(*options.common.module_file, /*is_module=*/true);
  return findings.Print();
}

}  // namespace hcl::cmd
