// RequestStream: the lines of recorded requests, plain or compressed, for several threads.
//
// Internal to the workbench. Tested by workbench/request_stream_test.cc.

#ifndef HCLVM_WORKBENCH_REQUEST_STREAM_H_
#define HCLVM_WORKBENCH_REQUEST_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "hclvm/ndjson.h"
#include "hclvm/ndjson/batch_reader.h"

namespace hcl::internal {

// What `input` gives, uncompressed where it begins as gzip does (RFC 1952), as it is otherwise. Members that follow one
// another are one text, as in logs that were appended to. The result fails with kDataLoss where the compressed text is
// damaged or ends early, and with what `input` fails with; it keeps its state in what it captures, so copies share it.
NdjsonInput Uncompressed(NdjsonInput input);

// Thread-safe. Memory: that of the batches of callers, each of which has a longest line and about 256 KiB.
class RequestStream {
 public:
  // Longer lines are cut.
  RequestStream(NdjsonInput input, uint64_t max_line_bytes)
      : input_(Uncompressed(std::move(input))), reader_(input_, max_line_bytes) {}

  // The next lines; false at the end, or where reading has failed. `batch` keeps its memory from call to call.
  bool Next(Batch* batch);
  // Of a read that has failed.
  absl::Status status() const;

 private:
  mutable std::mutex mutex_;
  const NdjsonInput input_;
  BatchReader reader_;
};

// Calls `take` with each line of the batch, without its line end, and with its number from 1. A line that was cut is
// empty, and `is_cut`. Lines of blanks are left out.
void ForEachLine(const Batch& batch, absl::FunctionRef<void(std::string_view line, uint64_t number, bool is_cut)> take);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REQUEST_STREAM_H_
