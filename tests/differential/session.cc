// Session. Tested by tests/differential/run_test.sh.

#include "hclvm/tests/differential/session.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/shrink.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::differential {
namespace {

constexpr size_t kMaxReports = 60;
constexpr size_t kMaxPlaces = 20;

// For people: on one line, and not for pages.
std::string Shown(std::string_view text, size_t most) {
  std::string shown;
  for (const char c : text.substr(0, most)) shown += c == '\n' ? "⏎" : c == '\r' ? "␍" : std::string(1, c);
  return text.size() > most ? shown + " ..." : shown;
}

std::string BothSides(const Answers& answers) {
  return absl::StrCat(KindName(answers.program.kind), ", ", DifferenceName(answers.difference), "\n  ",
                      Shown(answers.program.source, 600), "\n  ours:   ", Shown(answers.ours.ToString(), 400),
                      "\n  theirs: ", Shown(answers.theirs_text, 400));
}

}  // namespace

bool Session::CallsOurs(const Program& program) const {
  const std::string& text = program.source;
  for (size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1)) {
    size_t end = open;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
    size_t begin = end;
    while (begin > 0 && (absl::ascii_isalnum(text[begin - 1]) || text[begin - 1] == '_')) --begin;
    const std::string_view name = std::string_view(text).substr(begin, end - begin);
    if (oracle_->functions().count(name) == 0 && StandardFunctions()->Find(name) != nullptr) return true;
  }
  return false;
}

std::vector<Answers> Session::AskBoth(absl::Span<const Program> programs) {
  oracle_->Send(programs);
  // Ours, while the oracle works.
  std::vector<CaseOutcome> ours;
  for (const Program& program : programs) ours.push_back(RunOurs(runner_, program));
  std::vector<std::string> theirs = oracle_->Receive();
  std::vector<Answers> answers;
  for (size_t n = 0; n < programs.size(); ++n) {
    answers.push_back(Compare(programs[n], std::move(ours[n]), std::move(theirs[n])));
  }
  return answers;
}

// Programs that agree are only counted; each other one costs hundreds of questions.
void Session::Run(absl::Span<const Program> programs) {
  std::vector<Program> asked;
  for (const Program& program : programs) {
    if (!CallsOurs(program)) asked.push_back(program);
  }
  left_out_ += programs.size() - asked.size();
  programs_ += asked.size();
  for (Answers& answers : AskBoth(asked)) {
    KindTally& tally = kinds_[static_cast<int>(answers.program.kind)];
    if (answers.difference != Difference::kNone) {
      ++tally.differences;
      Explain(std::move(answers));
    } else if (answers.ours.error.empty()) {
      ++tally.values;
    } else {
      ++tally.errors;
      tally.places += answers.SamePlace() ? 1 : 0;
      if (!answers.SamePlace()) CountPlace(answers);
    }
  }
}

// What is explained stays explained in smaller programs; what is not may not slip into an explanation while it is made
// smaller by characters.
void Session::Explain(Answers answers) {
  const auto ask = [this](absl::Span<const Program> programs) { return AskBoth(programs); };
  const auto ask_one = [this](const Program& program) { return AskBoth({program})[0]; };
  // Each smaller program would take the oracle's life, or a time-out, again.
  if (answers.TheirError() != "crash") answers = Shrink(std::move(answers), SmallerTrees, ask, {});
  const DifferenceClass* found = ClassOf(answers, ask_one);
  if (found == nullptr) {
    const std::string before = answers.program.source;
    const auto keep = [&](const Answers& a) { return ClassOf(a, ask_one) == nullptr; };
    answers = Shrink(std::move(answers), SmallerTexts, ask, keep);
    unexplained_.emplace(answers.program.source, absl::StrCat(BothSides(answers), "\n  from:   ", Shown(before, 600)));
    return;
  }
  ClassTally& tally = classes_[found];
  ++tally.count;
  const std::string& text = answers.program.source;
  if (tally.example.empty() || text.size() < tally.example.size()) tally.example = text;
}

void Session::CountPlace(const Answers& answers) {
  const std::string& message = answers.ours.message;
  ClassTally& tally = places_[absl::StrCat(KindName(answers.program.kind), ": ", message.substr(0, message.find(':')))];
  ++tally.count;
  std::string example =
      absl::StrCat(Shown(answers.program.source, 200), "  ours ", answers.ours.ToString().substr(0, 100), "  theirs ",
                   answers.theirs_text.substr(0, 100));
  if (tally.example.empty() || example.size() < tally.example.size()) tally.example = std::move(example);
}

// Tables as in the documentation, so that a run can be pasted.
void Session::PrintPlaces(std::ostream& out) const {
  std::vector<std::pair<uint64_t, const std::string*>> most;
  for (const auto& [what, tally] : places_) most.emplace_back(tally.count, &what);
  std::sort(most.rbegin(), most.rend());
  out << "\n| errors at another place | count | example |\n|---|--:|---|\n";
  for (size_t n = 0; n < most.size() && n < kMaxPlaces; ++n) {
    out << "| " << *most[n].second << " | " << most[n].first << " | `" << places_.at(*most[n].second).example
        << "` |\n";
  }
}

void Session::Print(std::ostream& out) const {
  out << programs_ << " programs, " << left_out_ << " more left out, as only our library has a function of theirs\n\n"
      << "| kind | both give a value | both fail | ... at the same place | differ |\n|---|--:|--:|--:|--:|\n";
  for (int n = 0; n < kProgramKinds; ++n) {
    const KindTally& kind = kinds_[n];
    out << "| " << KindName(static_cast<ProgramKind>(n)) << " | " << kind.values << " | " << kind.errors << " | "
        << kind.places << " | " << kind.differences << " |\n";
  }
  out << "\n| class | count | example | reason |\n|---|--:|---|---|\n";
  for (const DifferenceClass& each : DifferenceClasses()) {
    const auto found = classes_.find(&each);
    if (found == classes_.end()) continue;
    out << "| " << each.name << " | " << found->second.count << " | `" << Shown(found->second.example, 100) << "` | "
        << each.reason << " |\n";
  }
  PrintPlaces(out);
  out << "\nunexplained: " << unexplained_.size() << "\n";
  std::vector<std::pair<size_t, const std::string*>> shortest;
  for (const auto& [text, sides] : unexplained_) shortest.emplace_back(text.size(), &sides);
  std::sort(shortest.begin(), shortest.end());
  for (size_t n = 0; n < shortest.size() && n < kMaxReports; ++n) out << "\n" << *shortest[n].second << "\n";
}

}  // namespace hcl::differential
