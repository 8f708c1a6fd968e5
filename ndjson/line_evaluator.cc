// LineEvaluator. Tested by ndjson/ndjson_test.cc.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::vector<uint32_t> ChunksOf(const Program& program, const std::vector<const Entry*>& entries) {
  std::vector<uint32_t> chunks;
  chunks.reserve(entries.size() + 1);
  for (const Entry* entry : entries) chunks.push_back(entry->chunk);
  if (chunks.empty()) chunks.push_back(program.main_chunk());
  return chunks;
}

// A column of a line of text: nothing in it ends the column or the line, and terminals take nothing in it for a
// command.
void AppendColumn(std::string_view text, std::string* out) {
  for (size_t at = 0; at < text.size();) {
    const internal::CodePoint code_point = internal::DecodeUtf8(text, at);
    const char32_t c = code_point.value;
    if (c == '\\') {
      out->append("\\\\");
    } else if (c == '\t') {
      out->append("\\t");
    } else if (c == '\n') {
      out->append("\\n");
    } else if (c == '\r') {
      out->append("\\r");
    } else if (!internal::IsTerminalControl(c)) {
      out->append(text.substr(at, code_point.bytes));
    } else if (c <= 0x7F) {
      absl::StrAppend(out, "\\x", absl::Hex(static_cast<uint32_t>(c), absl::kZeroPad2));
    } else {
      absl::StrAppend(out, "\\u", absl::Hex(static_cast<uint32_t>(c), absl::kZeroPad4));
    }
    at += code_point.bytes;
  }
}

// The first of them, with how many more there are.
void AppendErrorText(const Diagnostics& diagnostics, std::string* out) {
  const absl::Span<const Diagnostic> kept = diagnostics.kept();
  if (kept.empty()) return out->append("error"), void();
  absl::StrAppend(out, "error[", CodeText(kept[0].code), "]: ");
  AppendColumn(absl::StrCat(kept[0].summary, kept[0].detail.empty() ? "" : ": ", kept[0].detail), out);
  if (kept.size() > 1) absl::StrAppend(out, " (and ", kept.size() - 1, " more)");
}

// As elements of a JSON array; `entry`, as JSON, is a property of each unless it is empty.
void AppendDiagnostics(const Diagnostics& diagnostics, const Source* source, std::string_view entry, std::string* out) {
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!out->empty()) out->push_back(',');
    const std::string json = ToJson(diagnostic, source);
    if (entry.empty()) {
      out->append(json);
    } else {
      absl::StrAppend(out, "{\"entry\":", internal::ToAbsl(entry), ",", absl::string_view(json).substr(1));
    }
  }
}

// What is wrong with a run, and what probably is.
Diagnostics WithWarnings(const Evaluation& evaluation) {
  Diagnostics all = evaluation.diagnostics();
  for (const Diagnostic& warning : evaluation.warnings().kept()) all.Add(warning);
  return all;
}

}  // namespace

// A value may have no JSON form, as an unknown one has none. That is an error of the input; typed JSON can hold such
// values.
Diagnostics WritingFailed(const JsonError& error, const Program& program, uint32_t chunk) {
  Diagnostics diagnostics;
  Diagnostic diagnostic(error.code);
  internal::LocateResult(program, chunk, error.path, &diagnostic);
  diagnostic.detail = error.is_limit ? error.detail
                                     : absl::StrCat("The result cannot be written as JSON: ", error.detail,
                                                    ". Try typed JSON (--typed).");
  diagnostics.Add(std::move(diagnostic));
  return diagnostics;
}

