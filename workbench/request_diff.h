// RequestDiff: what two versions of a config answer to the same recorded requests.
//
//   ComparedEntries entries = CompareEntries(*before, *after, /*chosen=*/{});
//   RequestDiff diff({before}, {after}, &entries, options);  // one for each thread
//   diff.Add(line, number, is_cut);
//   DiffCounts all = diff.counts();  // Merge() adds those of other threads
//
// Internal to the workbench. Tested by workbench/request_diff_test.cc.

#ifndef HCLVM_WORKBENCH_REQUEST_DIFF_H_
#define HCLVM_WORKBENCH_REQUEST_DIFF_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/deciders.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::internal {

struct ComparedEntries {
  struct Pair {
    std::string path;
    const Entry* before;
    const Entry* after;
  };

  std::vector<Pair> both;  // in the order of the later version
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
};

// The entries of two versions, or those of the paths `chosen`, which at least one of them has to have. The programs
// must outlive the result.
ComparedEntries CompareEntries(const Program& before, const Program& after, absl::Span<const std::string> chosen);

// One of the two versions. Bases are below the requests (BaseLayer), each of the program beside it; null: nothing is.
struct DiffedVersion {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const BaseLayer> base;
  // The same config, compiled with RecordingOptions() (workbench/live_recorder.h): it says what has decided. Null:
  // answers are grouped by what they are, and by nothing else.
  std::shared_ptr<const Program> recording;
  std::shared_ptr<const BaseLayer> recording_base;
};

struct RequestDiffOptions {
  Limits limits;  // of each evaluation
  RequestForm form = RequestForm::kScopes;
  std::string log_module;         // FindLoggedEntry()
  bool includes_partial = false;  // also decisions that a log has parts of
  bool show_sensitive = false;
};

// How an answer differs.
enum class AnswerChange : uint8_t {
  kValue,
  kFailsNow,
  kFailsNoLonger,
  kOtherError,  // the codes of the first errors differ; texts do not matter
};

// Answers of one entry that differ in the same way.
struct DiffGroup {
  uint64_t count = 0;
  // The first of them: its line, its decision in a log, and what was answered: JSON, or `error CODE at FILE:LINE:
  // TEXT`.
  uint64_t line = 0;
  std::string id;
  std::string before;
  std::string after;
  std::string request;  // the line
  // Why, in a few lines (ExplainGroups()); empty where it is not known.
  std::string why_before;
  std::string why_after;
};

// What the answers to an entry came to.
struct EntryCounts {
  struct Cost {
    uint64_t fuel = 0;
    std::chrono::nanoseconds time{0};
  };
  // How it differs.
  struct Key {
    AnswerChange change;
    // What was answered, as people read it. Values of objects with a name for what has decided (`rule` or `id`) are
    // these; other values are the parts that differ, and prose is "text".
    std::string before;
    std::string after;
    std::string decided_before;  // DecidingText(); empty where it is not known
    std::string decided_after;

    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.change, a.before, a.after, a.decided_before, a.decided_after) <
             std::tie(b.change, b.before, b.after, b.decided_before, b.decided_after);
    }
  };

  uint64_t answers = 0;
  uint64_t same_error = 0;  // answers that fail in both versions, with the same code
  Cost before;
  Cost after;
  std::map<Key, DiffGroup> groups;

  uint64_t differing() const;
  uint64_t Count(AnswerChange change) const;
};

struct DiffCounts {
  uint64_t requests = 0;   // that were answered
  uint64_t differing = 0;  // of which an answer differs
  uint64_t partial = 0;    // not answered, as the log leaves parts of their variables out
  uint64_t other = 0;      // of a log: decisions of entries that are not compared
  uint64_t broken = 0;     // lines that are no requests
  uint64_t first_broken = 0;
  std::string fault;   // of the first one
  bool limit = false;  // an evaluation has crossed one
  std::vector<EntryCounts> entries;

  uint64_t answers() const;
  uint64_t differing_answers() const;
  uint64_t same_errors() const;
  uint64_t Count(AnswerChange change) const;
};

// Adds what another thread has counted. The result does not depend on who has counted what.
void Merge(DiffCounts&& other, DiffCounts* counts);

// Belongs to one thread.
class RequestDiff {
 public:
  // `entries` must outlive it.
  RequestDiff(DiffedVersion before, DiffedVersion after, const ComparedEntries* entries ABSL_ATTRIBUTE_LIFETIME_BOUND,
              const RequestDiffOptions& options);

  // Answers a line, as ForEachLine() gives it. Lines come in any order.
  void Add(std::string_view line, uint64_t number, bool is_cut);

  DiffCounts& counts() ABSL_ATTRIBUTE_LIFETIME_BOUND { return counts_; }

 private:
  struct Difference {
    size_t entry;
    EntryCounts::Key key;
    std::string before;
    std::string after;
  };
  struct Run {
    size_t entry;
    EntryCounts::Cost before;
    EntryCounts::Cost after;
    bool same_error = false;
  };

  void AddBroken(uint64_t number, std::string fault);
  bool Answer(const RecordedRequest& request, bool is_whole);
  size_t FindPair(std::string_view path);
  bool AnswerEntry(size_t n, bool is_first, bool is_whole);
  const Evaluation& Evaluate(Evaluator* evaluator, const Entry& entry, bool is_first, EntryCounts::Cost* cost);
  void Compare(size_t entry, const Evaluation& before, const Evaluation& after);
  void CompareValues(size_t entry, const Evaluation& before, const Evaluation& after);
  void AppendParts(const Value& before, const Value& after, std::string* old_key, std::string* new_key);
  void FindDeciders(std::string_view line, RecordedRequest* request);
  Value Shown(const Evaluation& evaluation, Evaluator* evaluator) const;
  void Count(const RecordedRequest& request, std::string_view line, uint64_t number);

  const RequestDiffOptions options_;
  const ComparedEntries& entries_;
  const DiffedVersion old_version_;
  const DiffedVersion new_version_;
  Evaluator before_;
  Evaluator after_;
  RequestReader reader_;
  Heap heap_;                                          // for differences
  std::map<std::string, size_t, std::less<>> logged_;  // paths of a log, to numbers of `both`
  std::optional<DeciderFinder> old_deciders_;          // made for the first difference
  std::optional<DeciderFinder> new_deciders_;
  bool after_is_first_ = false;
  // Of the current line.
  std::vector<Run> runs_;
  std::vector<Difference> differences_;
  bool failed_ = false;
  bool limit_ = false;
  std::string text_before_;
  std::string text_after_;
  DiffCounts counts_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REQUEST_DIFF_H_
