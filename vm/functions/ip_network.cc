// Addresses and networks. Tested by vm/functions/network_functions_test.cc.

#include "hclvm/vm/functions/ip_network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace hcl::internal {
namespace {

// Takes one of the four parts from `*at` on: one to three digits, of at most 255 together, and no zero in front.
bool TakePart(const char** at, const char* end, uint32_t* part) {
  const auto digit = [at, end] { return *at == end ? 10u : static_cast<unsigned char>(**at) - unsigned{'0'}; };
  const unsigned first = digit();
  if (first > 9) return false;
  ++*at;
  *part = first;
  for (int more = 0; more < 2 && *part != 0; ++more) {
    const unsigned next = digit();
    if (next > 9) return true;
    *part = *part * 10 + next;
    ++*at;
  }
  return *part <= 255;
}

// Four decimal parts, as inet_pton takes them: none is empty, above 255 or written with a zero in front.
std::optional<IpAddress> ParseIpv4(std::string_view text) {
  uint32_t value = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int n = 0; n < 4; ++n) {
    uint32_t part;
    if (n > 0 && (at == end || *at++ != '.')) return std::nullopt;
    if (!TakePart(&at, end, &part)) return std::nullopt;
    value = value << 8 | part;
  }
  if (at != end) return std::nullopt;
  IpAddress address;
  address.bits = 32;
  address.value = value;
  return address;
}

// An address as it is written. What has a colon is read by inet_pton, which is strict. It needs a terminated text, and
// a NUL inside would hide what follows.
std::optional<IpAddress> ParseAsWritten(std::string_view text) {
  if (const std::optional<IpAddress> address = ParseIpv4(text)) return address;
  char terminated[INET6_ADDRSTRLEN];
  if (text.size() >= sizeof(terminated) || text.find(':') == std::string_view::npos) return std::nullopt;
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  std::memcpy(terminated, text.data(), text.size());
  terminated[text.size()] = '\0';
  uint8_t bytes[16];
  if (inet_pton(AF_INET6, terminated, bytes) != 1) return std::nullopt;
  IpAddress address;
  address.bits = 128;
  for (const uint8_t byte : bytes) address.value = address.value << 8 | byte;
  return address;
}

// Where the longest run of at least two zeros stands among the eight groups, and how long it is: what "::" is for.
struct ZeroRun {
  int begin = 8;
  int size = 1;
};

// RFC 5952 shortens the longest run, the first of several, and never a single group.
ZeroRun LongestZeroRun(const uint32_t (&groups)[8]) {
  ZeroRun longest;
  for (int begin = 0; begin < 8; ++begin) {
    int end = begin;
    while (end < 8 && groups[end] == 0) ++end;
    if (end - begin > longest.size) longest = {begin, end - begin};
  }
  return longest;
}

}  // namespace

// IPv6 is written as RFC 5952 wants it: in lower case, without leading zeros, with one "::".
std::string IpAddress::ToString() const {
  const uint64_t low = absl::Uint128Low64(value);
  if (bits == 32) {
    return absl::StrCat(low >> 24 & 255, ".", low >> 16 & 255, ".", low >> 8 & 255, ".", low & 255);
  }
  uint32_t groups[8];
  for (int i = 0; i < 8; ++i) groups[i] = static_cast<uint32_t>(absl::Uint128Low64(value >> (112 - 16 * i)) & 0xffff);
  const ZeroRun run = LongestZeroRun(groups);
  std::string out;
  for (int i = 0; i < 8; ++i) {
    if (i == run.begin) {
      out += "::";
      i += run.size - 1;
      continue;
    }
    absl::StrAppend(&out, out.empty() || out.back() == ':' ? "" : ":", absl::Hex(groups[i]));
  }
  return out;
}

absl::uint128 MaxHost(int host_bits) {
  return host_bits == 128 ? absl::Uint128Max() : (absl::uint128(1) << host_bits) - 1;
}

absl::uint128 IpNetwork::last() const { return first.value | MaxHost(host_bits()); }

bool IpNetwork::Contains(const IpAddress& address) const {
  return address.bits == first.bits && (address.value & ~MaxHost(host_bits())) == first.value;
}

std::string IpNetwork::ToString() const { return absl::StrCat(first.ToString(), "/", prefix); }

std::optional<IpAddress> ParseIpAddress(std::string_view text) {
  std::optional<IpAddress> address = ParseAsWritten(text);
  if (address && address->bits == 128 && (address->value >> 32) == 0xffff) {
    address->value &= 0xffffffff;
    address->bits = 32;
  }
  return address;
}

// An IPv4 address written as IPv6 stays IPv6 here, since its prefix counts 128 bits. Three digits are enough for any
// prefix.
std::optional<IpNetwork> ParseIpNetwork(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<IpAddress> address = ParseAsWritten(text.substr(0, slash));
  const std::string_view length = text.substr(slash + 1);
  if (!address || length.empty() || length.size() > 3) return std::nullopt;
  IpNetwork network;
  for (char c : length) {
    if (c < '0' || c > '9') return std::nullopt;
    network.prefix = network.prefix * 10 + (c - '0');
  }
  if (network.prefix > address->bits) return std::nullopt;
  network.first = *address;
  network.first.value &= ~MaxHost(network.host_bits());
  return network;
}

}  // namespace hcl::internal
