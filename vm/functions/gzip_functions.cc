// Functions that compress and unpack, by zlib. Tested by vm/functions/gzip_functions_test.cc.

#include "hclvm/vm/functions/gzip_functions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/base64_text.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/value.h"
#include "zlib.h"

namespace hcl {
namespace {

using internal::CanMake;
using internal::Checked;
using internal::DecodeBase64Argument;
using internal::Define;
using internal::EncodeBase64;
using internal::FindInvalidUtf8;
using internal::NormalizedCopy;
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

// For a byte that is unpacked, the tables of a block among them, and bytes of the result that one unit is for.
constexpr uint64_t kCostOfPackedByte = 8;
constexpr uint64_t kUnpackedBytesOfUnit = 2;

// Of a stream that is being unpacked. Neither copied nor moved, as zlib keeps pointers into it.
class GzipReader {
 public:
  enum class Outcome { kMore, kEnd, kDamaged, kNoMemory };

  // `bytes` must outlive this.
  explicit GzipReader(std::string_view bytes) {
    constexpr int kGzip = 15 + 16;  // the largest window, and gzip's header and checksum
    ok_ = inflateInit2(&stream_, kGzip) == Z_OK;
    stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(bytes.data()));
    left_ = bytes.size();
  }
  ~GzipReader() {
    if (ok_) inflateEnd(&stream_);
  }
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  bool ok() const { return ok_; }
  size_t left() const { return left_; }

  // Appends at most kPieceBytes to `out`, made of at most `most` bytes of what is left. Several members after each
  // other are one text, as RFC 1952 has it.
  Outcome Read(size_t most, std::string* out) {
    Bytef buffer[kPieceBytes];
    stream_.next_out = buffer;
    stream_.avail_out = sizeof(buffer);
    const size_t given = std::min(most, left_);
    stream_.avail_in = static_cast<uInt>(given);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    left_ -= given - stream_.avail_in;
    out->append(reinterpret_cast<const char*>(buffer), sizeof(buffer) - stream_.avail_out);
    if (result == Z_MEM_ERROR) return Outcome::kNoMemory;
    if (result == Z_STREAM_END) {
      if (left_ == 0) return Outcome::kEnd;
      return inflateReset(&stream_) == Z_OK ? Outcome::kMore : Outcome::kDamaged;
    }
    // Without progress at the end of all bytes, the end is missing.
    if (result == Z_BUF_ERROR) return Outcome::kDamaged;
    return result == Z_OK ? Outcome::kMore : Outcome::kDamaged;
  }

 private:
  z_stream stream_ = {};
  size_t left_ = 0;
  bool ok_ = false;
};

// The text that `bytes` unpack to; nothing when the call has failed. Few bytes may stand for gigabytes, so that each
// piece is asked for and paid for before the next one is made.
std::optional<std::string> Unpack(const std::string& bytes, FunctionCall* call) {
  if (!call->Charge(kSetUp)) return std::nullopt;
  GzipReader reader(bytes);
  std::string text;
  auto outcome = reader.ok() ? GzipReader::Outcome::kMore : GzipReader::Outcome::kNoMemory;
  while (outcome == GzipReader::Outcome::kMore) {
    const size_t left = reader.left();
    const size_t before = text.size();
    outcome = reader.Read(kPieceBytes, &text);
    const uint64_t cost = kCostOfPackedByte * (left - reader.left()) + (text.size() - before) / kUnpackedBytesOfUnit;
    if (!call->Charge(cost + 1) || !CanMake(call, text.size(), 1)) return std::nullopt;
  }
  if (outcome == GzipReader::Outcome::kEnd) return text;
  if (outcome == GzipReader::Outcome::kNoMemory) {
    call->LimitError("there is no memory for unpacking");
  } else {
    call->ArgumentError(0, "the decoded bytes are no data of gzip, or are damaged");
  }
  return std::nullopt;
}

// A string is text, as for base64decode.
Value Base64Gunzip(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::optional<std::string> bytes = DecodeBase64Argument(arguments[0], 0, call);
  if (!bytes) return Value();
  const std::optional<std::string> text = Unpack(*bytes, call);
  if (!text) return Value();
  const size_t invalid = FindInvalidUtf8(*text);
  if (invalid == std::string::npos) return NormalizedCopy(*text, call);
  return call->ArgumentError(
      0, [&] { return absl::StrCat("the unpacked bytes are not text: byte ", invalid, " is not UTF-8"); });
}

void CheckGunzip(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!arguments[0].is_unknown()) Base64Gunzip(call, arguments);
}

}  // namespace

void RegisterGzipFunctions(FunctionRegistryBuilder* builder) {
  builder->Add(
      Checked(CheckGunzip, Define("base64gunzip", {Param("str", Type::String())}, Type::String(), Base64Gunzip)));
  builder->Add(Define("base64gzip", {Param("str", Type::String())}, Type::String(), Base64Gzip));
}

}  // namespace hcl
