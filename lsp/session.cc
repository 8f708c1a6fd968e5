// Session. Tested by lsp/session_test.cc.

#include "hclvm/lsp/session.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/lsp/protocol/json.h"
#include "hclvm/lsp/protocol/message_frames.h"
#include "hclvm/lsp/server.h"

namespace hcl::lsp {
namespace {

// Bytes of messages that wait; the reader then waits as well.
constexpr size_t kMaxWaitingBytes = kMaxMessageBytes;

// The JSON library's values may throw where memory is refused.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct Waiting {
  Json message;
  std::string error;       // it could not be read
  bool is_answer = false;  // of a job, for the client
  size_t bytes = 0;
  bool is_canceled = false;
};

// What the threads share: one reads, one takes messages, and one does jobs. Thread-safe.
class Inbox {
 public:
  explicit Inbox(std::atomic<bool>* stop) : stop_(stop) {}

  // The reader's side.
  void Add(Waiting waiting) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || bytes_ < kMaxWaitingBytes; });
    // A check of a text that has changed is of no use any more.
    const bool is_change = absl::StartsWith(TextAt(waiting.message, "method"), "textDocument/did");
    if (is_change && is_settling_) *stop_ = true;
    bytes_ += waiting.bytes;
    waiting_.push_back(std::move(waiting));
    changed_.notify_all();
  }

  void Cancel(const Json& id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (current_ && *current_ == id) {
      is_current_canceled_ = true;
      *stop_ = true;
    }
    for (Waiting& one : waiting_) {
      const Json* const other = Member(one.message, {"id"});
      if (other != nullptr && *other == id && one.message.contains("method")) one.is_canceled = true;
    }
    if (job_ && *job_ == id) job_stop_ = true;
    for (PendingJob& one : jobs_) {
      if (one.id == id) one.job = nullptr;
    }
  }

  void Close(std::string error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    job_stop_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }

  // The worker's side. The next message; none at the end, and, unless `waits`, where there is none yet.
  std::optional<Waiting> Next(bool waits) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (waits) changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= next.bytes;
    const Json* const id = Member(next.message, {"id"});
    current_ = id == nullptr ? std::nullopt : std::make_optional(*id);
    is_current_canceled_ = false;
    *stop_ = false;
    changed_.notify_all();
    return next;
  }

  // The message at hand is done. True where it was canceled meanwhile.
  bool Finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    current_.reset();
    return std::exchange(is_current_canceled_, false);
  }

  // False where a message waits.
  bool BeginSettling() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!waiting_.empty()) return false;
    *stop_ = false;
    return is_settling_ = true;
  }
  void EndSettling() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_settling_ = false;
  }

  void AddJob(PendingJob job) {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_all();
  }

  // The side of the thread that does jobs, one after the other. The answer to the job before, and the next job; none at
  // the end. A job that was canceled has no function.
  std::optional<PendingJob> NextJob() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !jobs_.empty(); });
    if (is_closed_) return std::nullopt;
    PendingJob next = std::move(jobs_.front());
    jobs_.pop_front();
    job_ = next.id;
    job_stop_ = next.job == nullptr;
    return next;
  }
  const std::atomic<bool>* job_stop() const { return &job_stop_; }
  void FinishJob(Json result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Waiting answer;
    answer.is_answer = true;
    answer.message = job_stop_ ? Server::Canceled(*job_) : Server::Answer(*job_, std::move(result));
    job_.reset();
    waiting_.push_back(std::move(answer));
    changed_.notify_all();
  }

  // Why reading has ended; valid after the end.
  std::string error() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return error_;
  }

 private:
  std::atomic<bool>* const stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  size_t bytes_ = 0;
  std::optional<Json> current_;
  std::deque<PendingJob> jobs_;
  std::optional<Json> job_;  // the id of the one at work
  std::atomic<bool> job_stop_{false};
  bool is_current_canceled_ = false;
  bool is_settling_ = false;
  bool is_closed_ = false;
  std::string error_;
};

