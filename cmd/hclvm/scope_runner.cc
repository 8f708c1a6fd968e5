// ScopeRunner. Tested by cmd/hclvm/scope_runner_test.cc, and with threads by tests/cli_test.sh.
//
// A thread pool with queues would hand each batch from core to core. Here the worker that reads a batch also evaluates
// it, and mostly writes it, too.

#include "hclvm/cmd/hclvm/scope_runner.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/cmd/hclvm/batch_reader.h"
#include "hclvm/cmd/hclvm/command_line.h"

namespace hcl::cmd {
namespace {

constexpr uint64_t kMaxWaiting = 16;  // batches that may be done before one that is not
constexpr uint64_t kMaxReports = 10;  // bad lines that are also explained on stderr, for each thread

// False when it could not be written.
bool Write(std::string_view out, std::FILE* output) {
  return std::fwrite(out.data(), 1, out.size(), output) == out.size() && std::fflush(output) == 0;
}

// When a line was cut, one byte more than the limit is passed on, which is what makes it too long for the evaluator. A
// carriage return before the line end is taken for a part of that, as files from other systems have it.
void EvaluateBatch(const Batch& batch, const RunOptions& options, LineEvaluator* evaluator, std::string* out) {
  std::string_view text = batch.text;
  if (batch.cut_line) {
    evaluator->Evaluate(text.substr(0, options.limits.max_source_bytes + 1), batch.first_line, out);
    return;
  }
  for (uint64_t number = batch.first_line; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    evaluator->Evaluate(line, number, out);
  }
}

// Workers take turns to read a batch, and evaluate it. A batch stays with one worker, and so in the caches of one core.
// Output of a batch before which others are missing is kept for them, so that a worker that was interrupted does not
// hold up the rest.
class Run {
 public:
  Run(std::shared_ptr<const Program> program, const RunOptions& options, BatchReader* reader, std::FILE* output)
      : program_(std::move(program)), options_(options), output_(output), reader_(reader) {}

  // All of it, in this thread and options.threads - 1 more.
  void Work() {
    std::vector<std::thread> others;
    for (uint32_t n = 1; n < options_.threads; ++n) others.emplace_back([this] { WorkAlone(); });
    WorkAlone();
    for (std::thread& other : others) other.join();
  }

  const RunCounts& counts() const { return counts_; }
  bool write_failed() const { return write_failed_; }

 private:
  // Each worker has its own evaluator and its own output, and the program is shared: between two batches, workers have
  // nothing in common but the two locks. Counts are added up once, at the end.
  void WorkAlone() {
    LineEvaluator evaluator(program_, options_);
    Batch batch;
    std::string out;
    while (Read(&batch)) {
      out.clear();
      EvaluateBatch(batch, options_, &evaluator, &out);
      WriteInTurn(batch.sequence, &out, evaluator.TakeReports());
    }
    std::lock_guard<std::mutex> lock(writing_);
    counts_.lines += evaluator.counts().lines;
    counts_.errors += evaluator.counts().errors;
    counts_.limit |= evaluator.counts().limit;
  }

  struct Output {
    std::string out;
    std::string reports;
  };

  // Ends with the input, or when nobody gets the output: the input may have no end.
  bool Read(Batch* batch) {
    std::lock_guard<std::mutex> lock(reading_);
    return !write_failed_ && reader_->Next(batch);
  }

  // Writes the output if its turn has come, with those that waited for it, and leaves it there otherwise. The wait
  // bounds what waits: a worker that is far ahead stops, until the one that everybody waits for has written. That one
  // never waits itself, since its number is the next, so there is no deadlock. Output is swapped and not copied.
  void WriteInTurn(uint64_t sequence, std::string* out, std::string reports) {
    std::unique_lock<std::mutex> lock(writing_);
    turn_.wait(lock, [&] { return sequence - next_to_write_ <= kMaxWaiting; });
    if (sequence != next_to_write_) {
      Output& output = waiting_[sequence];
      output.out.swap(*out);
      output.reports = std::move(reports);
      return;
    }
    WriteNext(*out, reports);
    while (!waiting_.empty() && waiting_.begin()->first == next_to_write_) {
      const Output& next = waiting_.begin()->second;
      WriteNext(next.out, next.reports);
      waiting_.erase(waiting_.begin());
    }
    turn_.notify_all();
  }

  void WriteNext(std::string_view out, std::string_view reports) {
    if (!write_failed_ && !Write(out, output_)) write_failed_ = true;
    Write(reports, stderr);
    ++next_to_write_;
  }

