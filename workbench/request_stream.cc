// RequestStream. Tested by workbench/request_stream_test.cc.

#include "hclvm/workbench/request_stream.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "zlib.h"

namespace hcl::internal {
namespace {

constexpr size_t kReadBytes = 64 << 10;
constexpr int kGzipOnly = 16 + MAX_WBITS;
constexpr unsigned char kMagic[] = {0x1f, 0x8b};

absl::Status Damaged(absl::string_view how) { return absl::DataLossError(how); }

// Reads as the input does until two bytes say what it is.
class Uncompressor {
 public:
  explicit Uncompressor(NdjsonInput input) : input_(std::move(input)), buffer_(kReadBytes) {}
  Uncompressor(const Uncompressor&) = delete;
  Uncompressor& operator=(const Uncompressor&) = delete;
  ~Uncompressor() {
    if (is_open_) inflateEnd(&stream_);
  }

  absl::StatusOr<size_t> Read(char* room, size_t size) {
    if (!is_known_) {
      const absl::Status status = FindForm();
      if (!status.ok()) return status;
    }
    if (is_gzip_) return Inflate(room, size);
    if (begin_ == end_) return input_(room, size);
    const size_t bytes = std::min(size, end_ - begin_);
    std::memcpy(room, buffer_.data() + begin_, bytes);
    begin_ += bytes;
    return bytes;
  }

 private:
  // One read more, behind what is there. Requires room.
  absl::Status Fill() {
    const absl::StatusOr<size_t> got = input_(buffer_.data() + end_, buffer_.size() - end_);
    if (!got.ok()) return got.status();
    end_ += *got;
    at_end_ = *got == 0;
    return absl::OkStatus();
  }

  absl::Status FindForm() {
    while (!at_end_ && end_ < sizeof(kMagic)) {
      const absl::Status status = Fill();
      if (!status.ok()) return status;
    }
    is_known_ = true;
    is_gzip_ = end_ >= sizeof(kMagic) && std::memcmp(buffer_.data(), kMagic, sizeof(kMagic)) == 0;
    return absl::OkStatus();
  }

  absl::Status Open() {
    if (is_open_) {
      if (inflateReset(&stream_) != Z_OK) return Damaged("the compressed text is damaged");
      return absl::OkStatus();
    }
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      return absl::ResourceExhaustedError("the system has refused memory for reading");
    }
    is_open_ = true;
    return absl::OkStatus();
  }

  // Zeros behind the last member are padding, as of tapes.
  absl::StatusOr<size_t> Inflate(char* room, size_t size) {
    stream_.next_out = reinterpret_cast<Bytef*>(room);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (begin_ == end_) {
        begin_ = end_ = 0;
        const absl::Status status = at_end_ ? absl::OkStatus() : Fill();
        if (!status.ok()) return status;
        if (at_end_) {
          if (in_member_) return Damaged("the compressed text ends early");
          return 0;
        }
      }
      if (!in_member_) {
        if (is_open_ && buffer_[begin_] == '\0') {
          ++begin_;
          continue;
        }
        const absl::Status status = Open();
        if (!status.ok()) return status;
        in_member_ = true;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + begin_);
      stream_.avail_in = static_cast<uInt>(end_ - begin_);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      begin_ = end_ - stream_.avail_in;
      if (result == Z_STREAM_END) {
        in_member_ = false;
      } else if (result == Z_MEM_ERROR) {
        return absl::ResourceExhaustedError("the system has refused memory for reading");
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        return Damaged("the compressed text is damaged");
      }
    }
    return size - stream_.avail_out;
  }

  const NdjsonInput input_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of what is in the buffer, and not yet given
  size_t end_ = 0;
  bool at_end_ = false;  // of the input
  bool is_known_ = false;
  bool is_gzip_ = false;
  bool is_open_ = false;  // the stream
  bool in_member_ = false;
  z_stream stream_ = {};
};

}  // namespace

NdjsonInput Uncompressed(NdjsonInput input) {
  const auto made = std::make_shared<Uncompressor>(std::move(input));
  return [made](char* room, size_t size) { return made->Read(room, size); };
}

bool RequestStream::Next(Batch* batch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reader_.Next(batch);
}

absl::Status RequestStream::status() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reader_.status();
}

void ForEachLine(const Batch& batch,
                 absl::FunctionRef<void(std::string_view line, uint64_t number, bool is_cut)> take) {
  if (batch.cut_line || batch.out_of_memory) return take("", batch.first_line, /*is_cut=*/true);
  std::string_view text = batch.text;
  for (uint64_t number = batch.first_line; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) take(line, number, /*is_cut=*/false);
  }
}

}  // namespace hcl::internal
