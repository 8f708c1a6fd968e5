// The commands of a session. Tested by cmd/hclvm/repl_session_test.cc.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/unicode.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/function_text.h"
#include "hclvm/cmd/hclvm/repl_requests.h"
#include "hclvm/cmd/hclvm/repl_session.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/module/module_doc.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/type_text.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

// How long `:time` goes on, and how many runs it makes at most.
constexpr std::chrono::milliseconds kTimeFor(100);
constexpr uint64_t kMostRuns = 100'000;

// Bytes of a value in the list of variables.
constexpr size_t kMaxListed = 100;

std::string_view Trim(std::string_view text) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(ToAbsl(text));
  return {trimmed.data(), trimmed.size()};
}

// `text` in at most kMaxListed bytes, and whole characters.
std::string Shortened(std::string text) {
  if (text.size() <= kMaxListed) return text;
  size_t end = kMaxListed - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

// It has no token besides comments.
bool IsBlank(std::string_view text) {
  if (text.empty()) return true;
  if (text[0] != '#' && text[0] != '/') return false;
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(std::string(text));
  return tree.ok() && std::all_of(tree->tokens().begin(), tree->tokens().end(), [](const SourceToken& token) {
           return token.kind == SourceTokenKind::kComment || token.kind == SourceTokenKind::kNewline ||
                  token.kind == SourceTokenKind::kEnd;
         });
}

}  // namespace

struct ReplSession::Command {
  std::string_view name;  // with its colon
  std::string_view argument;
  std::string_view help;
  ReplAnswer (ReplSession::*run)(std::string_view argument);
};

const std::vector<ReplSession::Command>& ReplSession::Commands() {
  static const auto* const commands = new std::vector<Command>{
      {":help", "", "what there is to type", &ReplSession::Help},
      {":type", "EXPR", "the type of a value", &ReplSession::Type},
      {":let", "NAME = EXPR", "a name for a value; in a module it is local.NAME", &ReplSession::DefineLet},
      {":vars", "", "the variables and their values", &ReplSession::ListVariables},
      {":request", "[N]", "take the request in line N; without N, say which it is", &ReplSession::Request},
      {":load", "[PATH]", "a module (DIR, FILE.hcl), or requests (FILE.ndjson); without PATH, the module anew",
       &ReplSession::Load},
      {":explain", "EXPR", "why it has its value", &ReplSession::Explain},
      {":time", "EXPR", "the fuel and the time that it takes", &ReplSession::Time},
      {":disasm", "EXPR", "its bytecode", &ReplSession::Disassemble},
      {":doc", "[NAME]", "a function; without NAME, what the module declares", &ReplSession::Doc},
      {":quit", "", "end, as the end of the input does", &ReplSession::Quit},
  };
  return *commands;
}

ReplAnswer ReplSession::Execute(std::string_view input) {
  const std::string_view text = Trim(input);
  if (IsBlank(text)) return {};
  if (text[0] != ':') return Evaluate(text);
  const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  const std::string_view name = text.substr(0, end);
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) {
    if (command.name == name) {
      const std::string_view argument = Trim(text.substr(end));
      const bool is_missing = argument.empty() && !command.argument.empty() && command.argument[0] != '[';
      if (!is_missing) return (this->*command.run)(argument);
      return Fail(absl::StrCat(ToAbsl(command.name), " ", ToAbsl(command.argument)), kUsageError);
    }
    names.push_back(command.name);
  }
  const std::string_view nearest = NearestName(name, names);
  return Fail(
      absl::StrCat("there is no command ", ToAbsl(name),
                   nearest.empty() ? "" : absl::StrCat("; did you mean ", ToAbsl(nearest), "?"), " (:help lists them)"),
      kUsageError);
}

ReplAnswer ReplSession::Help(std::string_view) {
  ReplAnswer answer;
  answer.out =
      "An expression gives its value; so does the name of an entry of the module. An open bracket goes on in the "
      "next line.\n\n";
  for (const Command& command : Commands()) {
    const std::string form =
        absl::StrCat(ToAbsl(command.name), command.argument.empty() ? "" : " ", ToAbsl(command.argument));
    absl::StrAppend(&answer.out, "  ", form, std::string(20 - form.size(), ' '), ToAbsl(command.help), "\n");
  }
  return answer;
}

ReplAnswer ReplSession::Quit(std::string_view) {
  ReplAnswer answer;
  answer.ends = true;
  return answer;
}

ReplAnswer ReplSession::Type(std::string_view text) {
  ReplAnswer answer;
  const std::unique_ptr<Ran> ran = Run(text, &answer);
  if (ran == nullptr) return answer;
  const hcl::Type type = TypeOf(ran->evaluation->value(), ran->evaluator.heap()->types());
  answer.out = absl::StrCat(internal::TypeText(type, nullptr, {}), "\n");
  return answer;
}

