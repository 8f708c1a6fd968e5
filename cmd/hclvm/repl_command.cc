// hclvm repl: expressions of a module, one after the other. Tested by tests/repl_command_test.sh, and on a terminal by
// tests/repl_terminal_test.sh.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/line_editor.h"
#include "hclvm/cmd/hclvm/repl_input.h"
#include "hclvm/cmd/hclvm/repl_session.h"
#include "hclvm/cmd/hclvm/terminal.h"

namespace hcl::cmd {

namespace {

constexpr std::string_view kName = "repl";

std::atomic<bool> g_interrupted{false};
void NoteInterrupt(int) { g_interrupted.store(true, std::memory_order_relaxed); }

// Ctrl-C stops an evaluation, or drops what was typed, in place of ending the process. Reads must return for that.
void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = NoteInterrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

// The file of former lines, as the XDG Base Directory Specification has it; empty without a home.
std::string HistoryFile() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return absl::StrCat(state, "/hclvm/history");
  const char* const home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return "";
  return absl::StrCat(home, "/.local/state/hclvm/history");
}

// A line of standard input without its line end. What is over the bound of an input is read and dropped, but for one
// byte, so that the line is too long as well.
LineEditor::Outcome ReadPlainLine(std::string* line) {
  line->clear();
  errno = 0;
  int c = 0;
  while ((c = std::getc(stdin)) != EOF && c != '\n') {
    if (line->size() <= kMaxReplInput) *line += static_cast<char>(c);
  }
  if (c == EOF && errno == EINTR) {
    std::clearerr(stdin);
    return LineEditor::Outcome::kInterrupted;
  }
  if (c == EOF && line->empty()) return LineEditor::Outcome::kEnd;
  if (!line->empty() && line->back() == '\r') line->pop_back();
  return LineEditor::Outcome::kLine;
}

class Repl {
 public:
  Repl(ReplSession* session, bool is_terminal) : session_(*session), is_terminal_(is_terminal) {
    if (!is_terminal_) return;
    CatchInterrupts();
    editor_ = LineEditor::Open(HistoryFile(), [this](std::string_view line) {
      ReplSession::Completions found = session_.Complete(line);
      return LineCompletions{found.replaces, std::move(found.words)};
    });
  }

  // Answers standard input to its end. Returns the worst status, on a terminal kSuccess.
  int Run() {
    ReplInput input;
    bool is_running = true;
    while (is_running) {
      std::string line;
      const LineEditor::Outcome outcome = Read(input.empty() ? "> " : ". ", &line);
      if (outcome == LineEditor::Outcome::kInterrupted) {
        input.Clear();
        std::fputs("\n", stdout);
        continue;
      }
      if (outcome == LineEditor::Outcome::kEnd) {
        // What is still open says so.
        if (!input.empty() && !is_terminal_) Answer(input.text());
        break;
      }
      if (editor_ != nullptr) editor_->Remember(line);
      const bool is_further = !input.empty();
      const ReplInput::State state = input.Add(line);
      if (state == ReplInput::State::kOpen) continue;
      if (state == ReplInput::State::kTooLong) {
        Note(Complain(kName, "the input is over 1 MiB, or takes too long to read", kLimitReached));
        // The lines that would follow in the input are none of their own.
        is_running = is_terminal_ || !is_further;
      } else {
        is_running = Answer(input.text());
      }
      input.Clear();
    }
    if (is_terminal_) std::fputs("\n", stdout);
    return is_terminal_ ? kSuccess : status_;
  }

  // False where the session is at its end.
  bool Answer(std::string_view input) {
    g_interrupted.store(false, std::memory_order_relaxed);
    const ReplAnswer answer = session_.Execute(input);
    // The terminal has shown "^C".
    if (g_interrupted.load(std::memory_order_relaxed)) std::fputs("\n", stderr);
    return Show(answer);
  }

  bool Show(const ReplAnswer& answer) {
    std::fwrite(answer.error.data(), 1, answer.error.size(), stderr);
    std::fwrite(answer.out.data(), 1, answer.out.size(), stdout);
    std::fflush(stdout);
    Note(answer.status);
    return !answer.ends;
  }

  int status() const { return status_; }

 private:
  void Note(int status) { status_ = std::max(status_, status); }

  LineEditor::Outcome Read(const std::string& prompt, std::string* line) {
    g_interrupted.store(false, std::memory_order_relaxed);
    if (editor_ != nullptr) return editor_->Read(prompt, line);
    if (is_terminal_) {
      std::fputs(prompt.c_str(), stdout);
      std::fflush(stdout);
    }
    return ReadPlainLine(line);
  }

  ReplSession& session_;
  const bool is_terminal_;
  std::unique_ptr<LineEditor> editor_;  // null without a terminal, or without libedit
  int status_ = kSuccess;
};

}  // namespace

int ReplCommand(const std::vector<std::string_view>& arguments) {
  CommonOptions common;
  ReplOptions options;
  std::optional<std::string> scopes;
  std::vector<std::string> expressions;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--scopes", [&](std::string_view v) { return scopes = std::string(v), ""; }},
      {"--expression", [&](std::string_view v) { return expressions.emplace_back(v), ""; }},
      {"--timeout", [&](std::string_view v) { return SetTimeout(v, &options.timeout); }},
  };
  AddShowSensitiveOption(&options.show_sensitive, &syntax);
  AddModuleOption(&common, &syntax);
  AddCompileOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (common.module_file) positional.push_back(*common.module_file);
  if (positional.size() > 1) return Complain(kName, "give one DIR", kUsageError);
  if (!common.module_file && !positional.empty() && !IsDirectory(std::string(positional[0]))) {
    return Complain(kName,
                    absl::StrCat(std::string(positional[0]), " is no directory; a module of one file is --module FILE"),
                    kUsageError);
  }
  const bool is_terminal = expressions.empty() && IsTerminal(STDIN_FILENO) && IsTerminal(STDOUT_FILENO);
  options.compile = common.compile;
  options.has_color = UsesColor(STDERR_FILENO);
  if (is_terminal) options.compile.limits.interrupt.cancel = &g_interrupted;
  ReplSession session(options);
  Repl repl(&session, is_terminal);
  if (!positional.empty()) repl.Show(session.LoadModule(std::string(positional[0])));
  if (repl.status() == kSuccess && scopes) repl.Show(session.LoadRequests(*scopes));
  if (repl.status() != kSuccess) return repl.status();
  for (const std::string& expression : expressions) {
    if (!repl.Answer(expression)) break;
  }
  return expressions.empty() ? repl.Run() : repl.status();
}

}  // namespace hcl::cmd
