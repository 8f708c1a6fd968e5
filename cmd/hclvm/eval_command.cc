// hclvm eval: one evaluation. Tested by tests/cli_test.sh.

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {

using internal::IsIdentifier;
namespace {

constexpr std::string_view kName = "eval";

struct EvalOptions {
  CommonOptions common;
  std::optional<std::string> expression;
  std::optional<std::string> vars_file;
  std::vector<std::pair<std::string, std::string>> vars;
  std::optional<std::string> entry;
  bool typed = false;
  bool check_all = false;
  bool show_sensitive = false;
  UnknownInput unknown_input = UnknownInput::kNear;
};

// The variables of --var are kept as texts: they are evaluated after all options are known, since the dialect and the
// limits count for them, too.
CommandSyntax Syntax(EvalOptions* options) {
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--expression", [options](std::string_view v) { return options->expression = std::string(v), ""; }},
      {"--vars", [options](std::string_view v) { return options->vars_file = std::string(v), ""; }},
      {"--var",
       [options](std::string_view v) -> std::string {
         const size_t equals = v.find('=');
         if (equals == std::string_view::npos || !IsIdentifier(v.substr(0, equals))) return "expected NAME=EXPR";
         options->vars.emplace_back(v.substr(0, equals), v.substr(equals + 1));
         return "";
       }},
      {"--entry", [options](std::string_view v) { return options->entry = std::string(v), ""; }},
      {"--typed", [options](std::string_view) { return options->typed = true, ""; }},
  };
  AddCheckAllOption(&options->check_all, &syntax);
  AddUnknownInputOption(&options->unknown_input, &syntax);
  AddShowSensitiveOption(&options->show_sensitive, &syntax);
  AddModuleOption(&options->common, &syntax);
  AddCommonOptions(&options->common, &syntax);
  return syntax;
}

// Variables by name, with the memory they live in.
class Variables {
 public:
  explicit Variables(const CommonOptions& common)
      : common_(common), heap_(nullptr, common.compile.dialect, common.compile.limits) {}

  // Each returns an exit status, after printing what is wrong.
  // The file is JSON and not a config in the JSON syntax: its strings are what they say. Messages point into it by way
  // of a source that is made of it.
  int ReadFrom(const std::string& path) {
    std::string text, error;
    const int status = ReadFile(path, common_.compile.limits.max_source_bytes, &text, &error);
    if (status != kSuccess) return Complain(kName, error, status);
    JsonReader reader;
    JsonError json_error;
    Value value;
    Source source(path, std::move(text));
    Diagnostics diagnostics;
    if (!reader.Read(source.text(), &heap_, &value, &json_error)) {
      const uint32_t at = static_cast<uint32_t>(json_error.offset);
      Diagnostic diagnostic(json_error.code);
      diagnostic.detail = json_error.detail;
      diagnostic.subject = SourceRange{at, at + 1};
      diagnostics.Add(std::move(diagnostic));
    } else if (!value.is_object()) {
      diagnostics.AddError({0, 1}, DiagnosticCode::kInvalidVariables,
                           "A JSON object is expected: variable name to value.");
    }
    if (!diagnostics.empty()) {
      PrintDiagnostics(diagnostics, &source, common_);
      return StatusOf(diagnostics);
    }
    for (uint32_t i = 0; i < value.shape().size; ++i) {
      Set(std::string(value.shape().keys[i].AsString()), value.values()[i]);
    }
    return kSuccess;
  }

  // Sees the variables that were there before, and no config. The value is cloned, as the evaluator that it lives in is
  // gone afterwards.
  int Define(const std::string& name, const std::string& expression) {
    auto source = std::make_shared<const Source>(absl::StrCat("<variable ", name, ">"), expression);
    Diagnostics diagnostics(common_.compile.limits.max_diagnostics);
    std::shared_ptr<const Program> program = CompileExpression(source, common_.compile, &diagnostics);
    PrintDiagnostics(diagnostics, source.get(), common_);
    if (program == nullptr) {
      HintAtQuotes(name, expression);
      return StatusOf(diagnostics);
    }
    Evaluator evaluator(program, common_.compile.limits);
    Bind(&evaluator);
    const Evaluation& evaluation = evaluator.Run();
    if (!evaluation.ok()) {
      PrintDiagnostics(evaluation.diagnostics(), source.get(), common_);
      HintAtQuotes(name, expression);
      return StatusOf(evaluation.diagnostics());
    }
    Set(name, Clone(evaluation.value(), heap_.arena(), heap_.types()));
    return kSuccess;
  }

  // What has failed was probably meant as a text, and the shell has taken the quotes if there were any.
  void HintAtQuotes(const std::string& name, const std::string& expression) const {
    constexpr char kSyntax[] = "\"${}()[]\n";
    if (common_.json_diagnostics || expression.find_first_of(kSyntax) != std::string::npos) return;
    std::fprintf(stderr, "\nThe value of --var is an expression, in which a text has quotes: --var '%s=\"%s\"'\n",
                 name.c_str(), expression.c_str());
  }

  // The variables' memory lives as long as this.
  void Bind(Evaluator* evaluator) {
    std::vector<KeyValue> pairs;
    for (const auto& [name, value] : values_) pairs.push_back({Value::String(name, heap_.arena()), value});
    evaluator->BindAll(MakeObject(pairs, heap_.arena()));
  }

 private:
  // Names count as they are normalized, as in the text.
  void Set(const std::string& name, const Value& value) { values_.emplace_back(internal::ToNfc(name), value); }

  const CommonOptions& common_;
  Heap heap_;
  std::vector<std::pair<std::string, Value>> values_;  // a later one of the same name wins
};

// For a config that has failed: its module may be what is meant. Returns `status`.
int HintAtModule(std::string_view path, int status, const CommonOptions& common) {
  const std::string hint = status == kInputError ? ModuleHint(kName, path, common) : "";
  return hint.empty() ? status : Complain(kName, hint, status);
}

// Returns an exit status. A typed value stays one of its type, so that nulls take the place of what is sensitive.
int Print(Evaluator* evaluator, uint32_t chunk, const Value& given, const EvalOptions& options) {
  const CommonOptions& common = options.common;
  const bool typed = options.typed;
  std::vector<std::string> erased;
  const SensitiveForm form = typed ? SensitiveForm::kNull : SensitiveForm::kText;
  const Value value = options.show_sensitive ? given : HideSensitive(given, form, evaluator->heap(), &erased);
  std::string out;
  JsonError error;
  const Limits& limits = common.compile.limits;
  const bool written = typed ? AppendTypedJson(value, limits, evaluator->heap()->types(), &out, &error)
                             : AppendJson(value, limits, &out, &error);
  if (!written) {
    const Diagnostics diagnostics = WritingFailed(error, evaluator->program(), chunk);
    PrintDiagnostics(diagnostics, &evaluator->program().source(), common);
    return StatusOf(diagnostics);
  }
  if (typed && !erased.empty()) {
    std::string places;
    for (const std::string& place : erased) {
      places.append(places.empty() ? "" : ",");
      AppendJsonString(place, &places);
    }
    out.pop_back();  // the brace at the end
    absl::StrAppend(&out, ",\"erased\":[", places, "]}");
  }
  out += '\n';
  std::fwrite(out.data(), 1, out.size(), stdout);
  if (!erased.empty() && !common.json_diagnostics) {
    std::fprintf(stderr, "hclvm eval: %s hidden, because %s sensitive (--show-sensitive shows %s)\n",
                 erased.size() == 1 ? "a value is" : absl::StrCat(erased.size(), " values are").c_str(),
                 erased.size() == 1 ? "it is" : "they are", erased.size() == 1 ? "it" : "them");
  }
  return kSuccess;
}

// Says where variables come from, if one is missing and none was given; or that the file is one of a module.
void HintAtMissing(const Diagnostics& diagnostics, std::string_view path, const EvalOptions& options) {
  if (options.common.json_diagnostics) return;
  const std::vector<Diagnostic>& kept = diagnostics.kept();
  const bool is_missing = std::any_of(kept.begin(), kept.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.code == DiagnosticCode::kUnknownVariable || diagnostic.code == DiagnosticCode::kMissingVariable;
  });
  if (!is_missing) return;
  const std::string hint = path.empty() ? std::string() : ModuleHint(kName, path, options.common);
  if (!hint.empty()) {
    std::fprintf(stderr, "\n%s\n", hint.c_str());
  } else if (!options.vars_file && options.vars.empty()) {
    std::fprintf(stderr, "\nNo variables were given: --vars FILE.json or --var 'NAME=EXPR' gives some.\n");
  }
}

}  // namespace

