// Evaluating inputs. The commands are in repl_commands.cc. Tested by cmd/hclvm/repl_session_test.cc.
//
// An input becomes an attribute of the module, in a file of its own: so it has the meaning that it would have there.

#include "hclvm/cmd/hclvm/repl_session.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/repl_requests.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

// The attribute that an input is, if no attribute of the module is called so.
std::string FreeName(const Program* module) {
  std::string name = "it";
  while (module != nullptr && module->FindEntry(name) != nullptr) name += "_";
  return name;
}

// Adds the names that the file declares.
void AddDeclared(const ModuleFile& file, const Limits& limits, std::vector<std::string>* variables,
                 std::vector<std::string>* locals) {
  if (file.is_json) return;
  ParseOptions options;
  options.limits = limits;
  Diagnostics ignored(0);
  const auto parsed = ParseConfig(*file.source, options, &ignored);
  for (const Block& block : parsed->body->blocks) {
    if (block.type == "variable" && block.labels.size() == 1) variables->emplace_back(block.labels[0].text);
    if (block.type != "locals") continue;
    for (const Attribute& attribute : block.body->attributes) locals->emplace_back(attribute.name);
  }
}

}  // namespace

ReplSession::ReplSession(ReplOptions options) : options_(std::move(options)) {}
ReplSession::~ReplSession() = default;

CompileOptions ReplSession::LimitedOptions() const {
  CompileOptions compile = options_.compile;
  if (options_.timeout.count() > 0) {
    compile.limits.interrupt.deadline = std::chrono::steady_clock::now() + options_.timeout;
  }
  return compile;
}

ReplAnswer ReplSession::Fail(std::string_view message, int status) const {
  ReplAnswer answer;
  answer.error = absl::StrCat(ToAbsl(message), "\n");
  answer.status = status;
  return answer;
}

ReplAnswer ReplSession::LoadModule(const std::string& path) {
  bool is_directory = false;
  const CompileOptions compile = LimitedOptions();
  absl::StatusOr<std::vector<ModuleFile>> files = ReadSources(path, compile.limits, &is_directory);
  if (!files.ok()) {
    return Fail(std::string(files.status().message()),
                absl::IsResourceExhausted(files.status()) ? kLimitReached : kInputError);
  }
  ReplAnswer answer;
  Diagnostics diagnostics(compile.limits.max_diagnostics);
  std::shared_ptr<const Program> module = CompileModule(*files, compile, &diagnostics);
  Report(diagnostics, Prepared(), &answer);
  if (module == nullptr) return answer;
  module_ = std::move(module);
  files_ = *std::move(files);
  module_path_ = path;
  variables_.clear();
  locals_.clear();
  for (const ModuleFile& file : files_) AddDeclared(file, compile.limits, &variables_, &locals_);
  return answer;
}

ReplAnswer ReplSession::LoadRequests(const std::string& path) {
  auto requests = std::make_unique<Requests>(path, options_.compile);
  std::string error;
  const int status = requests->Choose(1, &error);
  if (status != kSuccess) return Fail(error, status);
  requests_ = std::move(requests);
  return {};
}

ReplAnswer ReplSession::Request(std::string_view number) {
  if (requests_ == nullptr) return Fail("there is no file of requests; :load FILE.ndjson takes one", kUsageError);
  ReplAnswer answer;
  uint64_t line = 0;
  if (!number.empty()) {
    if (!absl::SimpleAtoi(ToAbsl(number), &line) || line == 0) return Fail(":request N, from 1", kUsageError);
    std::string error;
    const int status = requests_->Choose(line, &error);
    if (status != kSuccess) return Fail(error, status);
  }
  answer.out = absl::StrCat("request ", requests_->line(), " of ", requests_->path(), "\n");
  return answer;
}

std::vector<ModuleFile> ReplSession::FilesWith(std::shared_ptr<const Source> source) const {
  std::vector<ModuleFile> files = files_;
  for (const Let& let : lets_) {
    files.push_back({std::make_shared<const Source>(
        absl::StrCat(":let ", let.name), absl::StrCat("locals {\n", let.name, " = (", let.text, "\n)\n}\n"))});
  }
  files.push_back({std::move(source)});
  return files;
}

