// BatchReader: cuts a stream of lines into batches.
//
// Internal to ndjson/ and workbench/. Tested by ndjson/batch_reader_test.cc.

#ifndef HCLVM_NDJSON_BATCH_READER_H_
#define HCLVM_NDJSON_BATCH_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/ndjson.h"

namespace hcl::internal {

// Consecutive lines. Keeps its memory from use to use; `text` points to it.
struct Batch {
  uint64_t sequence = 0;       // counts batches, from 0
  uint64_t first_line = 1;     // number of the first line, from 1
  std::string_view text;       // with line ends, but for the last line of a stream that has none
  uint64_t end = 0;            // bytes of the input up to the end of these lines
  bool cut_line = false;       // `text` is the beginning of one line over the limit; the rest is gone
  bool out_of_memory = false;  // `text` is the beginning of one line for which there was no memory; the rest is gone
  std::vector<char> memory;
};

// A batch is the whole lines that one read brings, so that a peer that waits for its answers gets them. Not
// thread-safe.
class BatchReader {
 public:
  // Lines longer than `max_line_bytes` are cut. `input` must outlive the reader.
  BatchReader(const NdjsonInput& input, uint64_t max_line_bytes) : input_(input), max_line_bytes_(max_line_bytes) {}

  // The next lines, at least one; false at the end, or when reading failed.
  bool Next(Batch* batch);

  // Of a read that has failed.
  const absl::Status& status() const { return status_; }

 private:
  bool Fill(Batch* batch);
  static bool MakeRoom(std::vector<char>* memory, size_t size);
  bool CutLine(Batch* batch, size_t size);
  size_t ReadMore(std::vector<char>* memory, size_t size);

  const NdjsonInput& input_;
  uint64_t max_line_bytes_;
  uint64_t sequence_ = 0;
  uint64_t line_ = 1;
  std::string rest_;   // what was read and not yet given
  uint64_t read_ = 0;  // bytes in all
  bool at_end_ = false;
  absl::Status status_;
};

}  // namespace hcl::internal

#endif  // HCLVM_NDJSON_BATCH_READER_H_