  std::shared_ptr<const Program> program_;
  const RunOptions& options_;
  std::FILE* output_;
  std::mutex reading_;
  BatchReader* reader_;  // under reading_, as long as workers run
  std::mutex writing_;   // for all that follows
  std::condition_variable turn_;
  uint64_t next_to_write_ = 0;
  std::map<uint64_t, Output> waiting_;      // for batches before them
  std::atomic<bool> write_failed_ = false;  // set under writing_
  RunCounts counts_;
};

}  // namespace

LineEvaluator::LineEvaluator(std::shared_ptr<const Program> program, const RunOptions& options)
    : options_(options),
      evaluator_(std::move(program), options.limits),
      heap_(nullptr, evaluator_.program().dialect(), options.limits) {}

// Every line gives one line of output, whatever is wrong with it, so that a reader can match the two. The heap is reset
// before each, which keeps its memory for the next. A result without a JSON form is found while it is written; what was
// written of it is taken back.
void LineEvaluator::Evaluate(std::string_view line, uint64_t number, std::string* out) {
  ++counts_.lines;
  heap_.Reset();
  Value scope;
  JsonError error;
  if (line.size() > options_.limits.max_source_bytes) {
    error.summary = "Line too long";
    error.detail = absl::StrCat("A line must not be longer than ", options_.limits.max_source_bytes,
                                " bytes (limit max_source_bytes).");
    error.is_limit = true;
    return ReportScope(line.substr(0, 1), number, error, out);
  }
  if (!reader_.Read(line, &heap_, &scope, &error)) return ReportScope(line, number, error, out);
  if (!scope.is_object()) {
    error.summary = "Invalid scope";
    error.detail = "Each line must be a JSON object: variable name to value.";
    error.offset = 0;
    return ReportScope(line, number, error, out);
  }
  evaluator_.BindAll(scope);
  for (const auto& [name, value] : options_.variables) {
    if (scope.shape().Find(name) < 0) evaluator_.Bind(name, value);
  }
  const Evaluation& evaluation = evaluator_.RunChunk(options_.chunk);
  if (!evaluation.ok()) return Report(evaluation.diagnostics(), &evaluator_.program().source(), number, out);
  if (options_.typed) {
    AppendTypedJson(evaluation.value(), evaluator_.heap()->types(), out);
    out->push_back('\n');
    return;
  }
  const size_t begin = out->size();
  out->append("{\"value\":");
  std::string reason;
  if (AppendJson(evaluation.value(), out, &reason)) {
    out->append("}\n");
    return;
  }
  out->resize(begin);
  Diagnostics diagnostics;
  Diagnostic diagnostic;
  diagnostic.summary = "Value has no JSON form";
  diagnostic.detail = absl::StrCat("The result cannot be written as JSON: ", reason, ". Try --typed.");
  diagnostics.Add(std::move(diagnostic));
  Report(diagnostics, nullptr, number, out);
}

// The line becomes a source with its number as that of the first line, so that messages point into the file of scopes.
void LineEvaluator::ReportScope(std::string_view line, uint64_t number, const JsonError& error, std::string* out) {
  Diagnostics diagnostics;
  const uint32_t at = static_cast<uint32_t>(error.offset < line.size() ? error.offset : line.size());
  const SourceRange subject{at, at < line.size() ? at + 1 : at};
  if (error.is_limit) {
    diagnostics.AddLimit(subject, error.summary, error.detail);
  } else {
    diagnostics.AddError(subject, error.summary, error.detail);
  }
  const Source source(options_.scopes_name, std::string(line), static_cast<uint32_t>(number));
  Report(diagnostics, &source, number, out);
}

// All diagnostics go to the output, as JSON. On stderr they are for people, of whom nobody reads a million of them, so
// only those of the first lines are written there.
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
  if (reported_++ >= kMaxReports) return;
  if (options_.json_diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics.kept())
      absl::StrAppend(&reports_, ToJson(diagnostic, source), "\n");
    return;
  }
  TextOptions text_options;
  text_options.color = isatty(STDERR_FILENO) != 0;
  absl::StrAppend(&reports_, options_.scopes_name, ":", number, ":\n", ToText(diagnostics, source, text_options), "\n");
  if (reported_ == kMaxReports)
    absl::StrAppend(&reports_, "(Further lines with errors are reported on standard output only.)\n\n");
}

std::string LineEvaluator::TakeReports() {
  std::string reports;
  reports.swap(reports_);
  return reports;
}

// Reads the descriptor of `input` and not its buffer, which must still be empty. A failure of reading or writing counts
// more than what was found in lines, as then lines are missing.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error) {
  const auto start = std::chrono::steady_clock::now();
  BatchReader reader(fileno(input), options.limits.max_source_bytes);
  Run run(std::move(program), options, &reader, output);
  run.Work();
  const RunCounts& counts = run.counts();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!options.quiet) {
    const std::string summary =
        absl::StrFormat("%d lines, %d with errors, %.3f s, %.0f evaluations per second\n", counts.lines, counts.errors,
                        seconds, seconds > 0 ? static_cast<double>(counts.lines) / seconds : 0.0);
    std::fwrite(summary.data(), 1, summary.size(), stderr);
  }
  if (reader.error() != 0) {
    *error = absl::StrCat("cannot read ", options.scopes_name, ": ", std::strerror(reader.error()));
  }
  if (run.write_failed()) *error = "cannot write the output";
  if (!error->empty()) return kInputError;
  if (counts.limit) return kLimitReached;
  return counts.errors > 0 ? kInputError : kSuccess;
}

}  // namespace hcl::cmd
