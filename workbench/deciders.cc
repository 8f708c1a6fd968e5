// Deciders. Tested by workbench/deciders_test.cc.

#include "hclvm/workbench/deciders.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/vm/unknown_input.h"

namespace hcl::internal {
namespace {

using Kind = Reason::Kind;

// Deciders that one text names.
constexpr size_t kMaxNamed = 3;
// Reasons that are looked at: what decides comes first.
constexpr size_t kMaxReasons = 30;
constexpr size_t kMaxTextBytes = 60;

bool IsTruth(const std::string& value) { return value == "true" || value == "false"; }

// The number of a rule or an attempt is one of the text of the config; that of an element is one of the request.
std::string TextOf(const Reason& reason) {
  const std::string text = Excerpt(reason.text, kMaxTextBytes);
  switch (reason.kind) {
    case Kind::kRule:
      // What is no literal has its value as its text.
      if (reason.text == reason.value) return "a rule applies";
      return absl::StrCat("rule ", reason.number, " of ", reason.count, " applies");
    case Kind::kAttempt:
      return absl::StrCat("attempt ", reason.number, " of ", reason.count, ": ", text);
    case Kind::kError:
      return absl::StrCat(text, " fails");
    case Kind::kUnknown:
      return absl::StrCat(text, " is unknown");
    default:
      return IsTruth(reason.value) ? absl::StrCat(text, " is ", reason.value) : text;
  }
}

bool IsNamed(const Reason& reason) { return reason.kind == Kind::kName || reason.kind == Kind::kFunction; }

// Whether it says itself what has decided. Names have a value, of which only a bool decides.
bool MayDecide(const Reason& reason) { return !IsNamed(reason) || IsTruth(reason.value); }

class DeciderWriter {
 public:
  // What stands for something else, as the name of a local, is what has decided within that.
  void Add(const std::vector<Reason>& reasons) {
    for (const Reason& reason : reasons) {
      if (reason.kind == Kind::kPassedOver) continue;
      const bool is_last = reason.kind == Kind::kRule || reason.kind == Kind::kError ||
                           std::none_of(reason.reasons.begin(), reason.reasons.end(), MayDecide);
      if (!is_last) {
        Add(reason.reasons);
      } else if (MayDecide(reason)) {
        Name(reason);
      }
      // Those after it say what has not decided.
      if (reason.kind != Kind::kOperand && reason.kind != Kind::kName && reason.kind != Kind::kFunction) return;
    }
  }

  std::string Take() && {
    if (named_ > kMaxNamed) text_ += ", ...";
    return std::move(text_);
  }

 private:
  void Name(const Reason& reason) {
    if (++named_ > kMaxNamed) return;
    absl::StrAppend(&text_, text_.empty() ? "" : ", ", TextOf(reason), " (", reason.place.file, ":", reason.place.line,
                    ")");
  }

  size_t named_ = 0;
  std::string text_;
};

ExplainOptions Options(const Limits& limits, std::shared_ptr<const BaseLayer> base) {
  ExplainOptions options;
  options.limits = limits;
  options.unknown_input = UnknownInput::kIgnore;
  options.base = std::move(base);
  options.deciding_only = true;
  options.max_reasons = kMaxReasons;
  return options;
}

}  // namespace

std::string DecidingText(const Explanation& explanation) {
  DeciderWriter writer;
  writer.Add(explanation.reasons);
  return std::move(writer).Take();
}

EntriesByPath ByPath(const Program& program) {
  EntriesByPath entries;
  for (const Entry& entry : program.entries()) entries.emplace(entry.path, &entry);
  return entries;
}

DeciderFinder::DeciderFinder(std::shared_ptr<const Program> program, const Limits& limits,
                             std::shared_ptr<const BaseLayer> base)
    : program_(std::move(program)),
      explainer_(program_, Options(limits, std::move(base))),
      entries_(ByPath(*program_)) {}

std::string DeciderFinder::Find(const Value& scope, std::string_view path, bool ok) {
  const auto found = entries_.find(path);
  if (found == entries_.end()) return "";
  const Explanation explanation = explainer_.Explain(scope, *found->second);
  return ok == (explanation.outcome != Explanation::Outcome::kError) ? DecidingText(explanation) : "";
}

}  // namespace hcl::internal