// Gives whole messages to the inbox. Cancellations do not wait.
void TakeFrames(FrameReader* frames, Inbox* inbox) {
  while (std::optional<std::string> text = frames->Next()) {
    Waiting waiting;
    waiting.bytes = text->size();
    std::optional<Json> json = ReadJson(*text, &waiting.error);
    if (json && TextAt(*json, "method") == "$/cancelRequest") {
      const Json* const id = Member(*json, {"params", "id"});
      if (id != nullptr) inbox->Cancel(*id);
      continue;
    }
    if (json) waiting.message = *std::move(json);
    inbox->Add(std::move(waiting));
  }
}

// Reads until the input ends, or something can be read from `wake`.
void ReadMessages(int input, int wake, Inbox* inbox) {
  FrameReader frames;
  std::vector<char> buffer(1 << 16);
  while (true) {
    pollfd wanted[2] = {{input, POLLIN, 0}, {wake, POLLIN, 0}};
    if (::poll(wanted, 2, /*timeout=*/-1) < 0) {
      if (errno == EINTR) continue;
      return inbox->Close(std::strerror(errno));
    }
    if (wanted[1].revents != 0) return inbox->Close("");
    const ssize_t got = ::read(input, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return inbox->Close(absl::StrCat("cannot read the input: ", std::strerror(errno)));
    if (got == 0) return inbox->Close(frames.is_in_message() ? "the input ends within a message" : "");
    frames.Take(std::string_view(buffer.data(), static_cast<size_t>(got)));
    TakeFrames(&frames, inbox);
    if (!frames.status().ok()) return inbox->Close(std::string(frames.status().message()));
  }
}

bool WriteAll(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(output, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool Send(int output, std::vector<Json>* messages) {
  std::string bytes;
  for (const Json& message : *messages) bytes += Framed(WriteJson(message));
  messages->clear();
  return WriteAll(output, bytes);
}

void DoJobs(Inbox* inbox) {
  while (std::optional<PendingJob> next = inbox->NextJob()) {
    inbox->FinishJob(next->job ? next->job(inbox->job_stop()) : nullptr);
  }
}

// A request that was canceled while it was at work gets that answer in place of its own.
void TakeMessage(const Waiting& next, Server* server, Inbox* inbox, std::vector<Json>* out) {
  if (next.is_answer) return out->push_back(next.message);
  if (!next.error.empty()) return out->push_back(Server::ParseError(next.error));
  const Json* const id = Member(next.message, {"id"});
  if (next.is_canceled && id != nullptr) return out->push_back(Server::Canceled(*id));
  server->Take(next.message, out);
  const bool is_canceled = inbox->Finish() && id != nullptr;
  for (PendingJob& job : server->TakeJobs()) {
    if (is_canceled) {
      out->push_back(Server::Canceled(job.id));
    } else {
      inbox->AddJob(std::move(job));
    }
  }
  if (!is_canceled) return;
  for (Json& message : *out) {
    const Json* const answered = Member(message, {"id"});
    if (answered != nullptr && *answered == *id) message = Server::Canceled(*id);
  }
}

// False where the output is gone.
bool Serve(Server* server, Inbox* inbox, int output) {
  std::vector<Json> out;
  while (!server->has_exited()) {
    const std::optional<Waiting> next = inbox->Next(/*waits=*/!server->has_work());
    if (next) {
      TakeMessage(*next, server, inbox, &out);
    } else if (!server->has_work()) {
      return true;
    } else if (inbox->BeginSettling()) {
      server->Settle(&out);
      inbox->EndSettling();
    }
    if (!Send(output, &out)) return false;
  }
  return true;
}

}  // namespace

int RunSession(int input, int output, std::string* error) {
  int wake[2] = {-1, -1};
  if (::pipe(wake) != 0) {
    *error = absl::StrCat("cannot make a pipe: ", std::strerror(errno));
    return 1;
  }
  Server server;
  Inbox inbox(server.stop());
  std::thread reader([&] { ReadMessages(input, wake[0], &inbox); });
  std::thread worker([&] { DoJobs(&inbox); });
  const bool is_written = Serve(&server, &inbox, output);
  if (!is_written) *error = absl::StrCat("cannot write the output: ", std::strerror(errno));
  const std::string why = inbox.error();
  inbox.Close("");  // the reader may wait for room
  WriteAll(wake[1], "x");
  reader.join();
  worker.join();
  ::close(wake[0]);
  ::close(wake[1]);
  if (server.has_exited()) return server.exit_status();
  if (is_written) *error = why;
  return 1;
}

}  // namespace hcl::lsp