// Contradictions among the arguments are found before anything is evaluated. The variables are declared before the
// evaluator, so they outlive it: it binds values that point into their heap.
int EvalCommand(const std::vector<std::string_view>& arguments) {
  EvalOptions options;
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(Syntax(&options), arguments, &positional, &status)) return status;
  if (ConfigCount(positional, options.common) + (options.expression ? 1 : 0) != 1) {
    return Complain(kName, "give one expression (-e) or one file (see hclvm eval --help)", kUsageError);
  }
  if (options.expression && options.entry) return Complain(kName, "--entry goes with a file", kUsageError);

  Variables variables(options.common);
  if (options.vars_file) status = variables.ReadFrom(*options.vars_file);
  for (const auto& [name, expression] : options.vars) {
    if (status == kSuccess) status = variables.Define(name, expression);
  }
  if (status != kSuccess) return status;

  std::shared_ptr<const Program> program;
  if (options.expression) {
    auto source = std::make_shared<const Source>("<expression>", *options.expression);
    Diagnostics diagnostics(options.common.compile.limits.max_diagnostics);
    program = CompileExpression(source, options.common.compile, &diagnostics);
    PrintDiagnostics(diagnostics, source.get(), options.common);
    status = StatusOf(diagnostics);
  } else {
    const std::string path(OnlyConfig(positional, options.common));
    program = LoadConfig(kName, path, options.common, &status);
    // The usual reason is an expression without its option.
    if (program == nullptr && access(path.c_str(), F_OK) != 0) {
      return Complain(kName, "an expression is given with -e: hclvm eval -e '1 + 2'", status);
    }
  }
  const std::string_view config = options.expression ? "" : OnlyConfig(positional, options.common);
  if (program == nullptr) return HintAtModule(config, status, options.common);
  uint32_t chunk = program->main_chunk();
  if (options.entry) {
    std::string message;
    const Entry* entry = internal::FindEntryOrSuggest(*program, *options.entry, &message);
    if (entry == nullptr) return Complain(kName, message, kUsageError);
    chunk = entry->chunk;
  }
  Evaluator evaluator(program, options.common.compile.limits);
  evaluator.set_check_all(options.check_all);
  evaluator.set_unknown_input(options.unknown_input);
  variables.Bind(&evaluator);
  const Evaluation& evaluation = evaluator.RunChunk(chunk);
  PrintDiagnostics(evaluation.warnings(), &program->source(), options.common);
  if (evaluation.ok()) return Print(&evaluator, chunk, evaluation.marked_value(), options);
  PrintDiagnostics(evaluation.diagnostics(), &program->source(), options.common);
  HintAtMissing(evaluation.diagnostics(), config, options);
  return StatusOf(evaluation.diagnostics());
}

}  // namespace hcl::cmd
