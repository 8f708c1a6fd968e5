// The check of one path. Tested by tests/check_test.sh and cmd/hclvm/config_checker_test.cc.
//
// Paths have nothing in common but the settings, so that threads need not wait for each other. What was found waits for
// its turn to be told, as the output does not hang on which thread was faster.

#include "hclvm/cmd/hclvm/config_checker.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/file_batch.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/workbench/spec_check.h"

namespace hcl::cmd {
namespace {

void ParseFile(const ModuleFile& file, const CompileOptions& options, Diagnostics* diagnostics) {
  if (file.is_json) {
    ParseJson(*file.source, JsonOptionsFor(options), diagnostics);
  } else {
    ParseConfig(*file.source, ParseOptionsFor(options), diagnostics);
  }
}

void CheckSyntax(const std::vector<ModuleFile>& files, const CompileOptions& options, uint32_t threads,
                 Diagnostics* diagnostics) {
  if (files.size() == 1) {
    Diagnostics own(options.limits.max_diagnostics);
    ParseFile(files[0], options, &own);
    return internal::AddAll(own, files[0].source.get(), diagnostics);
  }
  std::vector<std::unique_ptr<const Diagnostics>> found(files.size());
  ForEachIndex(files.size(), threads, [&](size_t n) {
    Diagnostics own(options.limits.max_diagnostics);
    ParseFile(files[n], options, &own);
    if (!own.empty()) found[n] = std::make_unique<const Diagnostics>(std::move(own));
  });
  for (size_t n = 0; n < files.size(); ++n) {
    if (found[n] != nullptr) internal::AddAll(*found[n], files[n].source.get(), diagnostics);
  }
}

void Take(const Diagnostics& found, const std::vector<ModuleFile>& files, CheckResult* result) {
  if (found.empty()) return;
  for (const ModuleFile& file : files) result->sources.push_back(file.source);
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = files[0].source.get();
    result->found.push_back(std::move(diagnostic));
  }
  result->left_out = found.unkept_errors() + found.unkept_warnings();
}

// Looks at files that have been read.
CheckResult CheckFiles(const std::vector<ModuleFile>& files, bool is_module, const CheckSettings& settings,
                       uint32_t threads) {
  CheckResult result;
  Diagnostics found(settings.compile.limits.max_diagnostics);
  std::vector<internal::TypedName> names;
  std::vector<internal::TypedName>* const wanted = settings.show_types ? &names : nullptr;
  if (settings.syntax_only) {
    CheckSyntax(files, settings.compile, threads, &found);
  } else if (settings.spec != nullptr) {
    internal::CheckWithSpec(*settings.spec, settings.declared.get(), files, settings.compile, settings.strict, &found);
  } else if (is_module) {
    internal::CheckModuleTypes(files, settings.compile, settings.strict, &found, wanted);
  } else {
    internal::CheckPlainTypes(files, settings.variables, settings.compile, settings.strict, &found, wanted);
  }
  result.files = files.size();
  Take(found, files, &result);
  for (const internal::TypedName& name : names) {
    absl::StrAppend(&result.types, settings.types_as_json ? internal::ToJson(name) : internal::ToText(name), "\n");
  }
  return result;
}

// Null where there is nothing to tell.
std::unique_ptr<const CheckResult> Kept(CheckResult result) {
  return result.is_one_sound_file() ? nullptr : std::make_unique<const CheckResult>(std::move(result));
}

// So many paths are worth the memory that reading at once takes.
constexpr size_t kMinBatchedPaths = 2 * FileBatch::kFiles;

// What a thread uses again and again, in lines of a cache that no other one writes to.
struct alignas(64) Worker {
  FileBatchReader reader;
  ParsedFile tree;
};

// Whether nothing is wrong with the syntax of a plain config, as with that of most. What is wrong is then looked for
// anew, with a source that what was found can point into.
bool HasSoundSyntax(std::string_view text, const CompileOptions& options, ParsedFile* tree) {
  const Source source(/*name=*/"", std::string(text));
  Diagnostics found(options.limits.max_diagnostics);
  ParseConfigInto(source, ParseOptionsFor(options), tree, &found);
  return found.empty();
}

// A file of which the text may have been read already; it is read as a single path is otherwise, which also tells what
// is wrong with it. Null for one sound file.
std::unique_ptr<const CheckResult> CheckFile(std::string_view path, const std::optional<std::string_view>& text,
                                             const CheckSettings& settings, ParsedFile* tree) {
  const bool is_read = text && text->size() <= settings.compile.limits.max_source_bytes;
  if (is_read && settings.syntax_only && !HasJsonName(path) && HasSoundSyntax(*text, settings.compile, tree)) {
    return nullptr;
  }
  const std::string name(path);
  return Kept(is_read ? CheckFiles({SourceFile(name, std::string(*text))}, /*is_module=*/false, settings, 1)
                      : CheckPath(name, /*is_module=*/false, settings, 1));
}

}  // namespace

CheckResult CheckPath(const std::string& path, bool is_module, const CheckSettings& settings, uint32_t threads) {
  bool is_directory = false;
  const absl::StatusOr<std::vector<ModuleFile>> files = ReadSources(path, settings.compile.limits, &is_directory);
  if (files.ok()) return CheckFiles(*files, is_module || is_directory, settings, threads);
  CheckResult result;
  result.status = files.status();
  return result;
}

// Standard input is one text for whoever reads it first: then the order counts. Small files are read many at once.
std::vector<std::unique_ptr<const CheckResult>> CheckPaths(const std::vector<std::string_view>& paths,
                                                           const CheckSettings& settings, uint32_t threads) {
  std::vector<std::unique_ptr<const CheckResult>> results(paths.size());
  const bool in_order = std::find(paths.begin(), paths.end(), "-") != paths.end();
  if (in_order || paths.size() < kMinBatchedPaths) {
    ForEachIndex(paths.size(), in_order ? 1 : threads, [&](size_t n) {
      const uint32_t own_threads = paths.size() == 1 ? threads : 1;
      results[n] = Kept(CheckPath(std::string(paths[n]), /*is_module=*/false, settings, own_threads));
    });
    return results;
  }
  std::vector<Worker> workers(std::max(threads, 1u));
  const size_t batches = (paths.size() + FileBatch::kFiles - 1) / FileBatch::kFiles;
  ForEachIndex(batches, threads, /*at_once=*/1, [&](size_t batch, uint32_t worker) {
    const size_t begin = batch * FileBatch::kFiles;
    const auto some = absl::MakeConstSpan(paths).subspan(begin, FileBatch::kFiles);
    const FileBatch::Texts texts = workers[worker].reader.Read(some);
    for (size_t n = 0; n < some.size(); ++n) {
      results[begin + n] = CheckFile(some[n], texts[n], settings, &workers[worker].tree);
    }
  });
  return results;
}

}  // namespace hcl::cmd
