// NDJSON: a program over many scopes, one line of JSON in and one out for each, with any number of threads.
//
//   hcl::NdjsonOptions options;
//   options.threads = 4;
//   hcl::NdjsonCounts counts;
//   absl::Status status = hcl::RunNdjson(program, options, hcl::ReadFrom(STDIN_FILENO, "<stdin>"),
//   hcl::WriteTo(stdout),
//                                        &counts);
//
// A line is a JSON object of variables. Its answer is {"value": ...}, {"type": ..., "value": ...} with
// NdjsonOptions::typed, or {"diagnostics": [...]}; a bad line does not stop the others. Where several entries are asked
// for, it is {"values": {ENTRY: ..., ...}}, and entries that fail are missing there and have their diagnostics behind
// it:
// {"values": {...}, "diagnostics": [{"entry": ENTRY, ...}, ...]}. Sensitive parts of values are null, and
// "erased": [...] has their places. This is what `hclvm run` does (docs/cli.md). Tested by ndjson/ndjson_test.cc.
// by ndjson/ndjson_test.cc and tests/cli_test.sh.

#ifndef HCLVM_NDJSON_H_
#define HCLVM_NDJSON_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// A line with diagnostics, or one of several entries that has them.
struct NdjsonReport {
  uint64_t line;       // from 1
  const Entry* entry;  // null: it is about the line as a whole, or there is one entry only
  const Diagnostics& diagnostics;
  const Source* source;  // for ToText(); null where they are about no text
  bool is_last;          // further ones of this thread are not described
};

// What the lines up to now came to, whose answers are written.
struct NdjsonProgress {
  uint64_t lines = 0;
  uint64_t errors = 0;  // lines with diagnostics
  uint64_t bytes = 0;   // of the input, line ends included
};

struct NdjsonOptions {
  // For each line; max_source_bytes bounds its length. Once the flag of the interrupt is set, or who it asks says so,
  // no further line is read.
  Limits limits;
  // For each line, in place of the deadline in `limits`; 0: none.
  std::chrono::milliseconds timeout{0};
  // The attributes to evaluate, of the program's entries(); none: all of the program. Limits are for each.
  std::vector<const Entry*> entries;
  // Threads that do the work, the caller's among them; 0: as many as there are cores. At most 256.
  uint32_t threads = 1;
  // Look at all of each line, and at all variables of a module (Evaluator::set_check_all): otherwise what is not needed
  // for an answer is skipped (JsonReader::Read), and may be wrong.
  bool check_all = false;
  // What names are that a module does not declare (Evaluator::set_unknown_input). Warnings stand in the answer as
  // "warnings": [...], and among the diagnostics of a line that fails; not with `text`.
  UnknownInput unknown_input = UnknownInput::kNear;
  // Answer with typed JSON (hclvm/vm/json/json.h).
  bool typed = false;
  // Answer with the values alone, a tab between those of several entries: strings without quotes, and whatever else as
  // JSON. As in the tab-separated formats of databases, null is \N, and a backslash, tab, line feed and other control
  // character stand as \\, \t, \n, \xHH. In place of a value that has failed, "error[CODE]: ...". Not with `typed`.
  bool text = false;
  // Answer with what has the mark "sensitive" as with other values. Otherwise it is null, and "erased" lists its places
  // in the value, or below the names of entries, as JSON pointers: HideSensitive() of hclvm/vm/value/sensitive.h. With
  // `text`, kSensitiveText takes its place.
  bool show_sensitive = false;
  // Variables that all lines have (hclvm/vm/base_layer.h), of the program that is run; may be null.
  std::shared_ptr<const BaseLayer> base;
  // What diagnostics call the input.
  std::string name = "<input>";
  // Variables where a line has none of their name; their memory outlives the run. A later one of a name wins.
  std::vector<std::pair<std::string, Value>> variables;

  // For people: makes a text of what is wrong with a line, for at most `max_reports` lines of each thread. Called from
  // all threads at a time. May be empty.
  std::function<std::string(const NdjsonReport&)> describe;
  uint32_t max_reports = 10;
  // Gets these texts, in the order of the lines, one call at a time. Required with `describe`.
  std::function<void(std::string_view)> tell;
  // Called whenever answers have been written, some thousand lines at a time, one call at a time and not while `tell`
  // is. May be empty.
  std::function<void(const NdjsonProgress&)> progress;
};