LineEvaluator::LineEvaluator(std::shared_ptr<const Program> program, const NdjsonOptions& options)
    : options_(options),
      limits_(options.limits),
      evaluator_(program, options.limits),
      chunks_(ChunksOf(evaluator_.program(), options.entries)),
      heap_(nullptr, program->dialect(), options.limits),
      reads_(std::move(program), chunks_),
      scope_(reads_, options.base.get()) {
  if (options.entries.size() > 1) {
    for (const Entry* entry : options.entries) AppendJsonString(entry->path, &entry_names_.emplace_back());
  }
  evaluator_.set_check_all(options.check_all);
  evaluator_.set_unknown_input(options.unknown_input);
  evaluator_.BindBase(options.base);
  for (const auto& [name, value] : options.variables) {
    if (const std::optional<uint32_t> slot = evaluator_.program().FindSlot(name)) defaults_.emplace_back(*slot, value);
  }
}

// What the line has made is given back before anything is reported. The evaluator sees to itself.
void LineEvaluator::Evaluate(std::string_view line, uint64_t number, std::string* out) {
  const size_t begin = out->size();
  ++counts_.lines;
  const bool done = internal::WithMemory([&] { return EvaluateLine(line, number, out), true; }, [] { return false; });
  if (done) return;
  heap_.Release();
  out->resize(begin);
  ReportOutOfMemory(number, out);
}

void LineEvaluator::Refuse(uint64_t number, std::string* out) {
  ++counts_.lines;
  ReportOutOfMemory(number, out);
}

void LineEvaluator::ReportOutOfMemory(uint64_t number, std::string* out) {
  Diagnostics diagnostics;
  internal::ReportOutOfMemory(&diagnostics);
  Report(diagnostics, nullptr, number, out);
}

// Every line gives one line of output, whatever is wrong with it, so that a reader can match the two. A result without
// a JSON form is found while it is written; what was written of it is taken back.
void LineEvaluator::EvaluateLine(std::string_view line, uint64_t number, std::string* out) {
  if (options_.timeout.count() != 0) {
    limits_.interrupt.deadline = std::chrono::steady_clock::now() + options_.timeout;
    heap_.set_interrupt(limits_.interrupt);
    evaluator_.set_interrupt(limits_.interrupt);
  }
  Value scope;
  JsonError error;
  if (line.size() > options_.limits.max_source_bytes) {
    error = JsonError(DiagnosticCode::kLineTooLong,
                      absl::StrCat("A line must not be longer than ", options_.limits.max_source_bytes,
                                   " bytes (limit max_source_bytes)."));
    return ReportScope(line.substr(0, 1), number, error, out);
  }
  // What is not needed is left out at first. A run that fails is done again over all of the line, since messages name
  // what else there is; unless there is no time.
  if (ReadPart(line) && AnswerAny(number, /*is_last=*/false, out)) return;
  if (!ReadWhole(line, &scope, &error)) return ReportScope(line, number, error, out);
  AnswerAny(number, /*is_last=*/true, out);
}

bool LineEvaluator::AnswerAny(uint64_t number, bool is_last, std::string* out) {
  return chunks_.size() == 1 ? Answer(number, is_last, out) : AnswerEach(number, is_last, out);
}

// The answer of the only chunk; false, and nothing, where it has failed and it is worthwhile to try again.
bool LineEvaluator::Answer(uint64_t number, bool is_last, std::string* out) {
  const Evaluation& evaluation = evaluator_.RunChunk(chunks_[0]);
  if (!evaluation.ok()) {
    if (!is_last && !limits_.interrupt.Reached()) return false;
    Report(WithWarnings(evaluation), &evaluator_.program().source(), number, out);
    counts_.warnings += evaluation.warnings().empty() ? 0 : 1;
    return true;
  }
  const size_t begin = out->size();
  if (!options_.typed && !options_.text) out->append("{\"value\":");
  JsonError error;
  erased_.clear();
  if (AppendValue(evaluation.marked_value(), "", out, &error)) {
    failures_.clear();
    warnings_.clear();
    AppendWarnings(evaluation, number, /*entry=*/nullptr, "", &warnings_);
    counts_.warnings += warnings_.empty() ? 0 : 1;
    if (options_.typed) out->pop_back();  // the brace that ends {"type": T, "value": V}
    if (!options_.text) EndAnswer(out);
    out->append("\n");
    return true;
  }
  out->resize(begin);
  Report(WritingFailed(error, evaluator_.program(), chunks_[0]), &evaluator_.program().source(), number, out);
  return true;
}

