// Oracle. Tested by tests/differential/oracle_test.cc.

#include "hclvm/tests/differential/oracle.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/tests/json_tree.h"

namespace hcl::differential {
namespace {

// Some milliseconds for a program; hundreds are sent at a time, and the machine may have more to do.
constexpr int kTimeoutMs = 20'000;

std::string ToLine(const Program& program) {
  std::string line = "{\"kind\":\"" + std::string(KindName(program.kind)) + "\",\"source\":";
  AppendJsonString(program.source, &line);
  return line + "}\n";
}

}  // namespace

// A process of its own for the whole run, between two pipes.
bool Oracle::Start() {
  int in[2];
  int out[2];
  // The ends that stay here must not reach another oracle, which would keep this one's input open.
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return false;
  signal(SIGPIPE, SIG_IGN);
  std::vector<char*> arguments;
  for (std::string& word : command_) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  out_ = out[0];
  buffer_.clear();
  std::vector<std::string> lines;
  JsonTree hello;
  const JsonTree* functions = nullptr;
  if (ReadLines(1, &lines) && ParseJsonTree(lines[0], &hello)) functions = hello.Find("functions");
  if (functions == nullptr) {
    // What it says later would be taken for an answer.
    Stop();
    return false;
  }
  version_ = std::string(hello.Text("version"));
  for (const JsonTree& name : functions->items) functions_.insert(name.text);
  return true;
}

void Oracle::Stop() {
  if (pid_ <= 0) return;
  close(in_);
  close(out_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool Oracle::Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(in_, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool Oracle::Fill() {
  pollfd waiting = {out_, POLLIN, 0};
  if (poll(&waiting, 1, kTimeoutMs) <= 0) return false;
  char bytes[1 << 16];
  const ssize_t count = read(out_, bytes, sizeof(bytes));
  if (count <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(count));
  return true;
}

bool Oracle::ReadLines(size_t count, std::vector<std::string>* lines) {
  size_t searched = 0;
  while (lines->size() < count) {
    const size_t end = buffer_.find('\n', searched);
    if (end == std::string::npos) {
      searched = buffer_.size();
      if (!Fill()) return false;
      continue;
    }
    lines->push_back(buffer_.substr(0, end));
    buffer_.erase(0, end + 1);
    searched = 0;
  }
  return true;
}

void Oracle::Send(absl::Span<const Program> programs) {
  sent_.assign(programs.begin(), programs.end());
  if (pid_ <= 0 && !Start()) return;
  std::string text;
  for (const Program& program : sent_) text += ToLine(program);
  // A process that ended is noticed by who reads.
  Write(text + "\n");
}

// Whoever reads a panic of another program's goroutine cannot tell whose it was, so after a crash the programs are
// asked again, half and half.
std::vector<std::string> Oracle::Receive() {
  std::vector<std::string> lines;
  if (sent_.empty() || (pid_ > 0 && ReadLines(sent_.size(), &lines))) return lines;
  Stop();
  const std::vector<Program> programs = std::move(sent_);
  if (!Start()) return std::vector<std::string>(programs.size(), "{\"error\":\"crash\"}");
  if (programs.size() == 1) return {"{\"error\":\"crash\"}"};
  const size_t half = programs.size() / 2;
  lines = Ask(absl::MakeConstSpan(programs).subspan(0, half));
  for (std::string& line : Ask(absl::MakeConstSpan(programs).subspan(half))) lines.push_back(std::move(line));
  return lines;
}

}  // namespace hcl::differential
