// Values for the chosen request. Tested by lsp/features/request_values_test.cc.

#include "hclvm/lsp/features/request_values.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/printable.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/navigation.h"
#include "hclvm/lsp/features/known_types.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::lsp {
namespace {

// What the compiler may spend on constants: a slow one is left to the entry that has it.
constexpr uint64_t kMaxConstantFuel = 100'000;
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

// The chosen request, which lives as long as its reader.
struct ChosenRequest {
  std::unique_ptr<internal::RequestReader> reader;
  internal::RecordedRequest request;
};

// Why it cannot be read, or nothing.
std::string ReadChosenRequest(Workspace* workspace, ChosenRequest* chosen) {
  const Settings& settings = workspace->settings();
  const TextFilePtr file = workspace->files()->Read(workspace->files()->AbsolutePath(settings.request_file));
  const std::string name = internal::Printable(settings.request_file);
  if (file == nullptr) return absl::StrCat("The file of the chosen request, ", name, ", cannot be read.");
  const std::optional<std::string_view> line = LineOf(file->text(), settings.request_line);
  if (!line) return absl::StrCat(name, " has no line ", settings.request_line, ", which is the chosen request.");
  const CompileOptions options = workspace->OptionsFor(kMaxEvaluationTime);
  JsonProjection whole;
  whole.NeedAll();
  chosen->reader =
      std::make_unique<internal::RequestReader>(internal::RequestForm::kEither, whole, options.dialect, options.limits);
  std::string fault;
  if (chosen->reader->ReadWhole(*line, &chosen->request, &fault)) return "";
  return absl::StrCat("The chosen request, ", name, " line ", settings.request_line, ", cannot be read: ", fault);
}

}  // namespace

std::vector<std::string> UnreadSettings(Workspace* workspace) {
  const Settings& settings = workspace->settings();
  std::vector<std::string> faults;
  const auto expect = [&](const char* what, const std::string& path) {
    if (workspace->files()->Read(workspace->files()->AbsolutePath(path)) != nullptr) return;
    faults.push_back(absl::StrCat("The file ", what, ", ", internal::Printable(path), ", cannot be read."));
  };
  if (!settings.functions.empty()) expect("of functions", settings.functions);
  for (const Settings::Spec& spec : settings.specs) expect("of a spec", spec.spec);
  ChosenRequest chosen;
  const std::string fault = settings.request_file.empty() ? "" : ReadChosenRequest(workspace, &chosen);
  if (!fault.empty()) faults.push_back(fault);
  return faults;
}

std::vector<internal::Explanation> ExplainRequest(Workspace* workspace, const Project& project) {
  std::vector<internal::Explanation> all;
  ChosenRequest chosen;
  if (workspace->settings().request_file.empty() || !ReadChosenRequest(workspace, &chosen).empty()) return all;
  const Value& scope = chosen.request.scope;
  if (scope.is_null()) return all;
  CompileOptions options = internal::RecordingOptions(workspace->OptionsFor(kMaxEvaluationTime));
  options.limits.max_compile_fuel = kMaxConstantFuel;
  const std::shared_ptr<const Program> program = Compile(project, options);
  if (program == nullptr) return all;
  internal::ExplainOptions explain;
  explain.limits = options.limits;
  explain.unknown_input = UnknownInput::kIgnore;
  explain.full = true;
  explain.max_nodes = 20'000;
  internal::Explainer explainer(program, explain);
  for (const Entry& entry : program->entries()) {
    const auto now = std::chrono::steady_clock::now();
    if (options.limits.interrupt.Reached()) break;
    // A slow entry leaves half of the time to the others.
    Interrupt interrupt = options.limits.interrupt;
    interrupt.deadline = now + (interrupt.deadline - now) / 2;
    explainer.set_interrupt(interrupt);
    all.push_back(explainer.Explain(scope, entry));
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

std::optional<std::string> ValueOfExpression(Workspace* workspace, const Project& project,
                                             std::string_view expression) {
  const absl::string_view written = internal::ToAbsl(expression);
  const std::string text =
      absl::StrCat(internal::ToAbsl(project.file->text()), "\n", internal::ToAbsl(kNameInPlace), " = ", written, "\n");
  const Project extended = WithText(project, *project.file, text);
  const auto end = static_cast<uint32_t>(text.size() - 1);
  return ValueAt(workspace, extended, *extended.file, {end - static_cast<uint32_t>(expression.size()), end});
}

std::optional<std::string> ValueAt(Workspace* workspace, const Project& project, const TextFile& file,
                                   SourceRange word) {
  if (workspace->settings().request_file.empty()) return std::nullopt;
  // What is larger has another value than what stands here, as `m - 8` has at the 8.
  const Expr* const inner = InnermostExprAt(file.body(), word.begin);
  const uint32_t first = inner == nullptr ? 0 : inner->range.begin;
  std::optional<std::string> found;
  uint32_t size = UINT32_MAX;
  for (const auto& [place, value] : ValuesFor(workspace, project)) {
    const auto [begin, end] = place.second;
    if (place.first != file.source()->name() || end != word.end || begin > word.begin) continue;
    if (begin < first || end - begin > size) continue;
    size = end - begin;
    found = value;
  }
  return found;
}

}  // namespace hcl::lsp
