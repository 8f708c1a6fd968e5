// Values for the chosen request. Tested by lsp/features/request_values_test.cc.

#include "hclvm/lsp/features/request_values.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::lsp {
namespace {

// Bytes of a value that are shown.
constexpr size_t kMaxValueBytes = 200;

std::optional<std::string_view> LineOf(std::string_view text, uint32_t number) {
  for (uint32_t n = 1; n < number; ++n) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::shared_ptr<const Program> Compile(const Project& project, const CompileOptions& options) {
  Diagnostics ignored;
  if (project.has_module()) return CompileModule(project.module_files(), options, &ignored);
  if (project.kind != ProjectKind::kPlain || project.file->is_json()) return nullptr;
  return CompileConfig(project.file->source(), options, &ignored);
}

}  // namespace

std::vector<internal::Explanation> ExplainRequest(Workspace* workspace, const Project& project) {
  std::vector<internal::Explanation> all;
  const Settings& settings = workspace->settings();
  if (settings.request_file.empty()) return all;
  const TextFilePtr file = workspace->files()->Read(workspace->files()->AbsolutePath(settings.request_file));
  const std::optional<std::string_view> line =
      file == nullptr ? std::nullopt : LineOf(file->text(), settings.request_line);
  if (!line) return all;
  const CompileOptions options = internal::RecordingOptions(workspace->OptionsFor(kMaxEvaluationTime));
  const std::shared_ptr<const Program> program = Compile(project, options);
  if (program == nullptr) return all;
  JsonProjection whole;
  whole.NeedAll();
  internal::RequestReader reader(internal::RequestForm::kEither, whole, options.dialect, options.limits);
  internal::RecordedRequest request;
  std::string fault;
  if (!reader.ReadWhole(*line, &request, &fault) || request.scope.is_null()) return all;
  internal::ExplainOptions explain;
  explain.limits = options.limits;
  explain.unknown_input = UnknownInput::kIgnore;
  explain.full = true;
  explain.max_nodes = 20'000;
  internal::Explainer explainer(program, explain);
  for (const Entry& entry : program->entries()) {
    if (options.limits.interrupt.Reached()) break;
    all.push_back(explainer.Explain(request.scope, entry));
  }
  return all;
}

RequestValues ValuesFor(Workspace* workspace, const Project& project) {
  RequestValues values;
  for (const internal::Explanation& explanation : ExplainRequest(workspace, project)) {
    for (const internal::SubExpression& one : explanation.expressions) {
      std::string text = absl::StrJoin(one.values, ", ");
      if (one.count > one.values.size()) absl::StrAppend(&text, ", ...");
      values.try_emplace({one.place.file, {one.range.begin, one.range.end}}, internal::Excerpt(text, kMaxValueBytes));
    }
  }
  return values;
}

std::optional<std::string> ValueAt(Workspace* workspace, const Project& project, const TextFile& file,
                                   SourceRange word) {
  if (workspace->settings().request_file.empty()) return std::nullopt;
  std::optional<std::string> found;
  uint32_t size = UINT32_MAX;
  for (const auto& [place, value] : ValuesFor(workspace, project)) {
    const auto [begin, end] = place.second;
    if (place.first != file.source()->name() || end != word.end || begin > word.begin || end - begin > size) continue;
    size = end - begin;
    found = value;
  }
  return found;
}

}  // namespace hcl::lsp