// What stands behind the values of a line.
void LineEvaluator::EndAnswer(std::string* out) const {
  if (!erased_.empty()) absl::StrAppend(out, ",\"erased\":[", erased_, "]");
  if (!failures_.empty()) absl::StrAppend(out, ",\"diagnostics\":[", failures_, "]");
  if (!warnings_.empty()) absl::StrAppend(out, ",\"warnings\":[", warnings_, "]");
  out->push_back('}');
}

// The same for several entries, each of which may fail. A result is written before the next chunk runs, which takes its
// place.
bool LineEvaluator::AnswerEach(uint64_t number, bool is_last, std::string* out) {
  const size_t begin = out->size();
  failures_.clear();
  warnings_.clear();
  erased_.clear();
  bool failed = false;
  bool first = true;
  if (!options_.text) out->append("{\"values\":{");
  for (size_t n = 0; n < chunks_.size(); ++n) {
    const Evaluation& evaluation = n == 0 ? evaluator_.RunChunk(chunks_[n]) : evaluator_.RunAnother(chunks_[n]);
    const size_t before = out->size();
    const size_t erased_before = erased_.size();
    if (options_.text) {
      if (n > 0) out->push_back('\t');
    } else {
      absl::StrAppend(out, first ? "" : ",", entry_names_[n], ":");
    }
    JsonError error;
    AppendWarnings(evaluation, number, options_.entries[n], entry_names_[n], &warnings_);
    if (evaluation.ok() && AppendValue(evaluation.marked_value(), options_.entries[n]->path, out, &error)) {
      first = false;
      continue;
    }
    erased_.resize(erased_before);
    if (!is_last && !limits_.interrupt.Reached()) {
      out->resize(begin);
      return false;
    }
    failed = true;
    const Diagnostics unwritten =
        evaluation.ok() ? WritingFailed(error, evaluator_.program(), chunks_[n]) : Diagnostics();
    const Diagnostics& diagnostics = evaluation.ok() ? unwritten : evaluation.diagnostics();
    const Source* const source = &evaluator_.program().source();
    counts_.limit |= diagnostics.has_limit();
    if (options_.text) {
      out->resize(before + (n > 0 ? 1 : 0));
      AppendErrorText(diagnostics, out);
    } else {
      out->resize(before);
      AppendDiagnostics(diagnostics, source, entry_names_[n], &failures_);
    }
    Describe(diagnostics, source, number, options_.entries[n]);
  }
  counts_.errors += failed ? 1 : 0;
  counts_.warnings += warnings_.empty() ? 0 : 1;
  if (!options_.text) {
    out->push_back('}');
    EndAnswer(out);
  }
  out->append("\n");
  return true;
}

// Warnings of a run whose result is answered, or of an entry; people are told of them as well.
void LineEvaluator::AppendWarnings(const Evaluation& evaluation, uint64_t number, const Entry* entry,
                                   std::string_view name, std::string* out) {
  if (evaluation.warnings().empty()) return;
  const Source* const source = &evaluator_.program().source();
  AppendDiagnostics(evaluation.warnings(), source, name, out);
  Describe(evaluation.warnings(), source, number, entry);
}

// In the form that is asked for; false, and anything, where there is none. Adds what is left out of it to erased_;
// `entry` is empty where the line has one value.
bool LineEvaluator::AppendValue(const Value& given, std::string_view entry, std::string* out, JsonError* error) {
  Value value = given.unmarked();
  if (given.has_marks() && !options_.show_sensitive) {
    places_.clear();
    const SensitiveForm form = options_.text ? SensitiveForm::kText : SensitiveForm::kNull;
    value = HideSensitive(given, form, evaluator_.heap(), &places_);
    std::string prefix;
    if (chunks_.size() > 1) AppendPointerStep(entry, &prefix);
    for (const std::string& place : places_) {
      if (!erased_.empty()) erased_.push_back(',');
      AppendJsonString(prefix + place, &erased_);
    }
  }
  if (options_.typed) return AppendTypedJson(value, limits_, evaluator_.heap()->types(), out, error);
  if (!options_.text) return AppendJson(value, limits_, out, error);
  if (value.is_null()) return out->append("\\N"), true;
  if (value.is_string()) return AppendColumn(value.AsString(), out), true;
  std::string json;
  if (!AppendJson(value, limits_, &json, error)) return false;
  AppendColumn(json, out);
  return true;
}

