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
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm/batch_reader.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"

namespace hcl::cmd {
namespace {

constexpr uint64_t kMaxWaiting = 16;     // batches that may be done before one that is not
constexpr size_t kMaxPending = 1 << 20;  // bytes of output that wait for the end of their batch, or for their turn
constexpr uint64_t kMaxReports = 10;     // bad lines that are also explained on stderr, for each thread

// False when it could not be written.
bool Write(std::string_view out, std::FILE* output) {
  return std::fwrite(out.data(), 1, out.size(), output) == out.size() && std::fflush(output) == 0;
}

// When a line was cut, one byte more than the limit is passed on, which is what makes it too long for the evaluator. A
// carriage return before the line end is taken for a part of that, as files from other systems have it. Lines may give
// far more than they take, so that `flush` is called where much output has come together.
template <typename Flush>
void EvaluateBatch(const Batch& batch, const RunOptions& options, LineEvaluator* evaluator, std::string* out,
                   Flush flush) {
  std::string_view text = batch.text;
  if (batch.out_of_memory) return evaluator->Refuse(batch.first_line, out);
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
    if (out->size() > kMaxPending) flush();
  }
}

// Workers take turns to read a batch, and evaluate it. A batch stays with one worker, and so in the caches of one core.
// Output of a batch before which others are missing is kept for them, so that a worker that was interrupted does not
// hold up the rest.
class Run {
 public:
  Run(std::shared_ptr<const Program> program, const RunOptions& options, BatchReader* reader, std::FILE* output)
      : program_(std::move(program)), options_(options), output_(output), reader_(reader) {}

  // All of it, in this thread and options.threads - 1 more. This thread's evaluator is made first: there is one worker
  // in any case, and what the others take comes out of what is left.
  void Work() {
    LineEvaluator evaluator(program_, options_);
    std::vector<std::thread> others;
    for (uint32_t n = 1; n < options_.threads; ++n) {
      if (!Start(&others)) break;
    }
    WorkWith(&evaluator);
    for (std::thread& other : others) other.join();
  }

  // One thread more; false, and a line on stderr, when the system refuses it. The others do its work.
  bool Start(std::vector<std::thread>* threads) {
#if defined(__cpp_exceptions)
    try {
      threads->emplace_back([this] { WorkAlone(); });
      return true;
    } catch (const std::system_error& refused) {
      const std::string line = absl::StrCat("hclvm run: ", threads->size() + 1, " of ", options_.threads,
                                            " threads do the work: ", refused.what(), "\n");
      Write(line, stderr);
      return false;
    }
#else
    threads->emplace_back([this] { WorkAlone(); });
    return true;
#endif
  }

  const RunCounts& counts() const { return counts_; }
  bool write_failed() const { return write_failed_; }
  // Lines are missing, for which there was no memory.
  bool gave_up() const { return gave_up_; }

 private:
  // Each worker has its own evaluator and its own output, and the program is shared: between two batches, workers have
  // nothing in common but the two locks. Counts are added up once, at the end.
  void WorkWith(LineEvaluator* evaluator) {
    const bool done = internal::WithMemory([&] { return EvaluateBatches(evaluator), true; }, [] { return false; });
    std::lock_guard<std::mutex> lock(writing_);
    counts_.lines += evaluator->counts().lines;
    counts_.errors += evaluator->counts().errors;
    counts_.limit |= evaluator->counts().limit;
    if (done) return;
    gave_up_ = true;
    turn_.notify_all();
  }

  // Another worker. One for which there is no memory leaves the work to the others.
  void WorkAlone() {
    std::optional<LineEvaluator> evaluator;
    const auto make = [&] { return evaluator.emplace(program_, options_), true; };
    if (internal::WithMemory(make, [] { return false; })) WorkWith(&*evaluator);
  }

  void EvaluateBatches(LineEvaluator* evaluator) {
    Batch batch;
    std::string out;
    while (Read(&batch)) {
      out.clear();
      EvaluateBatch(batch, options_, evaluator, &out, [&] { WriteSome(batch.sequence, &out); });
      WriteInTurn(batch.sequence, &out, evaluator->TakeReports());
    }
  }

