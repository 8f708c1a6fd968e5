// RunNdjson. Tested by ndjson/ndjson_test.cc, and with threads by tests/cli_test.sh.
//
// A thread pool with queues would hand each batch from core to core. Here the worker that reads a batch also evaluates
// it, and mostly writes it, too.

#include "hclvm/ndjson.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/ndjson/batch_reader.h"

namespace hcl {
namespace {

using internal::Batch;
using internal::BatchReader;

constexpr uint64_t kMaxWaiting = 16;  // batches that may be done before one that is not
constexpr uint32_t kMaxThreads = 256;
constexpr size_t kMaxPending = 1 << 20;  // bytes of output that wait for the end of their batch, or for their turn

// When a line was cut, one byte more than the limit is passed on, which is what makes it too long for the evaluator. A
// carriage return before the line end is taken for a part of that, as files from other systems have it. Lines may give
// far more than they take, so that `flush` is called where much output has come together.
template <typename Flush>
void EvaluateBatch(const Batch& batch, const NdjsonOptions& options, LineEvaluator* evaluator, std::string* out,
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
  Run(std::shared_ptr<const Program> program, const NdjsonOptions& options, const NdjsonInput& input,
      const NdjsonOutput& output)
      : program_(std::move(program)),
        options_(options),
        output_(output),
        reader_(input, options.limits.max_source_bytes) {}

  // All of it, in this thread and some more. This thread's evaluator is made first: there is one worker in any case,
  // and what the others take comes out of what is left.
  void Work() {
    const uint32_t wanted =
        options_.threads != 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
    const uint32_t threads = std::min(wanted, kMaxThreads);
    LineEvaluator evaluator(program_, options_);
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    for (uint32_t n = 1; n < threads; ++n) {
      if (!Start(&others)) break;
    }
    counts_.threads = static_cast<uint32_t>(others.size()) + 1;
    WorkWith(&evaluator);
    {
      std::unique_lock<std::mutex> lock(writing_);
      Wait(&lock, [&] { return ended_ == others.size(); });
    }
    for (std::thread& other : others) other.join();
  }

  // For use when the work is done.
  const NdjsonCounts& counts() const { return counts_; }

  // Output that is lost counts more than lines for which there was no memory, and these more than input that has
  // failed.
  absl::Status status() const {
    if (!written_.ok()) return written_;
    if (gave_up_) return absl::ResourceExhaustedError("the system has refused memory, and lines are missing");
    if (!reader_.status().ok()) return reader_.status();
    return stopped_ ? absl::CancelledError("the host has stopped the run") : absl::OkStatus();
  }

 private:
  // One thread more; false when the system refuses it. The others do its work.
  bool Start(std::vector<std::thread>* threads) {
#if defined(__cpp_exceptions)
    try {
      threads->emplace_back([this] { WorkAlone(); });
      return true;
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
      return false;
    }
#else
    threads->emplace_back([this] { WorkAlone(); });
    return true;
#endif
  }

  // Each worker has its own evaluator and its own output, and the program is shared: between two batches, workers have
  // nothing in common but the two locks. Counts are added up once, at the end.
  void WorkWith(LineEvaluator* evaluator) {
    const bool done = internal::WithMemory([&] { return EvaluateBatches(evaluator), true; }, [] { return false; });
    std::lock_guard<std::mutex> lock(writing_);
    counts_.lines += evaluator->counts().lines;
    counts_.errors += evaluator->counts().errors;
    counts_.warnings += evaluator->counts().warnings;
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
    std::lock_guard<std::mutex> lock(writing_);
    ++ended_;
    turn_.notify_all();
  }

  // Waits for others. What the host has to be asked may be known to this thread only, as signals are to the main thread
  // of an interpreter: the others stop by themselves once it has been asked here.
  template <typename Condition>
  void Wait(std::unique_lock<std::mutex>* lock, const Condition& is_met) {
    constexpr std::chrono::milliseconds kBetweenQuestions(5);
    const Interrupt& interrupt = options_.limits.interrupt;
    if (interrupt.ask == nullptr) return turn_.wait(*lock, is_met);
    while (!turn_.wait_for(*lock, kBetweenQuestions, is_met)) {
      lock->unlock();
      interrupt.ask(interrupt.context);
      lock->lock();
    }
  }

  void EvaluateBatches(LineEvaluator* evaluator) {
    Batch batch;
    Output output;
    while (Read(&batch)) {
      output.out.clear();
      const NdjsonCounts before = evaluator->counts();
      EvaluateBatch(batch, options_, evaluator, &output.out, [&] { WriteSome(batch.sequence, &output.out); });
      output.reports = evaluator->TakeReports();
      output.done = {evaluator->counts().lines - before.lines, evaluator->counts().errors - before.errors, batch.end};
      WriteInTurn(batch.sequence, &output);
    }
  }

  struct Output {
    std::string out;
    std::string reports;
    NdjsonProgress done;  // by it; `bytes` up to its end
  };

  // Ends with the input, when the host wants that, or when nobody gets the output: the input may have no end.
  bool Read(Batch* batch) {
    std::lock_guard<std::mutex> lock(reading_);
    // A deadline is for each line alone.
    Interrupt interrupt = options_.limits.interrupt;
    interrupt.deadline = std::chrono::steady_clock::time_point::max();
    if (interrupt.Reached()) stopped_ = true;
    return !stopped_ && !write_failed_ && !gave_up_ && reader_.Next(batch);
  }

  // Writes the output if its turn has come, with those that waited for it, and leaves it there otherwise. The wait
  // bounds what waits: a worker that is far ahead stops, until the one that everybody waits for has written. That one
  // never waits itself, since its number is the next, so there is no deadlock. Output is swapped and not copied.
  void WriteInTurn(uint64_t sequence, Output* made) {
    std::unique_lock<std::mutex> lock(writing_);
    Wait(&lock, [&] { return gave_up_ || sequence - next_to_write_ <= kMaxWaiting; });
    if (gave_up_) return;
    if (sequence != next_to_write_) {
      std::swap(waiting_[sequence], *made);
      return;
    }
    WriteNext(*made);
    while (!waiting_.empty() && waiting_.begin()->first == next_to_write_) {
      WriteNext(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    if (options_.progress) options_.progress(progress_);
    turn_.notify_all();
  }

  // Waits for the turn of the batch, and writes what there is of its output.
  void WriteSome(uint64_t sequence, std::string* out) {
    std::unique_lock<std::mutex> lock(writing_);
    Wait(&lock, [&] { return gave_up_ || sequence == next_to_write_; });
    if (gave_up_) return out->clear();
    Write(*out);
    *out = std::string();
  }

  void WriteNext(const Output& output) {
    Write(output.out);
    if (!output.reports.empty()) options_.tell(output.reports);
    progress_.lines += output.done.lines;
    progress_.errors += output.done.errors;
    progress_.bytes = output.done.bytes;
    ++next_to_write_;
  }

  void Write(std::string_view out) {
    if (write_failed_ || out.empty()) return;
    written_ = output_(out);
    if (!written_.ok()) write_failed_ = true;
  }

  std::shared_ptr<const Program> program_;
  const NdjsonOptions& options_;
  const NdjsonOutput& output_;  // under writing_
  std::mutex reading_;
  BatchReader reader_;    // under reading_, as long as workers run
  bool stopped_ = false;  // as well
  std::mutex writing_;    // for all that follows
  std::condition_variable turn_;
  size_t ended_ = 0;  // of the threads that were started
  uint64_t next_to_write_ = 0;
  std::map<uint64_t, Output> waiting_;  // for batches before them
  NdjsonProgress progress_;
  absl::Status written_;
  std::atomic<bool> write_failed_ = false;  // set under writing_
  std::atomic<bool> gave_up_ = false;       // as well
  NdjsonCounts counts_;
};

}  // namespace

// read() and not fread(): it returns with what is there, where fread() would wait for a full buffer, and a peer on the
// other end for its answers.
NdjsonInput ReadFrom(int descriptor, std::string name) {
  return [descriptor, name = std::move(name)](char* room, size_t size) -> absl::StatusOr<size_t> {
    ssize_t got;
    do {
      got = read(descriptor, room, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return absl::UnavailableError(absl::StrCat("cannot read ", name, ": ", std::strerror(errno)));
    return static_cast<size_t>(got);
  };
}

NdjsonOutput WriteTo(std::FILE* file) {
  return [file](std::string_view lines) {
    const bool written = std::fwrite(lines.data(), 1, lines.size(), file) == lines.size() && std::fflush(file) == 0;
    return written ? absl::OkStatus() : absl::DataLossError("cannot write the output");
  };
}

absl::Status RunNdjson(std::shared_ptr<const Program> program, const NdjsonOptions& options, const NdjsonInput& input,
                       const NdjsonOutput& output, NdjsonCounts* counts) {
  HCL_DCHECK(!options.describe || options.tell);
  Run run(std::move(program), options, input, output);
  const bool began = internal::WithMemory([&] { return run.Work(), true; }, [] { return false; });
  if (counts != nullptr) *counts = run.counts();
  return began ? run.status() : absl::ResourceExhaustedError("the system has refused memory");
}

}  // namespace hcl