// What is needed of a scope, in the heap, which is reset first and keeps its memory. False where all of it has to be
// read.
bool LineEvaluator::ReadPart(std::string_view line) {
  if (options_.check_all || options_.unknown_input == UnknownInput::kError) return false;
  heap_.Reset();
  if (!scope_.Read(line, &heap_)) return false;
  if (options_.unknown_input == UnknownInput::kNear && scope_.MayBeMisspelled()) return false;
  evaluator_.BindAll(scope_);
  for (const auto& [slot, value] : defaults_) {
    if (!scope_.Gives(slot)) evaluator_.Bind(slot, value);
  }
  return true;
}

bool LineEvaluator::ReadWhole(std::string_view line, Value* scope, JsonError* error) {
  heap_.Reset();
  if (!reader_.Read(line, &heap_, scope, error)) return false;
  if (!scope->is_object()) {
    *error = JsonError(DiagnosticCode::kInvalidScope, "Each line must be a JSON object: variable name to value.");
    return false;
  }
  evaluator_.BindAll(*scope);
  for (const auto& [slot, value] : defaults_) {
    if (scope->shape().Find(evaluator_.program().variables()[slot]) < 0) evaluator_.Bind(slot, value);
  }
  return true;
}

// The line becomes a source with its number as that of the first line, so that messages point into the file of scopes.
void LineEvaluator::ReportScope(std::string_view line, uint64_t number, const JsonError& error, std::string* out) {
  Diagnostics diagnostics;
  const uint32_t at = static_cast<uint32_t>(error.offset < line.size() ? error.offset : line.size());
  Diagnostic diagnostic(error.code);
  const internal::ModuleTables* const module = internal::TablesOf(evaluator_.program()).module();
  const bool may_quote =
      module == nullptr || !module->has_sensitive || error.code != DiagnosticCode::kDuplicateProperty;
  diagnostic.detail = may_quote ? error.detail : "A property is given twice in one object.";
  diagnostic.subject = SourceRange{at, at < line.size() ? at + 1 : at};
  diagnostics.Add(std::move(diagnostic));
  const Source source(options_.name, std::string(line), static_cast<uint32_t>(number));
  Report(diagnostics, &source, number, out);
}

// All diagnostics go to the output, as JSON.
void LineEvaluator::Report(const Diagnostics& diagnostics, const Source* source, uint64_t number, std::string* out) {
  ++counts_.errors;
  counts_.limit |= diagnostics.has_limit();
  if (options_.text) {
    for (size_t n = 0; n < chunks_.size(); ++n) {
      if (n > 0) out->push_back('\t');
      AppendErrorText(diagnostics, out);
    }
    out->push_back('\n');
  } else {
    failures_.clear();
    AppendDiagnostics(diagnostics, source, "", &failures_);
    absl::StrAppend(out, "{\"diagnostics\":[", failures_, "]}\n");
  }
  Describe(diagnostics, source, number, nullptr);
}

// What is described is for people, of whom nobody reads a million of them, so that is done for the first lines only.
void LineEvaluator::Describe(const Diagnostics& diagnostics, const Source* source, uint64_t number,
                             const Entry* entry) {
  if (!options_.describe || reported_ >= options_.max_reports) return;
  ++reported_;
  absl::StrAppend(&reports_,
                  options_.describe({number, entry, diagnostics, source, reported_ == options_.max_reports}));
}

std::string LineEvaluator::TakeReports() {
  std::string reports;
  reports.swap(reports_);
  return reports;
}

}  // namespace hcl
