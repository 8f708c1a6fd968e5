// Functions that compress, by zlib. Tested by vm/functions/gzip_functions_test.cc.

#include "hclvm/vm/functions/gzip_functions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/vm/functions/base64_text.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/value.h"
#include "zlib.h"

namespace hcl {
namespace {

using internal::CanMake;
using internal::Define;
using internal::EncodeBase64;
using internal::Param;

// Units of fuel for setting up, which takes 260 KiB of memory and clears half of it, and for a byte of text.
constexpr uint64_t kSetUp = 1000;
constexpr uint64_t kCostOfByte = 4;
// Text goes in pieces, so that a host's wish to stop is noticed in between.
constexpr size_t kPieceBytes = 16 << 10;

// A stream that writes gzip, as the library sets it up. Neither copied nor moved, as zlib keeps pointers into it.
class GzipWriter {
 public:
  GzipWriter() {
    constexpr int kGzip = 15 + 16;  // the largest window, and gzip's header and checksum
    constexpr int kMemoryLevel = 8;
    ok_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
    // No time, no name, and no system: the result is the same wherever it is made.
    constexpr int kUnknownSystem = 255;
    header_.os = kUnknownSystem;
    if (ok_) deflateSetHeader(&stream_, &header_);
  }
  ~GzipWriter() {
    if (ok_) deflateEnd(&stream_);
  }
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  bool ok() const { return ok_; }

  // Appends what becomes of `piece` to `out`, and what is left after the last one.
  void Write(std::string_view piece, bool is_last, std::string* out) {
    stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    Bytef buffer[4096];
    do {
      stream_.next_out = buffer;
      stream_.avail_out = sizeof(buffer);
      deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      out->append(reinterpret_cast<const char*>(buffer), sizeof(buffer) - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_ = {};
  gz_header header_ = {};
  bool ok_ = false;
};

// Bytes have no value of their own here, so that they stand in base64. The text is paid for piece by piece, at what the
// slowest texts take; what becomes of it is hardly longer than it is.
Value Base64Gzip(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!call->Charge(kSetUp)) return Value();
  GzipWriter writer;
  if (!writer.ok()) return call->LimitError("there is no memory for compressing");
  std::string bytes;
  size_t at = 0;
  do {
    const std::string_view piece = text.substr(at, kPieceBytes);
    at += piece.size();
    if (!call->Charge(kCostOfByte * piece.size())) return Value();
    writer.Write(piece, at == text.size(), &bytes);
  } while (at < text.size());
  if (!CanMake(call, bytes.size() / 3 + 1, 4)) return Value();
  return EncodeBase64(bytes, call);
}

}  // namespace

void RegisterGzipFunctions(FunctionRegistryBuilder* builder) {
  builder->Add(Define("base64gzip", {Param("str", Type::String())}, Type::String(), Base64Gzip));
}

}  // namespace hcl