// The first run is not measured: it makes what later ones find.
ReplAnswer ReplSession::Time(std::string_view text) {
  ReplAnswer answer;
  const std::unique_ptr<Ran> ran = Run(text, &answer);
  if (ran == nullptr) return answer;
  const uint64_t fuel = options_.compile.limits.max_fuel - ran->evaluation->fuel_left();
  uint64_t runs = 0;
  const std::chrono::nanoseconds begin = options_.clock();
  std::chrono::nanoseconds now = begin;
  while (runs < kMostRuns && now - begin < kTimeFor) {
    ran->evaluator.BindAll(ran->scope);
    if (!ran->evaluator.Run(*ran->prepared.entry).ok()) break;
    ++runs;
    now = options_.clock();
  }
  if (runs == 0) return Fail("it was interrupted", kLimitReached);
  const double each = static_cast<double>((now - begin).count()) / static_cast<double>(runs);
  answer.out = absl::StrFormat("%.2f us, the mean of %d runs; fuel %d\n", each / 1000, runs, fuel);
  return answer;
}

ReplAnswer ReplSession::Explain(std::string_view text) {
  ReplAnswer answer;
  Prepared prepared;
  if (!Prepare(text, true, &prepared, &answer)) return answer;
  Heap heap(nullptr, options_.compile.dialect, options_.compile.limits);
  internal::ExplainOptions explain;
  explain.limits = LimitedOptions().limits;
  explain.show_sensitive = options_.show_sensitive;
  const internal::Explanation explanation = internal::Explain(prepared.program, Scope(&heap), *prepared.entry, explain);
  answer.out = internal::ToText(explanation);
  if (explanation.is_limit) answer.status = kLimitReached;
  return answer;
}

// The chunk of the input alone; those of the module are what `hclvm disasm` lists.
ReplAnswer ReplSession::Disassemble(std::string_view text) {
  ReplAnswer answer;
  Prepared prepared;
  if (!Prepare(text, false, &prepared, &answer)) return answer;
  const std::string listing = absl::StrCat("\n", prepared.program->Disassemble());
  const size_t begin = listing.find(absl::StrCat("\nchunk ", prepared.entry->chunk, " "));
  if (begin == std::string::npos) return Fail("it has no chunk of its own", kInputError);
  const size_t end = std::min(listing.find("\nchunk ", begin + 1), listing.size() - 1);
  answer.out = listing.substr(begin + 1, end - begin);
  return answer;
}

ReplAnswer ReplSession::Doc(std::string_view name) {
  ReplAnswer answer;
  if (name.empty()) {
    if (module_ == nullptr) return Fail(":doc NAME describes a function", kUsageError);
    answer.out = internal::ModuleDoc(*module_, module_path_);
    return answer;
  }
  FunctionFamily family;
  const FunctionRecord* const record = FindRecord(internal::WithoutCore(name), &family);
  if (record == nullptr) return Fail(NoFunction(name), kInputError);
  answer.out = Describe(*record, family);
  return answer;
}

ReplAnswer ReplSession::Load(std::string_view path) {
  if (path.empty() && module_ == nullptr) return Fail(":load PATH", kUsageError);
  const std::string given(path.empty() ? std::string_view(module_path_) : path);
  const auto ends_in = [&](std::string_view end) {
    return given.size() >= end.size() && given.compare(given.size() - end.size(), end.size(), end) == 0;
  };
  const bool is_module = path.empty() || IsDirectory(given) || ends_in(".hcl") || ends_in(".hcl.json");
  return is_module ? LoadModule(given) : LoadRequests(given);
}

ReplAnswer ReplSession::DefineLet(std::string_view definition) {
  const size_t equals = definition.find('=');
  const std::string name = internal::ToNfc(Trim(definition.substr(0, equals)));
  if (equals == std::string_view::npos || !internal::IsIdentifier(name)) return Fail(":let NAME = EXPR", kUsageError);
  const std::string_view text = Trim(definition.substr(equals + 1));
  ReplAnswer answer;
  const std::unique_ptr<Ran> ran = Run(text, &answer);
  if (ran == nullptr) return answer;
  Let let;
  let.name = name;
  let.text = std::string(text);
  if (module_ == nullptr) {
    let.heap = std::make_shared<Heap>(nullptr, options_.compile.dialect, options_.compile.limits);
    let.value = Clone(ran->evaluation->marked_value(), let.heap->arena(), let.heap->types());
  }
  const std::vector<Let> before = lets_;
  const auto is_old = [&](const Let& other) { return other.name == name; };
  lets_.erase(std::remove_if(lets_.begin(), lets_.end(), is_old), lets_.end());
  lets_.push_back(std::move(let));
  if (module_ == nullptr) return answer;
  // The module may have such a local, or one that was defined before may read the new one, and that it.
  Prepared whole;
  if (!Prepare(absl::StrCat("local.", name), false, &whole, &answer)) lets_ = before;
  return answer;
}

