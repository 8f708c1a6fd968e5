// BatchReader. Tested by cmd/hclvm/batch_reader_test.cc.
//
// Workers take whole batches and not lines, so that their locks are taken once for many lines.

#include "hclvm/cmd/hclvm/batch_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "hclvm/base/out_of_memory.h"

namespace hcl::cmd {
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

// A batch ends with the last line end that was read; the piece of a line behind it goes to the next one. Only what was
// not searched before is searched, so that a long line costs linear time. A line is known to be too long when so many
// bytes have come without a line end, so that memory is bounded by the limit and a few reads.
bool BatchReader::Next(Batch* batch) {
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
  return internal::WithMemory([&] { return memory->resize(size + kReadBytes), true; }, [] { return false; });
}

// Keeps the beginning of a line that is too long and skips the rest of it. The rest is read into the same place again
// and again, so that a line of any length takes no more memory. It counts as a line: the numbers of those behind it
// stay right.
bool BatchReader::CutLine(Batch* batch, size_t size) {
  if (!MakeRoom(&batch->memory, size)) {  // not even for the first read
    error_ = ENOMEM;
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

// Bytes that were read, and stand in `memory` from `size` on. read() and not fread(): it returns with what is there,
// where fread() would wait for a full buffer, and a peer on the other end for its answers. Requires room for it.
size_t BatchReader::ReadMore(std::vector<char>* memory, size_t size) {
  ssize_t got;
  do {
    got = read(input_, memory->data() + size, kReadBytes);
  } while (got < 0 && errno == EINTR);
  if (got < 0) error_ = errno;
  at_end_ = got <= 0;
  return static_cast<size_t>(std::max<ssize_t>(got, 0));
}

}  // namespace hcl::cmd