  struct Output {
    std::string out;
    std::string reports;
  };

  // Ends with the input, or when nobody gets the output: the input may have no end.
  bool Read(Batch* batch) {
    std::lock_guard<std::mutex> lock(reading_);
    return !write_failed_ && !gave_up_ && reader_->Next(batch);
  }

  // Writes the output if its turn has come, with those that waited for it, and leaves it there otherwise. The wait
  // bounds what waits: a worker that is far ahead stops, until the one that everybody waits for has written. That one
  // never waits itself, since its number is the next, so there is no deadlock. Output is swapped and not copied.
  void WriteInTurn(uint64_t sequence, std::string* out, std::string reports) {
    std::unique_lock<std::mutex> lock(writing_);
    turn_.wait(lock, [&] { return gave_up_ || sequence - next_to_write_ <= kMaxWaiting; });
    if (gave_up_) return;
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

  // Waits for the turn of the batch, and writes what there is of its output.
  void WriteSome(uint64_t sequence, std::string* out) {
    std::unique_lock<std::mutex> lock(writing_);
    turn_.wait(lock, [&] { return gave_up_ || sequence == next_to_write_; });
    if (gave_up_) return out->clear();
    if (!write_failed_ && !Write(*out, output_)) write_failed_ = true;
    *out = std::string();
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
  std::atomic<bool> gave_up_ = false;       // as well
  RunCounts counts_;
};

}  // namespace

LineEvaluator::LineEvaluator(std::shared_ptr<const Program> program, const RunOptions& options)
    : options_(options),
      limits_(options.limits),
      evaluator_(std::move(program), options.limits),
      heap_(nullptr, evaluator_.program().dialect(), options.limits) {}

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

// Every line gives one line of output, whatever is wrong with it, so that a reader can match the two. The heap is reset
// before each, which keeps its memory for the next. A result without a JSON form is found while it is written; what was
// written of it is taken back.
void LineEvaluator::EvaluateLine(std::string_view line, uint64_t number, std::string* out) {
  heap_.Reset();
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
  if (!reader_.Read(line, &heap_, &scope, &error)) return ReportScope(line, number, error, out);
  if (!scope.is_object()) {
    error = JsonError(DiagnosticCode::kInvalidScope, "Each line must be a JSON object: variable name to value.");
    return ReportScope(line, number, error, out);
  }
  evaluator_.BindAll(scope);
  for (const auto& [name, value] : options_.variables) {
    if (scope.shape().Find(name) < 0) evaluator_.Bind(name, value);
  }
  const Evaluation& evaluation = evaluator_.RunChunk(options_.chunk);
  if (!evaluation.ok()) return Report(evaluation.diagnostics(), &evaluator_.program().source(), number, out);
  const size_t begin = out->size();
  if (options_.typed) {
    if (AppendTypedJson(evaluation.value(), limits_, evaluator_.heap()->types(), out, &error)) {
      out->push_back('\n');
      return;
    }
  } else {
    out->append("{\"value\":");
    if (AppendJson(evaluation.value(), limits_, out, &error)) {
      out->append("}\n");
      return;
    }
  }
  out->resize(begin);
  Report(WritingFailed(error), nullptr, number, out);
}

// The line becomes a source with its number as that of the first line, so that messages point into the file of scopes.
void LineEvaluator::ReportScope(std::string_view line, uint64_t number, const JsonError& error, std::string* out) {
  Diagnostics diagnostics;
  const uint32_t at = static_cast<uint32_t>(error.offset < line.size() ? error.offset : line.size());
  Diagnostic diagnostic(error.code);
  diagnostic.detail = error.detail;
  diagnostic.subject = SourceRange{at, at < line.size() ? at + 1 : at};
  diagnostics.Add(std::move(diagnostic));
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
  if (run.gave_up()) *error = "the system has refused memory, and lines are missing";
  if (run.write_failed()) *error = "cannot write the output";
  if (!error->empty()) return run.gave_up() && !run.write_failed() ? kLimitReached : kInputError;
  if (counts.limit) return kLimitReached;
  return counts.errors > 0 ? kInputError : kSuccess;
}

}  // namespace hcl::cmd
