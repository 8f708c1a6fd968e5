// TestRunner: requests of a file and their answers. Tested by workbench/test_runner_test.cc.
//
// Answers are lines as `hclvm run` prints them, so that a recording is made by that command. Of diagnostics only the
// codes count, since texts change with versions; what is written anew has nothing else of them.

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/test_runner.h"

namespace hcl::internal {
namespace {

// Lines that differ, and are told one by one.
constexpr size_t kMaxShownLines = 10;
constexpr size_t kMaxShownBytes = 200;

// A diagnostic with nothing but its code and its entry.
Value CodeAndEntry(const Value& diagnostic, Heap* heap) {
  if (!diagnostic.is_mapping()) return diagnostic;
  std::vector<KeyValue> pairs;
  for (const std::string_view name : {"code", "entry"}) {
    const int64_t at = diagnostic.shape().Find(name);
    if (at >= 0) pairs.push_back({diagnostic.shape().keys[at], diagnostic.values()[at]});
  }
  return MakeObject(pairs, heap->arena());
}

Value Comparable(const Value& answer, Heap* heap) {
  if (!answer.is_mapping()) return answer;
  std::vector<KeyValue> pairs;
  for (uint32_t n = 0; n < answer.shape().size; ++n) {
    KeyValue pair = {answer.shape().keys[n], answer.values()[n]};
    const std::string_view name = pair.key.AsString();
    if ((name == "diagnostics" || name == "warnings") && pair.value.is_sequence()) {
      std::vector<Value> codes;
      for (const Value& one : pair.value.elements()) codes.push_back(CodeAndEntry(one, heap));
      pair.value = MakeTuple(codes, heap->arena());
    }
    pairs.push_back(pair);
  }
  return MakeObject(pairs, heap->arena());
}

}  // namespace

std::optional<std::vector<std::string>> TestRunner::ReadLines(const std::string& path, SourceRange range,
                                                              CaseResult* result) {
  const absl::StatusOr<std::string> text = suite_->options().read_file(path);
  if (!text.ok()) {
    TestFailure failure;
    failure.kind = TestFailure::Kind::kFile;
    failure.message = std::string(text.status().message());
    failure.range = range;
    result->failures.push_back(std::move(failure));
    return std::nullopt;
  }
  std::vector<std::string> lines = absl::StrSplit(*text, '\n');
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<std::string> TestRunner::Answers(const std::vector<std::string>& requests, const RecordedRequests& recorded,
                                             CaseResult* result) {
  NdjsonOptions options;
  options.limits = options_.limits;
  options.entries = recorded.entries;
  options.check_all = options_.check_all;
  options.unknown_input = options_.unknown_input.value_or(UnknownInput::kNear);
  options.show_sensitive = options_.show_sensitive;
  options.name = recorded.requests;
  LineEvaluator evaluator(suite_->program(), options);
  std::vector<std::string> answers;
  answers.reserve(requests.size());
  for (size_t n = 0; n < requests.size(); ++n) {
    std::string& answer = answers.emplace_back();
    evaluator.Evaluate(requests[n], n + 1, &answer);
    if (!answer.empty() && answer.back() == '\n') answer.pop_back();
  }
  result->evaluations += requests.size() * recorded.entries.size();
  if (counter_ != nullptr) CoverRecorded(requests, recorded);
  return answers;
}

// Answers are lines, of which an evaluator of its own makes them: what that does is not seen here.
void TestRunner::CoverRecorded(const std::vector<std::string>& requests, const RecordedRequests& recorded) {
  evaluator_.set_unknown_input(options_.unknown_input.value_or(UnknownInput::kNear));
  JsonReader reader;
  for (const std::string& request : requests) {
    heap_.Reset();
    JsonError error;
    Value scope;
    if (!reader.Read(request, &heap_, &scope, &error) || !scope.is_object()) continue;
    evaluator_.BindAll(scope);
    is_bound_ = true;
    CaseResult unused;
    for (const Entry* entry : recorded.entries) Evaluate(*entry, &unused);
  }
  evaluator_.UnbindAll();
  evaluator_.set_unknown_input(options_.unknown_input.value_or(UnknownInput::kError));
}

std::string TestRunner::Recorded(const std::string& answer) {
  heap_.Reset();
  JsonReader reader;
  JsonError error;
  Value value;
  std::string text, reason;
  const bool is_written =
      reader.Read(answer, &heap_, &value, &error) && AppendJson(Comparable(value, &heap_), &text, &reason);
  return is_written ? text : answer;
}

// Texts that are equal need not be read.
ValueDifferences TestRunner::CompareAnswer(std::string_view wanted, std::string_view got) {
  if (wanted == got) return {};
  heap_.Reset();
  JsonReader reader;
  JsonError error;
  Value wanted_value, got_value;
  const bool is_read =
      reader.Read(wanted, &heap_, &wanted_value, &error) && reader.Read(got, &heap_, &got_value, &error);
  if (!is_read) {
    ValueDifferences differences;
    differences.count = 1;
    differences.kept.push_back(
        {ValueDifference::Kind::kDifferent, "", Excerpt(wanted, kMaxShownBytes), Excerpt(got, kMaxShownBytes)});
    return differences;
  }
  return DiffValues(Comparable(wanted_value, &heap_), Comparable(got_value, &heap_), DiffOptions(), &heap_);
}

void TestRunner::RunRecorded(const SuiteTest& test, CaseResult* result) {
  const RecordedRequests& recorded = *test.recorded;
  const std::optional<std::vector<std::string>> requests =
      ReadLines(recorded.requests, recorded.requests_range, result);
  if (!requests) return;
  CaseResult unread;
  std::optional<std::vector<std::string>> wanted =
      ReadLines(recorded.answers, recorded.answers_range, options_.updates_answers ? &unread : result);
  if (!wanted && !options_.updates_answers) {
    result->failures.back().message += "; hclvm test --update writes it";
    return;
  }
  if (!wanted) wanted.emplace();
  const std::vector<std::string> got = Answers(*requests, recorded, result);
  size_t differing = 0;
  for (size_t n = 0; n < std::max(got.size(), wanted->size()); ++n) {
    TestFailure failure;
    failure.kind = TestFailure::Kind::kAnswer;
    failure.range = recorded.answers_range;
    failure.message = absl::StrCat(recorded.answers, " line ", n + 1);
    if (n >= wanted->size()) {
      failure.message += " is missing";
      failure.differences = {{{ValueDifference::Kind::kUnexpected, "", "", Excerpt(got[n], kMaxShownBytes)}}, 1};
    } else if (n >= got.size()) {
      failure.message += " answers no request";
      failure.differences = {{{ValueDifference::Kind::kMissing, "", Excerpt((*wanted)[n], kMaxShownBytes), ""}}, 1};
    } else {
      failure.differences = CompareAnswer((*wanted)[n], got[n]);
      if (failure.differences.empty()) continue;
      failure.message += " is another answer";
    }
    if (++differing <= kMaxShownLines) result->failures.push_back(std::move(failure));
  }
  if (differing > kMaxShownLines) {
    TestFailure more;
    more.kind = TestFailure::Kind::kAnswer;
    more.range = recorded.answers_range;
    more.message = absl::StrCat(differing - kMaxShownLines, " further lines differ");
    result->failures.push_back(std::move(more));
  }
  if (differing == 0 || !options_.updates_answers) return;
  for (const std::string& line : got) absl::StrAppend(&result->new_answers, Recorded(line), "\n");
}

}  // namespace hcl::internal
