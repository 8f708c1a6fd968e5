// The writer of the decision log. Tested by serve/decision_log_test.cc.
//
// The thread shares its state with the log and outlives it where a disk does not answer: a process that is to end must
// not hang in a write.

#include "hclvm/serve/decision_log.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace hcl::serve {
namespace {

constexpr std::chrono::seconds kLastWrites{2};
// What a pipe that poll() calls writable takes without waiting.
constexpr size_t kPipePiece = PIPE_BUF;
constexpr size_t kFilePiece = 1 << 16;
constexpr int kPollMilliseconds = 100;
// How long a line may wait for others.
constexpr std::chrono::milliseconds kPause{20};
constexpr size_t kWorthWriting = 1 << 18;

}  // namespace

struct DecisionLog::State {
  std::string path;
  size_t max_waiting;
  Metrics* metrics;
  Report report;
  int file = -1;
  bool is_regular = false;

  std::mutex mutex;
  std::condition_variable changed;
  std::string waiting;  // under the mutex, as what follows
  uint64_t waiting_lines = 0;
  bool reopen = false;
  bool ending = false;
  bool ended = false;

  absl::Status OpenFile() {
    const int opened = path == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : OpenWithoutWaiting();
    if (opened < 0) return absl::UnavailableError(absl::StrCat("cannot write ", path, ": ", std::strerror(errno)));
    if (file >= 0) close(file);
    file = opened;
    struct stat status = {};
    is_regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    return absl::OkStatus();
  }

  // To open a pipe that nobody reads waits, or fails where it must not wait. To read it as well does neither, and what
  // is written waits in it.
  int OpenWithoutWaiting() const {
    constexpr int kFlags = O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    const int opened = open(path.c_str(), O_WRONLY | kFlags, 0640);
    return opened < 0 && errno == ENXIO ? open(path.c_str(), O_RDWR | kFlags, 0640) : opened;
  }

  void Run() {
    // A pipe whose reader has gone is a failure like others, and not the end of the process.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    std::string lines;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return !waiting.empty() || reopen || ending; });
      // To wake up and write for each line would cost many times what making the line does.
      changed.wait_for(lock, kPause, [this] { return waiting.size() >= kWorthWriting || reopen || ending; });
      lines.clear();
      lines.swap(waiting);
      const uint64_t line_count = std::exchange(waiting_lines, 0);
      const bool open_anew = std::exchange(reopen, false);
      const bool last = ending && lines.empty();
      lock.unlock();
      if (open_anew && path != "-") {
        absl::Status status = OpenFile();
        if (!status.ok() && report) report(std::string(status.message()));
      }
      if (!lines.empty()) WriteLines(lines, line_count);
      lock.lock();
      if (last) break;
    }
    ended = true;
    changed.notify_all();
  }

  // Whether something is to be done that a file which takes nothing must not hold up.
  bool IsWanted() {
    const std::lock_guard<std::mutex> lock(mutex);
    return ending || reopen;
  }

  // Where a write fails, the lines that are not whole in the file are lost; what is there of a line is taken back, so
  // that the next one begins on a line of its own.
  void WriteLines(const std::string& lines, uint64_t line_count) {
    size_t done = 0;
    while (done < lines.size()) {
      const ssize_t wrote = WriteSome(lines.data() + done, lines.size() - done);
      if (wrote < 0) break;
      done += static_cast<size_t>(wrote);
    }
    const size_t line_end = done == 0 ? 0 : lines.rfind('\n', done - 1) + 1;  // npos + 1 is 0
    const auto count = [&](size_t begin, size_t end) {
      return static_cast<uint64_t>(std::count(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                              lines.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    };
    if (done == lines.size()) return Count(&metrics->log_lines, line_count);
    Count(&metrics->log_lines, count(0, line_end));
    Count(&metrics->log_drops[static_cast<size_t>(LogDrop::kWriteFailed)], count(line_end, lines.size()));
    if (done == line_end) return;
    const off_t size = is_regular ? lseek(file, 0, SEEK_END) : -1;
    const bool taken_back = size >= 0 && ftruncate(file, size - static_cast<off_t>(done - line_end)) == 0;
    if (!taken_back && write(file, "\n", 1) < 0) return;
  }

  // Less than 0 for a failure.
  ssize_t WriteSome(const char* data, size_t size) {
    for (;;) {
      if (!is_regular) {
        pollfd ready = {file, POLLOUT, 0};
        const int count = poll(&ready, 1, kPollMilliseconds);
        if (count == 0 && IsWanted()) return -1;
        if (count == 0 || (count < 0 && errno == EINTR)) continue;
      }
      const ssize_t wrote = write(file, data, std::min(size, is_regular ? kFilePiece : kPipePiece));
      if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      return wrote;
    }
  }
};

absl::StatusOr<std::unique_ptr<DecisionLog>> DecisionLog::Open(const std::string& path, size_t max_waiting,
                                                               Metrics* metrics, Report report) {
  auto state = std::make_shared<State>();
  state->path = path;
  state->max_waiting = max_waiting;
  state->metrics = metrics;
  state->report = std::move(report);
  absl::Status status = state->OpenFile();
  if (!status.ok()) return status;
  try {
    std::thread([state] { state->Run(); }).detach();
  } catch (const std::system_error& error) {
    return absl::UnavailableError(absl::StrCat("no thread for the decision log: ", error.what()));
  }
  return std::unique_ptr<DecisionLog>(new DecisionLog(std::move(state)));
}

DecisionLog::~DecisionLog() {
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->ending = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kLastWrites, [this] { return state_->ended; });
}

void DecisionLog::Add(std::string_view line) {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    if (line.size() <= state_->max_waiting - std::min(state_->max_waiting, state_->waiting.size())) {
      const size_t before = state_->waiting.size();
      state_->waiting.append(line);
      ++state_->waiting_lines;
      const bool wakes = before == 0 || (before < kWorthWriting && state_->waiting.size() >= kWorthWriting);
      if (wakes) state_->changed.notify_one();
      return;
    }
  }
  Count(&state_->metrics->log_drops[static_cast<size_t>(LogDrop::kQueueFull)]);
}

void DecisionLog::Reopen() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->reopen = true;
  state_->changed.notify_all();
}

}  // namespace hcl::serve
