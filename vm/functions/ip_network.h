// Addresses and networks of IPv4 and IPv6, in CIDR notation.
//
// Tested by vm/functions/network_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_IP_NETWORK_H_
#define HCLVM_VM_FUNCTIONS_IP_NETWORK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/numeric/int128.h"

namespace hcl::internal {

// Plain data.
struct IpAddress {
  absl::uint128 value = 0;  // as a number
  int bits = 32;            // of the family: 32 or 128

  std::string ToString() const;
};

// The addresses that share the first `prefix` bits of `first`, whose other bits are 0. Plain data.
struct IpNetwork {
  IpAddress first;
  int prefix = 0;

  int host_bits() const { return first.bits - prefix; }
  absl::uint128 last() const;
  bool Contains(const IpAddress& address) const;
  std::string ToString() const;  // "10.0.0.0/8"
};

// An address of IPv4, and the prefix behind it where there is one. Plain data.
struct Ipv4Network {
  uint32_t address = 0;  // as it is written, with its host bits
  uint32_t prefix = 32;
  bool has_prefix = false;

  // Whether all addresses of `inner` are in the network.
  bool Contains(const Ipv4Network& inner) const {
    return inner.prefix >= prefix && uint64_t{inner.address ^ address} >> (32 - prefix) == 0;
  }
};

// "10.1.2.3" or "10.1.2.3/8"; false for any other text.
bool ReadIpv4(std::string_view text, Ipv4Network* network);

// The number of addresses that `host_bits` bits tell apart, less one.
absl::uint128 MaxHost(int host_bits);

// "10.1.2.3" or "2001:db8::1"; an IPv4 address written as IPv6 ("::ffff:10.1.2.3") is one of IPv4. Nothing for any
// other text.
std::optional<IpAddress> ParseIpAddress(std::string_view text);

// "10.1.2.3/8", whose host bits do not matter. Nothing for any other text.
std::optional<IpNetwork> ParseIpNetwork(std::string_view text);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_IP_NETWORK_H_
