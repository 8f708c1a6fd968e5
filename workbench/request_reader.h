// RequestReader: what lines of recorded requests say, of which there are two forms.
//
//   scopes         an object of variables, as `hclvm run --scopes` reads it
//   decision log   an object with the entry as "path" and the variables as "input" (docs/service.md, "Decision log")
//
// A file may mix them (RequestForm::kEither).
//
// Internal to the workbench. Tested by workbench/request_reader_test.cc.

#ifndef HCLVM_WORKBENCH_REQUEST_READER_H_
#define HCLVM_WORKBENCH_REQUEST_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

enum class RequestForm : uint8_t {
  kScopes,
  kLog,
  // Each line has its own form. A line is a decision if it has "input", and its "path" and "decision_id" are strings
  // that are not empty. Variables may have one or two of these names.
  kEither,
};

// Valid until the reader reads the next line.
struct RecordedRequest {
  // What a log leaves out of the variables.
  enum class Lack : uint8_t {
    kNothing,
    kVariables,  // whole variables: a run says whether it needs them
    kParts,      // less, or something stands in its place: a run may make something else of it
  };

  Value scope;            // an object of variables; null for Lack::kParts where a log has no input
  std::string_view path;  // of a log: "billing/policy.access.decision"; empty for scopes
  std::string_view id;    // of a log: the decision; may be empty
  Lack lack = Lack::kNothing;
};

// Lines that are no requests.
struct BrokenLines {
  uint64_t count = 0;
  bool has_long = false;  // one is longer than Limits::max_source_bytes
  std::string fault;      // of the first one, with its number: "line 3: ..."
};

// What evaluations of the entries need of requests. `base` is below the requests, and of the same program; it may be
// null.
JsonProjection NeededBy(const std::shared_ptr<const Program>& program, absl::Span<const Entry* const> entries,
                        const BaseLayer* base);

// Reads lines one after the other, in one thread.
class RequestReader {
 public:
  // `needed` is what is needed of the variables: the rest is skipped, and may be wrong (JsonReader::Read).
  RequestReader(RequestForm form, const JsonProjection& needed, Dialect dialect, const Limits& limits);

  // False where the line is no request: *fault says why, in one line. Limits::max_source_bytes bounds the line.
  bool Read(std::string_view line, RecordedRequest* request, std::string* fault) {
    return Read(line, needed_, request, fault);
  }
  // The same with all that the line has.
  bool ReadWhole(std::string_view line, RecordedRequest* request, std::string* fault) {
    return Read(line, whole_, request, fault);
  }

  // The same of line `number`, which may be cut. What is no request is added to *broken.
  bool ReadOrNote(std::string_view line, uint64_t number, bool is_cut, RecordedRequest* request, BrokenLines* broken);

 private:
  bool Read(std::string_view line, const JsonProjection& needed, RecordedRequest* request, std::string* fault);

  const RequestForm form_;
  const Limits limits_;
  JsonProjection needed_;
  JsonProjection whole_;
  Heap heap_;
  JsonReader reader_;
};

// The entry of `program` that a path of a log names, or null. The path is that of the entry, or that behind the name of
// a module: with `module`, this one; otherwise any, and the longest path of an entry counts.
const Entry* FindLoggedEntry(const Program& program, std::string_view path, std::string_view module);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REQUEST_READER_H_
