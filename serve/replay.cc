// Replay. Tested by serve/replay_test.cc.

#include "hclvm/serve/replay.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/print_numbers.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

constexpr size_t kMaxRuleBytes = 60;
// Further ways in which decisions change are one group.
constexpr size_t kMaxGroups = 10'000;

const Value* Member(const Value& object, std::string_view name) {
  const int64_t at = object.shape().Find(name);
  return at < 0 ? nullptr : &object.values()[static_cast<size_t>(at)];
}

std::string Json(const Value& value, const Limits& limits) {
  std::string json;
  JsonError error;
  return AppendJson(value, limits, &json, &error) ? json : "error";
}

std::string RuleOf(const Value& value, const std::string& json) {
  if (value.is_object()) {
    for (const std::string_view name : {"rule", "id"}) {
      const Value* const rule = Member(value, name);
      if (rule != nullptr && rule->is_string()) return std::string(rule->AsString().substr(0, kMaxRuleBytes));
    }
  }
  return json.size() <= kMaxRuleBytes ? json : json.substr(0, kMaxRuleBytes) + "...";
}

// Whether that place of `erased` is in the result: those of the input begin with "/", or are empty. Sensitive parts of
// a result are no part of the comparison.
bool IsOfResult(const Value& place) { return place.is_string() && place.AsString().substr(0, 6) == "result"; }

// Where only whole variables were left out, a run says whether it needs them. Of less, a run may make something else.
bool LacksParts(const Value& record) {
  if (Member(record, "masked") != nullptr) return true;
  const Value* const erased = Member(record, "erased");
  if (erased == nullptr) return false;
  if (!erased->is_tuple()) return true;
  return std::any_of(erased->elements().begin(), erased->elements().end(), [](const Value& place) {
    if (IsOfResult(place)) return false;
    return !place.is_string() || std::count(place.AsString().begin(), place.AsString().end(), '/') != 1;
  });
}

// Whether a mask has left something out of the result, beside what is sensitive.
bool LacksParts(const Value& record, const std::vector<std::string>& sensitive) {
  const Value* const erased = Member(record, "erased");
  if (erased == nullptr || !erased->is_tuple()) return false;
  return std::any_of(erased->elements().begin(), erased->elements().end(), [&](const Value& place) {
    if (!IsOfResult(place)) return false;
    const std::string_view rest = place.AsString().substr(6);
    return std::find(sensitive.begin(), sensitive.end(), rest) == sensitive.end();
  });
}

// Whether whole variables were left out of the input.
bool LacksVariables(const Value& record) {
  const Value* const erased = Member(record, "erased");
  if (erased == nullptr) return false;
  return !erased->is_tuple() || !std::all_of(erased->elements().begin(), erased->elements().end(), IsOfResult);
}

}  // namespace

Replay::Replay(std::shared_ptr<const Bundle> bundle, const std::shared_ptr<const DataLayers>& layers,
               const ReplayOptions& options)
    : bundle_(std::move(bundle)),
      options_(options),
      decider_(options.limits, options.scopes),
      heap_(nullptr, Dialect::kSpec, options.limits) {
  decider_.Use(bundle_, layers);
}

// The decision as text, to be compared.
std::string Replay::Decide(const BundleEntry& entry, const Value& input, std::string* rule,
                           std::vector<std::string>* hidden) {
  const Decision decision = decider_.Run(entry, input, {});
  if (decision.outcome == Outcome::kValue) {
    const Value value = HideSensitive(decision.marked_value, SensitiveForm::kNull, &heap_, hidden);
    std::string json = Json(value, options_.limits);
    *rule = RuleOf(value, json);
    return json;
  }
  if (decision.outcome == Outcome::kBadScope) {
    *rule = "bad scope";
  } else {
    *rule = absl::StrCat("error ", CodeText(decision.diagnostics->kept()[0].code));
  }
  return "error";
}

void Replay::Add(std::string_view line) {
  heap_.Reset();
  Value record;
  JsonError error;
  if (!reader_.Read(line, &heap_, &record, &error) || !record.is_object()) return static_cast<void>(++broken_);
  const Value* const path = Member(record, "path");
  const Value* const input = Member(record, "input");
  const Value* const result = Member(record, "result");
  const Value* const failure = Member(record, "error");
  if (path == nullptr || !path->is_string() || input == nullptr || !input->is_object() ||
      (result == nullptr) == (failure == nullptr)) {
    return static_cast<void>(++broken_);
  }
  if (!options_.partial && LacksParts(record)) return static_cast<void>(++partial_);
  std::string before = "error";
  std::string rule_before = "error";
  if (result != nullptr) {
    before = Json(*result, options_.limits);
    rule_before = RuleOf(*result, before);
  }
  std::string rule = "no such entry";
  std::string now;
  const BundleEntry* const entry = bundle_->Find(path->AsString());
  std::vector<std::string> hidden;
  if (entry != nullptr) now = Decide(*entry, *input, &rule, &hidden);
  if (before != now && LacksParts(record, hidden)) return static_cast<void>(++partial_);
  const bool lacks_variables = LacksVariables(record) && rule == "bad scope";
  if (lacks_variables && before != now) return static_cast<void>(++partial_);
  if (before == now) return static_cast<void>(++same_);
  ++changed_;
  std::tuple<std::string, std::string, std::string> key(path->AsString(), rule_before, rule);
  if (groups_.size() >= kMaxGroups && groups_.count(key) == 0) key = {"(others)", "", ""};
  Group& group = groups_[key];
  const Value* const id = Member(record, "decision_id");
  if (++group.count == 1 && id != nullptr && id->is_string()) group.example = std::string(id->AsString());
}

std::string Replay::Report() const {
  std::string out = absl::StrCat(same_ + changed_, same_ + changed_ == 1 ? " decision: " : " decisions: ", same_,
                                 " the same, ", changed_, " changed");
  if (partial_ > 0) absl::StrAppend(&out, "; ", partial_, " not decided again, as parts of their inputs are not there");
  if (broken_ > 0) absl::StrAppend(&out, "; ", broken_, " lines that are no decisions");
  out.push_back('\n');
  std::string entry;
  for (const auto& [key, group] : groups_) {
    if (std::get<0>(key) != entry) absl::StrAppend(&out, "\n", entry = std::get<0>(key), "\n");
    absl::StrAppend(&out, internal::PrintNumbers("%8llu  ", static_cast<unsigned long long>(group.count)),
                    std::get<1>(key), " -> ", std::get<2>(key), "  (", group.example, ")\n");
  }
  return out;
}

}  // namespace hcl::serve
