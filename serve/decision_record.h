// Lines of the decision log: one JSON object for each decision, in the fields that other engines' logs have.
//
// Tested by serve/decision_record_test.cc.

#ifndef HCLVM_SERVE_DECISION_RECORD_H_
#define HCLVM_SERVE_DECISION_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// What a shadow bundle says to the same.
struct ShadowRecord {
  std::string_view revision;
  std::string_view result;  // JSON of the value, or of the diagnostics
  std::string_view erased;  // of the result, as in DecisionRecord::result_erased
  std::string_view masked;
  bool is_error = false;
  bool is_same = false;
};

// Views live as long as the line is being made.
struct DecisionRecord {
  std::string_view decision_id;
  int64_t unix_nanoseconds = 0;
  std::string_view revision;
  std::string_view data_revision;  // empty: no data
  std::string_view path;           // the entry
  Outcome outcome = Outcome::kValue;
  std::string_view input;          // JSON, as a LogMask leaves it; empty: it could not be read as a whole
  std::string_view erased;         // JSON strings with commas between: the places of what is left out of it
  std::string_view masked;         // the same of what is not shown
  std::string_view result;         // JSON; of the value, or, where is_error, of a list of diagnostics
  std::string_view result_erased;  // as `erased` and `masked`: places in the result, which begin with "result"
  std::string_view result_masked;
  bool is_error = false;
  std::string_view trace_id;  // empty: none
  std::string_view span_id;
  std::string_view requested_by;  // empty: not known
  std::string_view request_id;    // empty: none
  uint64_t nanoseconds = 0;
  uint64_t fuel = 0;
  const ShadowRecord* shadow = nullptr;  // null: none
};

// Appends the line, with its line end. `labels` is a JSON object. False where it would have more than `max_bytes`; *out
// is then as it was.
bool AppendDecisionLine(const DecisionRecord& record, std::string_view labels, size_t max_bytes, std::string* out);

// Appends a JSON array of the errors, as a log may have them: code, summary and place, without what the values were and
// without details, which may quote them.
void AppendErrorsForLog(const Diagnostics& diagnostics, const Source* source, std::string* out);

// Appends a time as RFC 3339 in UTC with nanoseconds: "2024-06-01T12:00:00.000000001Z".
void AppendTimestamp(int64_t unix_nanoseconds, std::string* out);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECISION_RECORD_H_
