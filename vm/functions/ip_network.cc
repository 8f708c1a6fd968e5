// Addresses and networks. Tested by vm/functions/network_functions_test.cc.

#include "hclvm/vm/functions/ip_network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdint>
#include <cstring>

#include "absl/base/attributes.h"
#include "absl/strings/str_cat.h"

namespace hcl::internal {
namespace {

// Reads a decimal number of one to three digits without a zero in front. Where it ends; `begin` where there is none.
// Inlined, as reading an address is little more than this.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline const char* TakeNumber(const char* begin, const char* end, uint32_t* number) {
  const char* at = begin;
  const auto digit = [&at, end] { return at == end ? 10 : static_cast<uint32_t>(*at) - uint32_t{'0'}; };
  *number = digit();
  if (*number > 9) return begin;
  ++at;
  if (const uint32_t second = digit(); second <= 9) {
    if (*number == 0) return begin;
    *number = *number * 10 + second;
    ++at;
    if (const uint32_t third = digit(); third <= 9) {
      *number = *number * 10 + third;
      ++at;
    }
  }
  return at;
}

// Reads four decimal parts as inet_pton takes them: none is empty, above 255 or written with a zero in front. Where
// they end; null where there are none.
const char* TakeIpv4(std::string_view text, uint32_t* address) {
  const char* at = text.data();
  const char* const end = at + text.size();
  uint32_t value = 0;
  for (int n = 0; n < 4; ++n) {
    if (n > 0 && (at == end || *at++ != '.')) return nullptr;
    uint32_t part;
    const char* const behind = TakeNumber(at, end, &part);
    if (behind == at || part > 255) return nullptr;
    value = value << 8 | part;
    at = behind;
  }
  *address = value;
  return at;
}

IpAddress Ipv4(uint32_t value) {
  IpAddress address;
  address.value = value;
  return address;
}

// An address as it is written. What has a colon is read by inet_pton, which is strict. It needs a terminated text, and
// a NUL inside would hide what follows.
std::optional<IpAddress> ParseAsWritten(std::string_view text) {
  uint32_t quad;
  if (TakeIpv4(text, &quad) == text.data() + text.size()) return Ipv4(quad);
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
  if (address.bits != first.bits) return false;
  return prefix == 0 || (address.value ^ first.value) >> host_bits() == 0;
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

bool ReadIpv4(std::string_view text, Ipv4Network* network) {
  const char* const end = text.data() + text.size();
  const char* at = TakeIpv4(text, &network->address);
  network->has_prefix = false;
  network->prefix = 32;
  if (at == nullptr || at == end) return at != nullptr;
  if (*at++ != '/') return false;
  // Zeros may stand in front of a prefix, of three digits at most.
  if (end - at > 3) return false;
  while (end - at > 1 && *at == '0') ++at;
  network->has_prefix = true;
  const char* const behind = TakeNumber(at, end, &network->prefix);
  return behind != at && behind == end && network->prefix <= 32;
}

// An IPv4 address written as IPv6 stays IPv6 here, since its prefix counts 128 bits. Three digits are enough for any
// prefix.
std::optional<IpNetwork> ParseIpNetwork(std::string_view text) {
  IpNetwork network;
  if (Ipv4Network quad; ReadIpv4(text, &quad)) {
    if (!quad.has_prefix) return std::nullopt;
    network.prefix = static_cast<int>(quad.prefix);
    network.first = Ipv4(quad.address & ~static_cast<uint32_t>(MaxHost(32 - network.prefix)));
    return network;
  }
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<IpAddress> address = ParseAsWritten(text.substr(0, slash));
  if (!address) return std::nullopt;
  network.first = *address;
  const std::string_view length = text.substr(slash + 1);
  if (length.empty() || length.size() > 3) return std::nullopt;
  for (char c : length) {
    if (c < '0' || c > '9') return std::nullopt;
    network.prefix = network.prefix * 10 + (c - '0');
  }
  if (network.prefix > network.first.bits) return std::nullopt;
  network.first.value &= ~MaxHost(network.host_bits());
  return network;
}

}  // namespace hcl::internal
