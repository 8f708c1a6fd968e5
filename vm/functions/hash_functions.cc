// Functions that hash the bytes of a string. Tested by vm/functions/hash_functions_test.cc.

// Before all headers of OpenSSL: what it would rather not have used is used here on purpose.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "hclvm/vm/functions/hash_functions.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/types/span.h"
#include "boost/crc.hpp"
#include "hclvm/vm/functions/base64_text.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "openssl/md5.h"
#include "openssl/sha.h"

namespace hcl {

namespace {

using internal::Define;
using internal::EncodeBase64;
using internal::Param;
using internal::TextBuffer;

// The algorithms, by the functions that have nothing but the algorithm behind them. OpenSSL asks for its general
// interface instead, with which a program links all of its ciphers and formats: five megabytes, whose tables the system
// would have to relocate at each start. That interface can also read a configuration file, on which no result may
// depend.
struct Md5 {
  using Context = MD5_CTX;
  static constexpr size_t kBytes = MD5_DIGEST_LENGTH;
  static constexpr auto kInit = MD5_Init;
  static constexpr auto kUpdate = MD5_Update;
  static constexpr auto kFinal = MD5_Final;
};

struct Sha1 {
  using Context = SHA_CTX;
  static constexpr size_t kBytes = SHA_DIGEST_LENGTH;
  static constexpr auto kInit = SHA1_Init;
  static constexpr auto kUpdate = SHA1_Update;
  static constexpr auto kFinal = SHA1_Final;
};

struct Sha256 {
  using Context = SHA256_CTX;
  static constexpr size_t kBytes = SHA256_DIGEST_LENGTH;
  static constexpr auto kInit = SHA256_Init;
  static constexpr auto kUpdate = SHA256_Update;
  static constexpr auto kFinal = SHA256_Final;
};

struct Sha512 {
  using Context = SHA512_CTX;
  static constexpr size_t kBytes = SHA512_DIGEST_LENGTH;
  static constexpr auto kInit = SHA512_Init;
  static constexpr auto kUpdate = SHA512_Update;
  static constexpr auto kFinal = SHA512_Final;
};

// Puts the digest of `text` into `bytes`. False when the library fails, or the call has no fuel for it: it then has
// failed.
template <typename Algorithm>
bool Digest(FunctionCall* call, std::string_view text, unsigned char (&bytes)[Algorithm::kBytes]) {
  // Setting up, and a unit for 8 bytes: hashing takes longer than reading. Texts go in pieces, so that a host's wish to
  // stop is noticed in between.
  constexpr uint64_t kSetUp = 64;
  constexpr size_t kPieceBytes = 64 << 10;
  if (!call->Charge(kSetUp)) return false;
  typename Algorithm::Context context;
  bool ok = Algorithm::kInit(&context) == 1;
  for (size_t at = 0; ok && at < text.size(); at += kPieceBytes) {
    const std::string_view piece = text.substr(at, kPieceBytes);
    if (!call->Charge(piece.size() / 8)) return false;
    ok = Algorithm::kUpdate(&context, piece.data(), piece.size()) == 1;
  }
  if (!ok || Algorithm::kFinal(bytes, &context) != 1) {
    call->Error("the system's library does not offer this hash");
    return false;
  }
  return true;
}

void AppendHex(absl::Span<const unsigned char> bytes, TextBuffer* out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const unsigned char byte : bytes) {
    out->Append(kHex[byte >> 4]);
    out->Append(kHex[byte & 15]);
  }
}

template <typename Algorithm>
Value HexDigest(FunctionCall* call, absl::Span<const Value> arguments) {
  unsigned char bytes[Algorithm::kBytes];
  if (!Digest<Algorithm>(call, arguments[0].AsString(), bytes)) return Value();
  TextBuffer hex(2 * sizeof(bytes), call->arena());
  AppendHex(bytes, &hex);
  return Value::StringView(hex.text());
}

template <typename Algorithm>
Value Base64Digest(FunctionCall* call, absl::Span<const Value> arguments) {
  unsigned char bytes[Algorithm::kBytes];
  if (!Digest<Algorithm>(call, arguments[0].AsString(), bytes)) return Value();
  return EncodeBase64({reinterpret_cast<const char*>(bytes), sizeof(bytes)}, call);
}

Value Crc32(FunctionCall* call, absl::Span<const Value> arguments) {
  const std::string_view text = arguments[0].AsString();
  if (!call->Charge(text.size() / 8)) return Value();
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return Value::Int(static_cast<int64_t>(crc.checksum()));
}

constexpr size_t kUuidBytes = 16;

// Where the hyphens of a UUID stand: "6ba7b810-9dad-11d1-80b4-00c04fd430c8".
bool IsHyphenPosition(size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

// The bytes of a UUID; empty for any other text. The form is that of RFC 4122: no braces and no "urn:uuid:".
std::string ParseUuid(std::string_view text) {
  constexpr size_t kLength = 36;
  std::string digits;
  if (text.size() != kLength) return "";
  for (size_t i = 0; i < kLength; ++i) {
    if (IsHyphenPosition(i)) {
      if (text[i] != '-') return "";
      continue;
    }
    const char c = text[i];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return "";
    digits.push_back(c);
  }
  // Not HexStringToBytes: no form of it is in all releases of Abseil without being deprecated.
  std::string bytes;
  for (size_t at = 0; at < digits.size(); at += 2) {
    uint32_t byte = 0;
    if (!absl::SimpleHexAtoi(digits.substr(at, 2), &byte)) return "";
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes;
}

// Groups of 4, 2, 2, 2 and 6 bytes.
Value FormatUuid(absl::Span<const unsigned char> bytes, FunctionCall* call) {
  TextBuffer out(2 * kUuidBytes + 4, call->arena());
  size_t at = 0;
  for (const size_t size : {4, 2, 2, 2, 6}) {
    if (at > 0) out.Append('-');
    AppendHex(bytes.subspan(at, size), &out);
    at += size;
  }
  return Value::StringView(out.text());
}

// The namespaces of RFC 4122 by name, and any other by its UUID.
std::string UuidNamespace(std::string_view name) {
  if (name == "dns") name = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  if (name == "url") name = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
  if (name == "oid") name = "6ba7b812-9dad-11d1-80b4-00c04fd430c8";
  if (name == "x500") name = "6ba7b814-9dad-11d1-80b4-00c04fd430c8";
  return ParseUuid(name);
}

// The result is what RFC 4122, section 4.3, has: the digest of the namespace's bytes and the name, cut to 16 bytes,
// with version and variant set.
Value UuidV5(FunctionCall* call, absl::Span<const Value> arguments) {
  std::string text = UuidNamespace(arguments[0].AsString());
  if (text.empty()) {
    return call->ArgumentError(0, "a UUID is required, or one of \"dns\", \"url\", \"oid\" and \"x500\"");
  }
  text.append(arguments[1].AsString());
  unsigned char bytes[Sha1::kBytes];
  if (!Digest<Sha1>(call, text, bytes)) return Value();
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x50);  // version 5
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);  // variant of RFC 4122
  return FormatUuid({bytes, kUuidBytes}, call);
}

}  // namespace

void RegisterHashFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  const Parameter text = Param("str", string);
  builder->Add(Define("base64sha256", {text}, string, Base64Digest<Sha256>));
  builder->Add(Define("base64sha512", {text}, string, Base64Digest<Sha512>));
  builder->Add(Define("crc32", {text}, Type::Number(), Crc32));
  builder->Add(Define("md5", {text}, string, HexDigest<Md5>));
  builder->Add(Define("sha1", {text}, string, HexDigest<Sha1>));
  builder->Add(Define("sha256", {text}, string, HexDigest<Sha256>));
  builder->Add(Define("sha512", {text}, string, HexDigest<Sha512>));
  builder->Add(Define("uuidv5", {Param("namespace", string), Param("name", string)}, string, UuidV5));
}

}  // namespace hcl
