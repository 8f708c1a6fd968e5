#include "hclvm/tests/slow/net/net.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/tests/slow/net/shrink_scope.h"
#include "hclvm/tests/slow/shrink.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr size_t kProgramsOfABatch = 8;
constexpr int kScopes = 12;  // for each program: another program finds more than another scope
constexpr int kScopesOfASet = 4;
constexpr size_t kLongestProgram = 1500;
constexpr uint32_t kDeclaredOf = 3;  // one of so many programs is a module's as well: compiling it takes long

}  // namespace

Net::Net(Corpus* corpus, const Signatures& signatures, Dialect dialect, uint64_t seed)
    : corpus_(corpus),
      dialect_(dialect),
      dice_(seed),
      grammar_(corpus, signatures, &dice_),
      mutator_(corpus, signatures, &grammar_, &dice_),
      matrix_(corpus->shapes(), &grammar_, &dice_),
      judge_(dialect),
      scopes_(corpus->worlds().size()),
      heap_(nullptr, dialect) {}

void Net::Run(uint64_t comparisons, size_t most_failures) {
  const uint64_t end = judge_.comparisons() + comparisons;
  while (judge_.comparisons() < end && failures_.size() < most_failures) {
    const auto at = dice_.Roll(static_cast<uint32_t>(corpus_->worlds().size()));
    const World& world = corpus_->worlds()[at];
    if (scopes_[at] == nullptr) scopes_[at] = std::make_unique<OddScopes>(world, dialect_, &dice_);
    CheckBatch(world, scopes_[at].get());
  }
}

std::string Net::NextProgram(const World& world) {
  grammar_.Begin(world);
  switch (dice_.Roll(3)) {
    case 0:
      return grammar_.Program(2 + static_cast<int>(dice_.Roll(3)));
    case 1:
      return mutator_.Next(world);
    default: {
      const std::string text = matrix_.Next(world);
      return dice_.Roll(4) == 0 ? mutator_.Mutated(world, text) : text;
    }
  }
}

std::string Net::AnyProgram() { return NextProgram(dice_.Pick(corpus_->worlds())); }

void Net::CheckBatch(const World& world, OddScopes* scopes) {
  heap_.Reset();
  std::vector<std::string> texts;
  std::string together;
  while (texts.size() < kProgramsOfABatch) {
    std::string text = NextProgram(world);
    if (text.size() > kLongestProgram) continue;
    ++programs_;
    if (!judge_.Load(text)) {
      ++broken_;
      continue;
    }
    std::vector<OddScope> some;
    while (some.size() < kScopes) some.push_back(scopes->Next(text, &heap_));
    size_t at = 0;
    const Finding finding = judge_.Compare(some, &at);
    if (!finding.way.empty()) {
      Fail(text, some[at], finding);
      return;
    }
    if (dice_.Roll(kDeclaredOf) == 0) {
      const OddScope& scope = dice_.Pick(some);
      const Finding of_declared = judge_.CompareDeclared(scope);
      if (!of_declared.way.empty()) {
        Fail(text, scope, of_declared);
        return;
      }
    }
    absl::StrAppend(&together, text, " ");
    texts.push_back(std::move(text));
  }
  std::vector<OddScope> some;
  while (some.size() < kScopesOfASet) some.push_back(scopes->Next(together, &heap_));
  const Finding finding = judge_.CompareSet(texts, some);
  if (!finding.way.empty()) FailSet(texts, some, finding);
}

void Net::Fail(const std::string& text, const OddScope& scope, const Finding& finding) {
  Finding last = finding;
  OddScope small = scope;
  const bool is_declared = absl::StartsWith(finding.way, "declared");
  const auto shows = [&](const std::string& program, const OddScope& over) {
    size_t at = 0;
    if (!judge_.Load(program)) return false;
    const Finding found = is_declared ? judge_.CompareDeclared(over) : judge_.Compare({over}, &at);
    if (found.way.empty()) return false;
    last = found;
    return true;
  };
  // The program first: a smaller one reads less of the scope. Evaluators that had seen other scopes may be needed.
  const std::string program = Shrink(text, [&](const std::string& part) { return shows(part, small); });
  small = ShrinkScope(
      small, [&](const OddScope& over) { return shows(program, over); }, &heap_);
  Report(Shrink(program, [&](const std::string& part) { return shows(part, small); }), small, last);
}

void Net::FailSet(std::vector<std::string> texts, std::vector<OddScope> scopes, const Finding& finding) {
  Finding last = finding;
  const auto shows = [&](const std::vector<std::string>& programs, const std::vector<OddScope>& over) {
    const Finding found = judge_.CompareSet(programs, over);
    if (found.way.empty()) return false;
    last = found;
    return true;
  };
  for (size_t n = scopes.size(); n > 0 && scopes.size() > 1; --n) {
    std::vector<OddScope> fewer = scopes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n - 1));
    if (shows(texts, fewer)) scopes = std::move(fewer);
  }
  for (size_t n = texts.size(); n > 0 && texts.size() > 1; --n) {
    std::vector<std::string> fewer = texts;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n - 1));
    if (shows(fewer, scopes)) texts = std::move(fewer);
  }
  for (std::string& text : texts) {
    const std::string whole = text;
    text = Shrink(
        whole,
        [&](const std::string& part) {
          std::vector<std::string> programs = texts;
          programs[static_cast<size_t>(&text - texts.data())] = part;
          return Parsed(part).ok() && shows(programs, scopes);
        },
        100);
  }
  std::string all;
  for (const std::string& text : texts) absl::StrAppend(&all, all.empty() ? "" : "\n", text);
  Report(all, scopes.front(), last);
}

void Net::Report(const std::string& text, const OddScope& scope, const Finding& finding) {
  std::string report = absl::StrCat(text, "\n  ", finding.way, ": ", finding.text);
  for (size_t n = 0; n < scope.marked.size(); ++n) {
    const Value& value = scope.marked.values()[n];
    absl::StrAppend(&report, "\n    ", std::string(scope.marked.shape().keys[n].AsString()), " = ", Print(value),
                    value.has_marks() ? " with marks" : "");
  }
  failures_.push_back(std::move(report));
}

}  // namespace hcl::testing_support
