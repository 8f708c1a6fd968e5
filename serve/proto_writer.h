// ProtoWriter: messages of protobuf as bytes, written straight away: to make them part by part, only to have them
// written, takes several times as long.
//
// Tested by serve/proto_writer_test.cc.

#ifndef HCLVM_SERVE_PROTO_WRITER_H_
#define HCLVM_SERVE_PROTO_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace hcl::serve {

// Appends the fields of a message to a text. Fields can come in any order. What has its default is to be left out by
// the caller, but for what is one of several.
class ProtoWriter {
 public:
  explicit ProtoWriter(std::string* out) : out_(*out) {}

  void Varint(uint32_t field, uint64_t value) {
    Tag(field, kVarint);
    AppendVarint(value);
  }
  void Double(uint32_t field, double value) {
    Tag(field, kFixed64);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    for (size_t n = 0; n < sizeof(bits); ++n) out_.push_back(static_cast<char>(bits >> (8 * n) & 0xff));
  }
  void Text(uint32_t field, std::string_view text) {
    Tag(field, kSized);
    AppendVarint(text.size());
    out_.append(text);
  }
  // A text that is left out if it is empty.
  void TextUnlessEmpty(uint32_t field, std::string_view text) {
    if (!text.empty()) Text(field, text);
  }

  // What comes up to End() is the message in that field. Returns what End() needs.
  size_t Begin(uint32_t field) {
    Tag(field, kSized);
    out_.push_back(0);
    return out_.size();
  }
  void End(size_t begin) {
    const size_t size = out_.size() - begin;
    // Most are short, so that there is room for their size. The others move.
    if (size < kMore) return void(out_[begin - 1] = static_cast<char>(size));
    char bytes[kMaxVarint];
    out_.replace(begin - 1, 1, bytes, Encode(size, bytes));
  }

 private:
  enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kSized = 2 };
  static constexpr uint64_t kMore = 0x80;
  static constexpr size_t kMaxVarint = 10;

  static size_t Encode(uint64_t value, char* bytes) {
    size_t count = 0;
    for (; value >= kMore; value >>= 7) bytes[count++] = static_cast<char>(value | kMore);
    bytes[count++] = static_cast<char>(value);
    return count;
  }
  void Tag(uint32_t field, Wire wire) { AppendVarint(static_cast<uint64_t>(field) << 3 | wire); }
  void AppendVarint(uint64_t value) {
    if (value < kMore) return out_.push_back(static_cast<char>(value));
    char bytes[kMaxVarint];
    out_.append(bytes, Encode(value, bytes));
  }

  std::string& out_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_PROTO_WRITER_H_