// The text is parsed by itself first: in parentheses, as it stands in the program, it could close these. They take line
// ends, as a comment at the end of the text needs one behind it.
bool ReplSession::Prepare(std::string_view text, bool is_recording, Prepared* prepared, ReplAnswer* answer) {
  CompileOptions compile = LimitedOptions();
  if (is_recording) compile = internal::RecordingOptions(compile);
  Diagnostics diagnostics(compile.limits.max_diagnostics);
  const bool is_entry = module_ != nullptr && module_->FindEntry(text) != nullptr;
  if (is_entry) {
    prepared->program =
        is_recording ? CompileModule(FilesWith(std::make_shared<const Source>("input", "")), compile, &diagnostics)
                     : module_;
    if (prepared->program != nullptr) prepared->entry = prepared->program->FindEntry(text);
    Report(diagnostics, *prepared, answer);
    return prepared->program != nullptr;
  }
  // The last line of a heredoc has a line end.
  const bool may_have_heredoc = text.find("<<") != std::string_view::npos;
  prepared->text = std::make_shared<const Source>("input", absl::StrCat(ToAbsl(text), may_have_heredoc ? "\n" : ""));
  ParseOptions parse;
  parse.limits = compile.limits;
  parse.strip_one_line = compile.dialect == Dialect::kHashiCorp;
  ParseExpression(*prepared->text, parse, &diagnostics);
  if (diagnostics.has_errors()) {
    Report(diagnostics, *prepared, answer);
    return false;
  }
  const std::string name = FreeName(module_.get());
  const std::string before = absl::StrCat(name, " = (");
  const auto source = std::make_shared<const Source>("input", absl::StrCat(before, ToAbsl(text), "\n)\n"));
  prepared->placed = source.get();
  prepared->shift = static_cast<uint32_t>(before.size());
  prepared->program = module_ != nullptr ? CompileModule(FilesWith(source), compile, &diagnostics)
                                         : CompileConfig(source, compile, &diagnostics);
  if (prepared->program != nullptr) prepared->entry = prepared->program->FindEntry(name);
  Report(diagnostics, *prepared, answer);
  return prepared->program != nullptr;
}

void ReplSession::Report(const Diagnostics& diagnostics, const Prepared& prepared, ReplAnswer* answer) const {
  if (diagnostics.empty()) return;
  TextOptions form;
  form.color = options_.has_color;
  const Source* const own = prepared.program != nullptr ? &prepared.program->source() : prepared.text.get();
  for (Diagnostic diagnostic : diagnostics.kept()) {
    if (diagnostic.source == nullptr && module_ == nullptr) diagnostic.source = prepared.placed;
    if (diagnostic.source != nullptr && diagnostic.source == prepared.placed) {
      const auto size = static_cast<uint32_t>(prepared.text->text().size());
      for (std::optional<SourceRange>* range : {&diagnostic.subject, &diagnostic.context}) {
        if (!*range) continue;
        const auto moved = [&](uint32_t at) { return std::min(std::max(at, prepared.shift) - prepared.shift, size); };
        **range = {moved((*range)->begin), moved((*range)->end)};
      }
      diagnostic.source = prepared.text.get();
    }
    absl::StrAppend(&answer->error, answer->error.empty() ? "" : "\n", ToText(diagnostic, own, form));
  }
  answer->status = std::max(answer->status, StatusOf(diagnostics));
}

Value ReplSession::Scope(Heap* heap) const {
  std::vector<KeyValue> pairs;
  if (requests_ != nullptr) {
    const Value& request = requests_->scope();
    if (module_ != nullptr || lets_.empty()) return request;
    for (uint32_t i = 0; i < request.shape().size; ++i) pairs.push_back({request.shape().keys[i], request.values()[i]});
  }
  if (module_ == nullptr) {
    for (const Let& let : lets_) pairs.push_back({Value::String(let.name, heap->arena()), let.value});
  }
  return MakeObject(pairs, heap->arena());
}

std::unique_ptr<ReplSession::Ran> ReplSession::Run(std::string_view text, ReplAnswer* answer) {
  Prepared prepared;
  if (!Prepare(text, false, &prepared, answer)) return nullptr;
  auto ran = std::make_unique<Ran>(std::move(prepared), LimitedOptions());
  ran->scope = Scope(&ran->heap);
  ran->evaluator.BindAll(ran->scope);
  ran->evaluation = &ran->evaluator.Run(*ran->prepared.entry);
  Report(ran->evaluation->warnings(), ran->prepared, answer);
  if (ran->evaluation->ok()) return ran;
  Report(ran->evaluation->diagnostics(), ran->prepared, answer);
  return nullptr;
}

bool ReplSession::ValueText(Ran* ran, std::string* out, ReplAnswer* answer) const {
  std::vector<std::string> erased;
  const Value& given = ran->evaluation->marked_value();
  const Value value =
      options_.show_sensitive ? given : HideSensitive(given, SensitiveForm::kText, ran->evaluator.heap(), &erased);
  JsonError error;
  if (AppendJson(value, LimitedOptions().limits, out, &error)) return true;
  const Prepared& prepared = ran->prepared;
  Report(WritingFailed(error, *prepared.program, prepared.entry->chunk), prepared, answer);
  return false;
}

ReplAnswer ReplSession::Evaluate(std::string_view text) {
  ReplAnswer answer;
  const std::unique_ptr<Ran> ran = Run(text, &answer);
  std::string out;
  if (ran != nullptr && ValueText(ran.get(), &out, &answer)) answer.out = absl::StrCat(out, "\n");
  return answer;
}

}  // namespace hcl::cmd
