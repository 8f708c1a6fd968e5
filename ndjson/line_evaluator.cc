// LineEvaluator. Tested by ndjson/ndjson_test.cc.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/source.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// A value may have no JSON form, as an unknown one has none. That is an error of the input; typed JSON can hold such
// values.
Diagnostics WritingFailed(const JsonError& error) {
  Diagnostics diagnostics;
  Diagnostic diagnostic(error.code);
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
      chunk_(options.entry != nullptr ? options.entry->chunk : evaluator_.program().main_chunk()),
      heap_(nullptr, program->dialect(), options.limits),
      reads_(std::move(program), chunk_) {
  evaluator_.set_check_all(options.check_all);
  evaluator_.BindBase(options.base);
  if (options.check_all) {
    needed_.NeedAll();
  } else {
    needed_.Add(reads_.needed());
    // That a line gives what the base gives is to be seen.
    if (options.base != nullptr) options.base->AddNames(&needed_);
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
  const Evaluation* evaluation = nullptr;
  bool is_whole = needed_.needs_all();
  for (;; is_whole = true) {
    if (!Read(line, is_whole, &scope, &error)) return ReportScope(line, number, error, out);
    is_whole ? evaluator_.BindAll(scope) : evaluator_.BindAll(scope, reads_);
    for (const auto& [name, value] : options_.variables) {
      if (scope.shape().Find(name) < 0) evaluator_.Bind(name, value);
    }
    evaluation = &evaluator_.RunChunk(chunk_);
    if (evaluation->ok() || is_whole || limits_.interrupt.Reached()) break;
  }
  if (!evaluation->ok()) return Report(evaluation->diagnostics(), &evaluator_.program().source(), number, out);
  const size_t begin = out->size();
  if (options_.typed) {
    if (AppendTypedJson(evaluation->value(), limits_, evaluator_.heap()->types(), out, &error)) {
      out->push_back('\n');
      return;
    }
  } else {
    out->append("{\"value\":");
    if (AppendJson(evaluation->value(), limits_, out, &error)) {
      out->append("}\n");
      return;
    }
  }
  out->resize(begin);
  Report(WritingFailed(error), nullptr, number, out);
}

// A scope, in the heap, which is reset first and keeps its memory.
bool LineEvaluator::Read(std::string_view line, bool is_whole, Value* scope, JsonError* error) {
  heap_.Reset();
  const bool done =
      is_whole ? reader_.Read(line, &heap_, scope, error) : reader_.Read(line, needed_, &heap_, scope, error);
  if (!done || scope->is_object()) return done;
  *error = JsonError(DiagnosticCode::kInvalidScope, "Each line must be a JSON object: variable name to value.");
  return false;
}

// The line becomes a source with its number as that of the first line, so that messages point into the file of scopes.
void LineEvaluator::ReportScope(std::string_view line, uint64_t number, const JsonError& error, std::string* out) {
  Diagnostics diagnostics;
  const uint32_t at = static_cast<uint32_t>(error.offset < line.size() ? error.offset : line.size());
  Diagnostic diagnostic(error.code);
  diagnostic.detail = error.detail;
  diagnostic.subject = SourceRange{at, at < line.size() ? at + 1 : at};
  diagnostics.Add(std::move(diagnostic));
  const Source source(options_.name, std::string(line), static_cast<uint32_t>(number));
  Report(diagnostics, &source, number, out);
}

// All diagnostics go to the output, as JSON. What is described is for people, of whom nobody reads a million of them,
// so that is done for the first lines only.
void LineEvaluator::Report(const Diagnostics& diagnostics, const Source* source, uint64_t number, std::string* out) {
  ++counts_.errors;
  counts_.limit |= diagnostics.has_limit();
  out->append("{\"diagnostics\":[");
  bool first = true;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!first) out->push_back(',');
    first = false;
    out->append(ToJson(diagnostic, source));
  }
  out->append("]}\n");
  if (!options_.describe || reported_ >= options_.max_reports) return;
  ++reported_;
  absl::StrAppend(&reports_, options_.describe({number, diagnostics, source, reported_ == options_.max_reports}));
}

std::string LineEvaluator::TakeReports() {
  std::string reports;
  reports.swap(reports_);
  return reports;
}

}  // namespace hcl
