// Lines by libedit. Tested by tests/repl_terminal_test.sh.
//
// The declarations are those of <histedit.h>, whose binary form has not changed since libedit.so.2.

#include "hclvm/cmd/hclvm/line_editor.h"

#include <dlfcn.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace hcl::cmd {

namespace {

struct EditLine;
struct History;

struct HistoryEvent {
  int number;
  const char* text;
};

struct LineInfo {
  const char* begin;
  const char* cursor;
  const char* end;
};

// Names of the library's operations and results.
constexpr int kSetPrompt = 0;
constexpr int kSetEditor = 2;
constexpr int kBind = 4;
constexpr int kAddFunction = 9;
constexpr int kSetHistory = 10;
constexpr int kHistorySize = 1;
constexpr int kHistoryEnter = 10;
constexpr int kHistoryLoad = 17;
constexpr int kHistorySave = 18;
constexpr int kHistoryUnique = 20;
constexpr unsigned char kRefresh = 4;
constexpr unsigned char kError = 6;
constexpr unsigned char kRedisplay = 8;

constexpr int kMostLines = 1'000;

struct Library {
  EditLine* (*el_init)(const char*, FILE*, FILE*, FILE*) = nullptr;
  void (*el_end)(EditLine*) = nullptr;
  const char* (*el_gets)(EditLine*, int*) = nullptr;
  int (*el_set)(EditLine*, int, ...) = nullptr;
  const LineInfo* (*el_line)(EditLine*) = nullptr;
  int (*el_insertstr)(EditLine*, const char*) = nullptr;
  History* (*history_init)() = nullptr;
  void (*history_end)(History*) = nullptr;
  int (*history)(History*, HistoryEvent*, int, ...) = nullptr;
};

template <typename Function>
bool Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

bool Load(Library* found) {
  for (const char* name : {"libedit.so.2", "libedit.so.0", "libedit.3.dylib"}) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    return Find(library, "el_init", &found->el_init) && Find(library, "el_end", &found->el_end) &&
           Find(library, "el_gets", &found->el_gets) && Find(library, "el_set", &found->el_set) &&
           Find(library, "el_line", &found->el_line) && Find(library, "el_insertstr", &found->el_insertstr) &&
           Find(library, "history_init", &found->history_init) && Find(library, "history_end", &found->history_end) &&
           Find(library, "history", &found->history);
  }
  return false;
}

class Editor;
Editor* g_editor = nullptr;  // that libedit calls back

class Editor : public LineEditor {
 public:
  Editor(const Library& library, std::string history, std::function<LineCompletions(std::string_view)> complete)
      : library_(library), file_(std::move(history)), complete_(std::move(complete)) {}

  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  ~Editor() override {
    if (history_ != nullptr) library_.history_end(history_);
    if (line_ != nullptr) library_.el_end(line_);
    g_editor = nullptr;
  }

  bool Begin() {
    g_editor = this;
    line_ = library_.el_init("hclvm", stdin, stdout, stderr);
    history_ = library_.history_init();
    if (line_ == nullptr || history_ == nullptr) return false;
    HistoryEvent event;
    library_.history(history_, &event, kHistorySize, kMostLines);
    library_.history(history_, &event, kHistoryUnique, 1);
    library_.el_set(line_, kSetEditor, "emacs");
    library_.el_set(line_, kSetPrompt, Prompt);
    library_.el_set(line_, kSetHistory, library_.history, history_);
    library_.el_set(line_, kAddFunction, "hclvm-complete", "complete what stands before the cursor", CompleteHere);
    library_.el_set(line_, kBind, "^I", "hclvm-complete", nullptr);
    library_.el_set(line_, kBind, "^R", "em-inc-search-prev", nullptr);
    if (!file_.empty()) library_.history(history_, &event, kHistoryLoad, file_.c_str());
    return true;
  }

  Outcome Read(const std::string& prompt, std::string* line) override {
    prompt_ = prompt;
    int bytes = 0;
    const char* const text = library_.el_gets(line_, &bytes);
    if (text == nullptr || bytes <= 0) return bytes < 0 ? Outcome::kInterrupted : Outcome::kEnd;
    line->assign(text, static_cast<size_t>(bytes));
    while (!line->empty() && (line->back() == '\n' || line->back() == '\r')) line->pop_back();
    return Outcome::kLine;
  }

  // The file is written each time: a session may end in any way.
  void Remember(const std::string& input) override {
    if (input.empty()) return;
    HistoryEvent event;
    library_.history(history_, &event, kHistoryEnter, input.c_str());
    if (!file_.empty()) library_.history(history_, &event, kHistorySave, file_.c_str());
  }

 private:
  static const char* Prompt(EditLine*) { return g_editor->prompt_.c_str(); }
  static unsigned char CompleteHere(EditLine*, int) { return g_editor->Complete(); }

  // Inserts what all words have in common, or lists them where that is nothing.
  unsigned char Complete() {
    const LineInfo* const info = library_.el_line(line_);
    const std::string_view before(info->begin, static_cast<size_t>(info->cursor - info->begin));
    const LineCompletions found = complete_(before);
    if (found.words.empty()) return kError;
    std::string common = found.words[0];
    for (const std::string& word : found.words) {
      const auto end = std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first;
      common.erase(end, common.end());
    }
    while (!common.empty() && (static_cast<unsigned char>(found.words[0][common.size()]) & 0xC0) == 0x80)
      common.pop_back();
    if (common.size() > found.replaces) {
      library_.el_insertstr(line_, common.c_str() + found.replaces);
      return kRefresh;
    }
    std::fputc('\n', stdout);
    for (const std::string& word : found.words) std::fprintf(stdout, "%s  ", word.c_str());
    std::fputc('\n', stdout);
    std::fflush(stdout);
    return kRedisplay;
  }

  const Library library_;
  const std::string file_;
  const std::function<LineCompletions(std::string_view)> complete_;
  EditLine* line_ = nullptr;
  History* history_ = nullptr;
  std::string prompt_;
};

}  // namespace

std::unique_ptr<LineEditor> LineEditor::Open(const std::string& history,
                                             std::function<LineCompletions(std::string_view)> complete) {
  Library library;
  if (!Load(&library)) return nullptr;
  // libedit reads characters as the locale has them.
  std::setlocale(LC_CTYPE, "");
  if (!history.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(history).parent_path(), ignored);
  }
  auto editor = std::make_unique<Editor>(library, history, std::move(complete));
  if (!editor->Begin()) return nullptr;
  return editor;
}

}  // namespace hcl::cmd
