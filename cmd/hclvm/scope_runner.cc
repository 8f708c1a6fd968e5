// ScopeRunner. Tested by cmd/hclvm/scope_runner_test.cc, and with threads by tests/cli_test.sh.

#include "cmd/hclvm/scope_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cmd/hclvm/command_line.h"

namespace hcl::cmd {
namespace {

constexpr size_t kBatchBytes = 256 << 10;  // lines that one thread takes at a time
constexpr uint64_t kMaxReports = 10;       // bad lines that are also explained on stderr, for each thread

// Consecutive lines.
struct Batch {
  uint64_t sequence = 0;
  uint64_t first_line = 1;
  std::string text;
  bool cut_line = false;  // `text` is the beginning of one line over the limit; the rest is gone
};

// Cuts a stream into batches: the whole lines that one read brings, so that a peer that waits for its answers gets
// them.
class BatchReader {
 public:
  BatchReader(int input, uint64_t max_line_bytes) : input_(input), max_line_bytes_(max_line_bytes) {}

  // The next lines; false at the end. A last line without a line end is a line.
  bool Next(Batch* batch) {
    batch->sequence = sequence_++;
    batch->first_line = line_;
    batch->cut_line = false;
    batch->text = std::move(rest_);
    rest_.clear();
    for (size_t searched = 0;;) {
      const size_t end = std::string_view(batch->text).substr(searched).rfind('\n');
      if (end != std::string_view::npos) return SplitAt(searched + end + 1, batch);
      searched = batch->text.size();
      if (at_end_) return !batch->text.empty();
      if (batch->text.size() > max_line_bytes_) return CutLine(batch);
      ReadMore(&batch->text);
    }
  }

  // errno of a read that failed, or 0.
  int error() const { return error_; }

 private:
  bool SplitAt(size_t end, Batch* batch) {
    rest_ = batch->text.substr(end);
    batch->text.resize(end);
    line_ += static_cast<uint64_t>(std::count(batch->text.begin(), batch->text.end(), '\n'));
    return true;
  }

  // Keeps the beginning of a line that is too long and skips the rest of it.
  bool CutLine(Batch* batch) {
    std::string skipped;
    while (!at_end_) {
      skipped.clear();
      ReadMore(&skipped);
      const size_t end = skipped.find('\n');
      if (end == std::string::npos) continue;
      rest_ = skipped.substr(end + 1);
      break;
    }
    batch->cut_line = true;
    ++line_;
    return true;
  }

  void ReadMore(std::string* text) {
    const size_t size = text->size();
    text->resize(size + kBatchBytes);
    ssize_t got;
    do {
      got = read(input_, &(*text)[size], kBatchBytes);
    } while (got < 0 && errno == EINTR);
    if (got < 0) error_ = errno;
    at_end_ = got <= 0;
    text->resize(size + static_cast<size_t>(got > 0 ? got : 0));
  }

  int input_;
  uint64_t max_line_bytes_;
  uint64_t sequence_ = 0;
  uint64_t line_ = 1;
  std::string rest_;
  bool at_end_ = false;
  int error_ = 0;
};

// False when it could not be written.
bool Write(std::string_view out, std::FILE* output) {
  return std::fwrite(out.data(), 1, out.size(), output) == out.size() && std::fflush(output) == 0;
}

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

// Workers take batches from a short queue and write their output when its turn has come.
class ParallelRun {
 public:
  ParallelRun(std::shared_ptr<const Program> program, const RunOptions& options, BatchReader* reader, std::FILE* output)
      : program_(std::move(program)), options_(options), reader_(reader), output_(output) {}

  RunCounts Run() {
    std::vector<std::thread> workers;
    for (uint32_t n = 0; n < options_.threads; ++n) workers.emplace_back([this] { Work(); });
    Batch batch;
    while (reader_->Next(&batch)) {
      std::unique_lock<std::mutex> lock(mutex_);
      room_.wait(lock, [this] { return queue_.size() < 2 * options_.threads; });
      queue_.push_back(std::move(batch));
      filled_.notify_one();
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    filled_.notify_all();
    for (std::thread& worker : workers) worker.join();
    return counts_;
  }

  bool write_failed() const { return write_failed_; }

 private:
  void Work() {
    LineEvaluator evaluator(program_, options_);
    std::string out;
    for (;;) {
      Batch batch;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return done_ || !queue_.empty(); });
        if (queue_.empty()) break;
        batch = std::move(queue_.front());
        queue_.pop_front();
        room_.notify_one();
      }
      out.clear();
      EvaluateBatch(batch, options_, &evaluator, &out);
      std::unique_lock<std::mutex> lock(mutex_);
      turn_.wait(lock, [&] { return next_to_write_ == batch.sequence; });
      write_failed_ |= !Write(out, output_);
      Write(evaluator.TakeReports(), stderr);
      ++next_to_write_;
      turn_.notify_all();
    }
    std::lock_guard<std::mutex> lock(mutex_);
    counts_.lines += evaluator.counts().lines;
    counts_.errors += evaluator.counts().errors;
    counts_.limit |= evaluator.counts().limit;
  }

  std::shared_ptr<const Program> program_;
  const RunOptions& options_;
  BatchReader* reader_;
  std::FILE* output_;
  std::mutex mutex_;
  std::condition_variable room_, filled_, turn_;
  std::deque<Batch> queue_;
  uint64_t next_to_write_ = 0;
  bool done_ = false;
  bool write_failed_ = false;
  RunCounts counts_;
};

}  // namespace

LineEvaluator::LineEvaluator(std::shared_ptr<const Program> program, const RunOptions& options)
    : options_(options),
      evaluator_(std::move(program), options.limits),
      heap_(nullptr, evaluator_.program().dialect(), options.limits) {}

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

int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error) {
  const auto start = std::chrono::steady_clock::now();
  BatchReader reader(fileno(input), options.limits.max_source_bytes);
  RunCounts counts;
  bool write_failed = false;
  if (options.threads > 1) {
    ParallelRun run(std::move(program), options, &reader, output);
    counts = run.Run();
    write_failed = run.write_failed();
  } else {
    LineEvaluator evaluator(std::move(program), options);
    Batch batch;
    std::string out;
    while (reader.Next(&batch)) {
      out.clear();
      EvaluateBatch(batch, options, &evaluator, &out);
      write_failed |= !Write(out, output);
      Write(evaluator.TakeReports(), stderr);
    }
    counts = evaluator.counts();
  }
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
  if (write_failed) *error = "cannot write the output";
  if (!error->empty()) return kInputError;
  if (counts.limit) return kLimitReached;
  return counts.errors > 0 ? kInputError : kSuccess;
}

}  // namespace hcl::cmd