ReplAnswer ReplSession::ListVariables(std::string_view) {
  ReplAnswer answer;
  std::vector<std::string> names;
  for (const std::string& name : variables_) names.push_back(absl::StrCat("var.", name));
  for (const Let& let : lets_) names.push_back(absl::StrCat(module_ != nullptr ? "local." : "", let.name));
  if (module_ == nullptr && requests_ != nullptr) {
    const Value& request = requests_->scope();
    for (uint32_t i = 0; i < request.shape().size; ++i) {
      const std::string name(request.shape().keys[i].AsString());
      if (internal::IsIdentifier(name) && std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  for (const std::string& name : names) {
    const ReplAnswer value = Evaluate(name);
    const std::string text = value.out.empty() ? "(no value)" : Shortened(std::string(Trim(value.out)));
    absl::StrAppend(&answer.out, name, " = ", text, "\n");
  }
  return answer;
}

std::vector<std::string> ReplSession::FunctionNames() {
  std::vector<std::string> names;
  for (const FunctionFamily family : kFunctionFamilies) {
    for (const FunctionRecord& record : RecordsOf(family)) names.push_back(absl::StrCat(ToAbsl(record.name), "("));
  }
  return names;
}

std::vector<std::string> ReplSession::Names() const {
  std::vector<std::string> names = FunctionNames();
  names.emplace_back("core::");
  if (module_ != nullptr) {
    names.insert(names.end(), {"var.", "local."});
    for (const Entry& entry : module_->entries()) names.emplace_back(entry.path);
    return names;
  }
  for (const Let& let : lets_) names.push_back(let.name);
  if (requests_ != nullptr) {
    const Value& request = requests_->scope();
    for (uint32_t i = 0; i < request.shape().size; ++i) names.emplace_back(request.shape().keys[i].AsString());
  }
  return names;
}

// Attributes are those that the value has: it is evaluated, within the limits of an input.
std::vector<std::string> ReplSession::PartsOf(std::string_view path) {
  std::vector<std::string> parts;
  if (module_ != nullptr && path == "var") return variables_;
  if (module_ != nullptr && path == "local") {
    parts = locals_;
    for (const Let& let : lets_) parts.push_back(let.name);
    return parts;
  }
  const ReplAnswer keys = Evaluate(absl::StrCat("keys(", ToAbsl(path), ")"));
  Heap heap(nullptr, options_.compile.dialect, options_.compile.limits);
  JsonReader reader;
  JsonError error;
  Value list;
  if (keys.status != kSuccess || !reader.Read(keys.out, &heap, &list, &error) || !list.is_sequence()) return parts;
  for (const Value& key : list.elements()) parts.emplace_back(key.AsString());
  return parts;
}

ReplSession::Completions ReplSession::Complete(std::string_view line) {
  Completions found;
  std::vector<std::string> words;
  size_t begin = line.size();
  if (!line.empty() && line[0] == ':' && line.find(' ') == std::string_view::npos) {
    begin = 0;
    for (const Command& command : Commands()) words.emplace_back(command.name);
  } else {
    const auto is_name = [](char c) {
      return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
    };
    while (begin > 0 && (is_name(line[begin - 1]) || (line[begin - 1] & 0x80) != 0)) --begin;
    constexpr std::string_view kCore = "core::";
    const bool is_core = begin >= kCore.size() && line.substr(begin - kCore.size(), kCore.size()) == kCore;
    const size_t dot = line.rfind('.');
    if (dot == std::string_view::npos || dot < begin) {
      words = is_core ? FunctionNames() : Names();
    } else {
      const std::string_view path = line.substr(begin, dot - begin);
      words = PartsOf(path);
      if (module_ != nullptr) {
        for (const Entry& entry : module_->entries()) {
          if (entry.path.substr(0, path.size() + 1) != absl::StrCat(ToAbsl(path), ".")) continue;
          words.emplace_back(entry.path.substr(path.size() + 1));
        }
      }
      begin = dot + 1;
    }
  }
  const std::string_view typed = line.substr(begin);
  found.replaces = typed.size();
  for (std::string& word : words) {
    if (word.compare(0, typed.size(), typed) == 0 && word.size() > typed.size()) found.words.push_back(std::move(word));
  }
  std::sort(found.words.begin(), found.words.end());
  found.words.erase(std::unique(found.words.begin(), found.words.end()), found.words.end());
  return found;
}

}  // namespace hcl::cmd
