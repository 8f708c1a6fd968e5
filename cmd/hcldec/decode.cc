// hcldec: from options to output. Tested by tests/hcldec_test.sh and by tests/specsuite.
//
// The output and the exit status are those of the reference's program, and so are the places of diagnostics; their
// words are our own. So cases in the shape of its test suite run with this program as well.

#include "hclvm/cmd/hcldec/decode.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hcldec/decode_input.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/terminal.h"
#include "hclvm/cmd/hclvm/version.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/merged_body.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::cmd {

namespace {

constexpr int kDiagnosed = 2;

int Fail(std::string_view message) {
  const std::string line = absl::StrCat("Error: ", internal::PrintableLines(message), "\n\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kInputError;
}

// Owns all that a run reads, as programs, values and messages point into it, until the output is written.
class DecodeRun {
 public:
  DecodeRun(const DecodeOptions& options, const std::vector<std::string_view>& files)
      : options_(options), paths_(files) {}

  // Mistakes are told as many at a time as possible: the spec comes first, as nothing can be checked without it, then
  // all files and variables together, then what does not fit or cannot be evaluated. The first stage with errors is the
  // last one.
  int Run() {
    if (!ReadSpec()) return Diagnosed();
    ReadInputs();
    if (diagnostics_.has_errors()) return Diagnosed();
    std::vector<BodyViewPtr> bodies;
    SourceList sources;
    for (const std::unique_ptr<InputFile>& file : inputs_) {
      bodies.push_back(file->body);
      sources.push_back(file->source);
    }
    const BodyViewPtr body = MergeBodies(std::move(bodies));
    DecoderOptions decoder;
    decoder.expand_dynamic_blocks = options_.dynamic_blocks;
    if (options_.var_refs) {
      Print();
      return Write(ReferencesDocument(DecoderVariables(*spec_->spec, *body, decoder), variables_));
    }
    decoder.compile.dialect = options_.dialect;
    decoder.compile.functions = spec_->functions;
    // As in the reference, strings are templates where there is something to refer to.
    const bool has_names = !variables_.empty() || spec_->functions != nullptr || !options_.scopes.empty();
    decoder.json = has_names ? EvaluationMode::kFull : EvaluationMode::kLiteral;
    Diagnostics mismatches;
    const auto program = CompileDecoder(*spec_->spec, *body, sources, decoder, &mismatches);
    // The program reports the errors itself, together with those of its evaluation.
    for (const Diagnostic& diagnostic : mismatches.kept()) {
      if (program == nullptr || diagnostic.severity == Severity::kWarning) diagnostics_.Add(diagnostic);
    }
    if (program == nullptr) return Diagnosed();
    return options_.scopes.empty() ? DecodeOnce(program) : DecodeScopes(program);
  }

 private:
  // Without a spec there is nothing to check, so the run ends here; the source is kept for the messages.
  bool ReadSpec() {
    std::string text, error;
    const int status = ReadFile(options_.spec, Limits().max_source_bytes, &text, &error);
    if (status != kSuccess) {
      Diagnostic diagnostic(status == kLimitReached ? DiagnosticCode::kFileTooLarge : DiagnosticCode::kUnreadableFile);
      diagnostic.detail = absl::StrCat("The spec file could not be read: ", error, ".");
      diagnostics_.Add(std::move(diagnostic));
      return false;
    }
    spec_source_ = std::make_shared<const Source>(options_.spec, std::move(text));
    spec_ = ReadSpecFile(spec_source_, {}, &diagnostics_);
    return spec_ != nullptr;
  }

  // Variables come after those of the spec file, over which they win. All files are read before anybody looks at the
  // errors.
  void ReadInputs() {
    variables_ = spec_->variables;
    for (size_t n = 0; n < options_.vars.size(); ++n) {
      ReadVariables(options_.vars[n], n, &heap_, &variables_, &variable_files_, &diagnostics_);
    }
    if (paths_.empty()) inputs_.push_back(ReadInput("-", options_.dialect, &diagnostics_));
    for (std::string_view path : paths_) inputs_.push_back(ReadInput(path, options_.dialect, &diagnostics_));
  }

  // A later variable of a name wins, as it is bound last: so --vars overrides what the spec file has.
  int DecodeOnce(const std::shared_ptr<const Program>& program) {
    Evaluator evaluator(program);
    for (const auto& [name, value] : variables_) evaluator.Bind(name, value);
    const Evaluation& evaluation = evaluator.Run();
    if (!evaluation.ok()) {
      AddWithSource(evaluation.diagnostics(), &program->source());
      return Diagnosed();
    }
    Print();
    std::string out, reason;
    if (!AppendDecoded(evaluation.value(), options_.format, evaluator.heap(), &out, &reason)) {
      return Fail(absl::StrCat("the result cannot be written as JSON: ", reason));
    }
    return Write(out);
  }

  // Scopes hide the variables of the command line, name by name. From here on, exit statuses are those of `hclvm run`.
  int DecodeScopes(const std::shared_ptr<const Program>& program) {
    Print();
    RunOptions run = options_.run;
    run.variables = variables_;
    run.json_diagnostics = options_.json_diagnostics;
    run.name = options_.scopes == "-" ? "<stdin>" : options_.scopes;
    std::FILE* const input = options_.scopes == "-" ? stdin : std::fopen(options_.scopes.c_str(), "rb");
    if (input == nullptr) return Fail(absl::StrCat("cannot read ", options_.scopes, ": ", std::strerror(errno)));
    std::string error;
    const int status = RunScopes(program, run, input, stdout, &error);
    if (input != stdin) std::fclose(input);
    return error.empty() ? status : Fail(error);
  }

  // A message about the program's own source does not name it. Here messages about several files are printed together.
  void AddWithSource(const Diagnostics& diagnostics, const Source* source) {
    for (Diagnostic diagnostic : diagnostics.kept()) {
      if (diagnostic.source == nullptr) diagnostic.source = source;
      diagnostics_.Add(std::move(diagnostic));
    }
  }

  int Diagnosed() const {
    Print();
    return kDiagnosed;
  }

  // All messages, in one document; nothing when there are none. Each names its source, so none is given. Colors are for
  // terminals: in a file they would be noise.
  void Print() const {
    std::string out;
    if (options_.json_diagnostics) {
      out = DiagnosticsDocument(diagnostics_);
    } else {
      TextOptions text;
      text.color = UsesColor(STDERR_FILENO);
      out = ToText(diagnostics_, nullptr, text);
    }
    std::fwrite(out.data(), 1, out.size(), stderr);
  }

  // Closing a file is what writes the last of it, so a failure there counts, as on a full disk.
  int Write(const std::string& text) const {
    std::FILE* const file = options_.out.empty() ? stdout : std::fopen(options_.out.c_str(), "wb");
    if (file == nullptr) {
      return Fail(absl::StrCat("cannot open ", options_.out, " for writing: ", std::strerror(errno)));
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file == stdout ? std::fflush(file) == 0 : std::fclose(file) == 0;
    return written && closed ? kSuccess : Fail(absl::StrCat("cannot write the result: ", std::strerror(errno)));
  }

  const DecodeOptions& options_;
  const std::vector<std::string_view>& paths_;
  Diagnostics diagnostics_;
  std::shared_ptr<const Source> spec_source_;
  std::unique_ptr<SpecFile> spec_;
  Heap heap_;  // of variables
  Variables variables_;
  std::vector<std::unique_ptr<InputFile>> variable_files_;
  std::vector<std::unique_ptr<InputFile>> inputs_;
};

}  // namespace

// The reference's options under its names, so that scripts can use either program.
void AddDecodeOptions(DecodeOptions* options, CommandSyntax* syntax) {
  const std::vector<OptionSetter> added = {
      {"--spec", [options](std::string_view v) { return options->spec = std::string(v), ""; }},
      {"--vars", [options](std::string_view v) { return options->vars.emplace_back(v), ""; }},
      {"--out", [options](std::string_view v) { return options->out = std::string(v), ""; }},
      {"--var-refs", [options](std::string_view) { return options->var_refs = true, ""; }},
      {"--keep-nulls", [options](std::string_view) { return options->format.keep_nulls = true, ""; }},
      {"--version", [options](std::string_view) { return options->version = true, ""; }},
  };
  syntax->setters.insert(syntax->setters.end(), added.begin(), added.end());
}

// The version is asked for without a spec.
int Decode(const DecodeOptions& options, const std::vector<std::string_view>& files) {
  if (options.version) {
    std::puts(kVersion);
    return kSuccess;
  }
  if (options.spec.empty()) return Fail("the --spec=... argument is required");
  return DecodeRun(options, files).Run();
}

}  // namespace hcl::cmd
