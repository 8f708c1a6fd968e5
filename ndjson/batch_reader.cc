// BatchReader. Tested by ndjson/batch_reader_test.cc.
//
// Workers take whole batches and not lines, so that their locks are taken once for many lines.

#include "hclvm/ndjson/batch_reader.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::internal {
namespace {

// The size of one read: enough to make the work for each batch small beside that for its lines, and little enough to
// stay in a core's cache until the lines are evaluated.
constexpr size_t kReadBytes = 256 << 10;

uint64_t CountLines(std::string_view text) {
  uint64_t count = 0;
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++count;
  return count;
}

}  // namespace

bool BatchReader::Next(Batch* batch) {
  const bool more = Fill(batch);
  batch->end = read_ - rest_.size();
  return more;
}

// A batch ends with the last line end that was read; the piece of a line behind it goes to the next one. Only what was
// not searched before is searched, so that a long line costs linear time. A line is known to be too long when so many
// bytes have come without a line end, so that memory is bounded by the limit and a few reads.
bool BatchReader::Fill(Batch* batch) {
  batch->sequence = sequence_++;
  batch->first_line = line_;
  batch->cut_line = batch->out_of_memory = false;
  size_t size = rest_.size();
  if (batch->memory.size() < size) batch->memory.resize(size);
  std::copy(rest_.begin(), rest_.end(), batch->memory.begin());
  rest_.clear();
  for (size_t searched = 0;;) {
    const std::string_view text(batch->memory.data(), size);
    const size_t end = text.substr(searched).rfind('\n');
    if (end != std::string_view::npos) {
      batch->text = text.substr(0, searched + end + 1);
      rest_ = text.substr(batch->text.size());
      line_ += CountLines(batch->text);
      return true;
    }
    batch->text = text;
    if (at_end_) return size > 0;
    if (size > max_line_bytes_) {
      batch->cut_line = true;
      return CutLine(batch, size);
    }
    if (!MakeRoom(&batch->memory, size)) {
      batch->out_of_memory = true;
      return CutLine(batch, std::min<size_t>(size, 1));
    }
    searched = size;
    size += ReadMore(&batch->memory, size);
  }
}

// Room for one more read behind `size`. False when the system refuses it; what there is is kept.
bool BatchReader::MakeRoom(std::vector<char>* memory, size_t size) {
  if (memory->size() >= size + kReadBytes) return true;
  return WithMemory([&] { return memory->resize(size + kReadBytes), true; }, [] { return false; });
}

// Keeps the beginning of a line that is too long and skips the rest of it. The rest is read into the same place again
// and again, so that a line of any length takes no more memory. It counts as a line: the numbers of those behind it
// stay right.
bool BatchReader::CutLine(Batch* batch, size_t size) {
  if (!MakeRoom(&batch->memory, size)) {  // not even for the first read
    status_ = absl::ResourceExhaustedError("the system has refused memory for reading");
    return false;
  }
  while (!at_end_) {
    const size_t got = ReadMore(&batch->memory, size);
    const std::string_view skipped(batch->memory.data() + size, got);
    const size_t end = skipped.find('\n');
    if (end == std::string_view::npos) continue;
    rest_ = skipped.substr(end + 1);
    break;
  }
  batch->text = {batch->memory.data(), size};
  ++line_;
  return true;
}

// Bytes that were read, and stand in `memory` from `size` on. Requires room for them.
size_t BatchReader::ReadMore(std::vector<char>* memory, size_t size) {
  const absl::StatusOr<size_t> got = input_(memory->data() + size, kReadBytes);
  if (!got.ok()) status_ = got.status();
  HCL_DCHECK(!got.ok() || *got <= kReadBytes);
  at_end_ = !got.ok() || *got == 0;
  const size_t bytes = got.ok() ? *got : 0;
  read_ += bytes;
  return bytes;
}

}  // namespace hcl::internal
