// hclvm convert: a config in the other syntax. Tested by tests/convert_command_test.sh.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/body_shape.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/convert.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/module/module_shape.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::cmd {

namespace {

constexpr std::string_view kName = "convert";

struct Options {
  CommonOptions common;
  std::optional<std::string> spec;
  std::string to;
};

// Sets *shape to what the spec file looks for. Returns an exit status, after printing what is wrong.
int ReadShape(const std::string& path, const CommonOptions& common, BodyShape* shape) {
  const Limits& limits = common.compile.limits;
  std::string text;
  std::string error;
  const int status = ReadFile(path, limits.max_source_bytes, &text, &error);
  if (status != kSuccess) return Complain(kName, error, status);
  const auto source = std::make_shared<const Source>(path, std::move(text));
  Diagnostics diagnostics(limits.max_diagnostics);
  const auto spec = ReadSpecFile(source, limits, &diagnostics);
  PrintDiagnostics(diagnostics, source.get(), common);
  if (spec == nullptr) return StatusOf(diagnostics);
  return ShapeOf(*spec->spec, shape, &error) ? kSuccess : Complain(kName, absl::StrCat(path, ": ", error), kInputError);
}

int Convert(const std::string& path, const Options& options) {
  const CommonOptions& common = options.common;
  ConvertOptions convert;
  convert.limits = common.compile.limits;
  convert.rules = common.compile.dialect == Dialect::kHashiCorp ? JsonRules::kReference : JsonRules::kSpec;
  if (common.module_file) convert.shape = ModuleShape();
  if (options.spec) {
    const int status = ReadShape(*options.spec, common, &convert.shape);
    if (status != kSuccess) return status;
  }
  std::string text;
  std::string error;
  const int status = ReadFile(path, convert.limits.max_source_bytes, &text, &error);
  if (status != kSuccess) return Complain(kName, error, status);
  const Source source(path == "-" ? "<stdin>" : path, std::move(text));
  Diagnostics diagnostics(convert.limits.max_diagnostics);
  const bool to_native = options.to.empty() ? HasJsonName(path) : options.to == "native";
  const auto result =
      to_native ? ConvertToNative(source, convert, &diagnostics) : ConvertToJson(source, convert, &diagnostics);
  PrintDiagnostics(diagnostics, &source, common);
  if (!result) return StatusOf(diagnostics);
  std::fwrite(result->data(), 1, result->size(), stdout);
  // A type of a variable is written in another way than other attributes are.
  if (options.spec || ModuleHint(kName, path, common).empty()) return kSuccess;
  return Complain(
      kName,
      absl::StrCat(path, " was converted as a plain config, and its folder is a module: hclvm convert --module ", path),
      kSuccess);
}

}  // namespace

int ConvertCommand(const std::vector<std::string_view>& arguments) {
  Options options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--to",
       [&](std::string_view v) {
         options.to = std::string(v);
         return v == "json" || v == "native" ? "" : "expected json or native";
       }},
      {"--spec", [&](std::string_view v) { return options.spec = std::string(v), ""; }},
  };
  AddModuleOption(&options.common, &syntax);
  AddCommonOptions(&options.common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (options.common.module_file) positional.push_back(*options.common.module_file);
  if (positional.size() > 1) return Complain(kName, "give one FILE", kUsageError);
  if (options.common.module_file && options.spec) {
    return Complain(kName, "a module says itself what its blocks are; give --module or --spec", kUsageError);
  }
  if (positional.empty()) positional.emplace_back("-");
  const std::string path(positional[0]);
  if (path != "-" && IsDirectory(path))
    return Complain(kName, absl::StrCat(path, " is a directory; give one FILE"), kUsageError);
  return Convert(path, options);
}

}  // namespace hcl::cmd