// What became of the lines.
struct NdjsonCounts {
  uint64_t lines = 0;
  uint64_t errors = 0;    // lines with diagnostics
  uint64_t warnings = 0;  // lines with warnings
  bool limit = false;     // one of them was about a limit
  uint32_t threads = 1;   // that have worked: fewer than were asked for where the system has refused some
};

// Evaluates lines, one after the other, in the thread that calls. Not thread-safe.
class LineEvaluator {
 public:
  // `options` must outlive it.
  LineEvaluator(std::shared_ptr<const Program> program, const NdjsonOptions& options ABSL_ATTRIBUTE_LIFETIME_BOUND);

  // Appends the line of output for `line`, which is given without its line end and has number `number` from 1. Memory
  // that the system refuses is a limit.
  void Evaluate(std::string_view line, uint64_t number, std::string* out);
  // The same for a line that there was no memory to read.
  void Refuse(uint64_t number, std::string* out);

  const NdjsonCounts& counts() const ABSL_ATTRIBUTE_LIFETIME_BOUND { return counts_; }
  // What was described since the last call.
  std::string TakeReports();

 private:
  void EvaluateLine(std::string_view line, uint64_t number, std::string* out);
  bool ReadPart(std::string_view line);
  bool ReadWhole(std::string_view line, Value* scope, JsonError* error);
  bool AnswerAny(uint64_t number, bool is_last, std::string* out);
  bool Answer(uint64_t number, bool is_last, std::string* out);
  bool AnswerEach(uint64_t number, bool is_last, std::string* out);
  void EndAnswer(std::string* out) const;
  void AppendWarnings(const Evaluation& evaluation, uint64_t number, const Entry* entry, std::string_view name,
                      std::string* out);
  bool AppendValue(const Value& value, std::string_view entry, std::string* out, JsonError* error);
  void ReportScope(std::string_view line, uint64_t number, const JsonError& error, std::string* out);
  void ReportOutOfMemory(uint64_t number, std::string* out);
  void Report(const Diagnostics& diagnostics, const Source* source, uint64_t number, std::string* out);
  void Describe(const Diagnostics& diagnostics, const Source* source, uint64_t number, const Entry* entry);

  const NdjsonOptions& options_;
  Limits limits_;  // for one line
  Evaluator evaluator_;
  std::vector<uint32_t> chunks_;          // of the entries, or the main one
  std::vector<std::string> entry_names_;  // of several entries, as JSON
  Heap heap_;                             // of the scope
  JsonReader reader_;
  Reads reads_;
  ScopeReader scope_;                                 // of what is needed of a line
  std::vector<std::pair<uint32_t, Value>> defaults_;  // the options' variables, by slot
  NdjsonCounts counts_;
  uint64_t reported_ = 0;
  std::string reports_;
  std::string failures_;  // of the entries of a line, as JSON
  std::string warnings_;  // the same
  std::string erased_;    // places of the line, as JSON strings with commas between
  std::vector<std::string> places_;
};

// Reads at most `size` bytes into `room` and returns how many; 0 at the end. It may return with what there is, so that
// a peer that waits for answers gets them, and waits only where there is nothing. Called by one thread at a time.
using NdjsonInput = std::function<absl::StatusOr<size_t>(char* room, size_t size)>;
// Takes lines of output, of which it keeps nothing. Called by one thread at a time.
using NdjsonOutput = std::function<absl::Status(std::string_view lines)>;

// Reads from a file descriptor, which must outlive its use. A failure is "cannot read NAME: REASON".
NdjsonInput ReadFrom(int descriptor, std::string name);
// Writes to a file, which must outlive its use, and flushes it. A failure is "cannot write the output".
NdjsonOutput WriteTo(std::FILE* file);

// Reads `input` to its end, and writes a line to `output` for each line, in their order. *counts, which may be null, is
// set in any case. Memory is bounded: by the longest line, and by some megabytes for each thread. Fails when
//
//   input or output have failed   with their status; what was read before is answered
//   memory was refused            kResourceExhausted; lines are missing
//   Limits::interrupt was set     kCancelled; what was read before is answered
absl::Status RunNdjson(std::shared_ptr<const Program> program, const NdjsonOptions& options, const NdjsonInput& input,
                       const NdjsonOutput& output, NdjsonCounts* counts = nullptr);

// What is reported of a result that `error`, of AppendJson(), keeps from being written. `chunk` of `program` was run;
// the message points to the attribute at fault.
Diagnostics WritingFailed(const JsonError& error, const Program& program, uint32_t chunk);

}  // namespace hcl

#endif  // HCLVM_NDJSON_H_
