// Modules and their check: what is told is well-formed, and the check and the compiler agree.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_doc.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::fuzz {
namespace {

// A line "+++" begins another file, and "+++ json" one in the JSON syntax.
std::vector<ModuleFile> FilesOf(std::string_view input) {
  constexpr std::string_view kMark = "+++";
  std::vector<ModuleFile> files;
  bool is_json = false;
  size_t begin = 0;
  const auto add = [&](size_t end) {
    const auto name = "file-" + std::to_string(files.size());
    files.push_back({std::make_shared<const Source>(name, std::string(input.substr(begin, end - begin))), is_json});
  };
  for (size_t at = 0; at < input.size();) {
    const size_t newline = input.find('\n', at);
    const size_t next = newline == std::string_view::npos ? input.size() : newline + 1;
    const std::string_view line = input.substr(at, next - at);
    if (line.substr(0, kMark.size()) == kMark) {
      if (at > 0) add(at);
      is_json = line.find("json") != std::string_view::npos;
      begin = next;
    }
    at = next;
  }
  add(input.size());
  return files;
}

void CheckNames(const std::vector<internal::TypedName>& names) {
  for (const internal::TypedName& name : names) {
    Require(!name.type.empty(), "a name has a type", name.name);
    Require(name.source == nullptr || name.range.end <= name.source->text().size(), "a name lies in its source",
            ToText(name));
    ToJson(name);
  }
}

// A finding of the compiler's is one of the check's, and what the check lets pass compiles.
void CheckAsModule(const std::vector<ModuleFile>& files, const CompileOptions& options, size_t bytes) {
  Diagnostics found, strictly, compiled;
  std::vector<internal::TypedName> names;
  std::shared_ptr<const Program> program;
  {
    const Watch watch("checking a module", bytes);
    program = CheckModule(files, options, /*strict=*/false, &found);
    CheckModule(files, options, /*strict=*/true, &strictly);
    Diagnostics again;
    internal::CheckModuleTypes(files, options, /*strict=*/false, &again, &names);
    CompileModule(files, options, &compiled);
  }
  for (const Diagnostics* list : {&found, &strictly, &compiled}) CheckMessages(*list, *files[0].source);
  CheckNames(names);
  const std::string text = ToText(found, nullptr);
  Require((program == nullptr) == found.has_errors(), "a program or errors, never both or none", text);
  Require(found.has_errors() == compiled.has_errors(), "the check finds errors where the compiler does", text);
  Require(strictly.has_errors() == !found.empty(), "with --strict each finding is an error", text);
  if (program != nullptr) internal::ModuleDoc(*program, "module");
}

void CheckAsConfigs(const std::vector<ModuleFile>& files, const CompileOptions& options, size_t bytes) {
  Diagnostics found, with_variables;
  {
    const Watch watch("checking configs", bytes);
    std::vector<internal::TypedName> names;
    internal::CheckPlainTypes(files, {}, options, /*strict=*/false, &found, &names);
    CheckNames(names);
    const absl::Span<const ModuleFile> all(files);
    CheckPlainConfig(all.subspan(files.size() > 1 ? 1 : 0), all.first(1), options, /*strict=*/true, &with_variables);
  }
  for (const Diagnostics* list : {&found, &with_variables}) CheckMessages(*list, *files[0].source);
}

}  // namespace

void FuzzCheck(std::string_view input) {
  CompileOptions options;
  options.functions = StandardFunctions();
  const std::vector<ModuleFile> files = FilesOf(input);
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    options.dialect = dialect;
    CheckAsModule(files, options, input.size());
  }
  CheckAsConfigs(files, options, input.size());
}

}  // namespace hcl::fuzz
