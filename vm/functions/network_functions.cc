// Functions of IP networks. Tested by vm/functions/network_functions_test.cc.

#include "hclvm/vm/functions/network_functions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/ip_network.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

// Function::prepare: the network, argument number 0.
Prepared PrepareNetwork(FunctionCall*, absl::Span<const Value* const> constants) {
  if (constants[0] == nullptr) return {};
  const std::optional<IpNetwork> network = internal::ParseIpNetwork(constants[0]->AsString());
  return network ? Prepared{std::make_shared<const IpNetwork>(*network), sizeof(*network)} : Prepared();
}

// Units of fuel for reading a network, computing with an address and writing one.
constexpr uint64_t kCostOfAddress = 10;

// The network, argument number 0; false when the call has failed.
bool ReadNetwork(FunctionCall* call, absl::Span<const Value> arguments, IpNetwork* network) {
  if (!call->Charge(kCostOfAddress)) return false;
  if (call->prepared() != nullptr) {
    *network = *static_cast<const IpNetwork*>(call->prepared());
    return true;
  }
  const std::optional<IpNetwork> parsed = internal::ParseIpNetwork(arguments[0].AsString());
  if (parsed) {
    *network = *parsed;
    return true;
  }
  call->ArgumentError(0, "a network in CIDR notation is required, such as \"10.0.0.0/8\" or \"2001:db8::/32\"");
  return false;
}

// A number that is whole and below 2^128, without its sign. 2^128 has 39 digits, so that longer numbers are refused
// before their text is made; the loop tests for overflow by division.
std::optional<absl::uint128> Magnitude(const Number& number) {
  constexpr size_t kMaxDigits = 39;
  if (!number.IsInteger() || number.DigitCount() > kMaxDigits) return std::nullopt;
  absl::uint128 magnitude = 0;
  for (char c : number.ToString()) {
    if (c == '-') continue;
    const auto digit = static_cast<unsigned>(c - '0');
    if (magnitude > (absl::Uint128Max() - digit) / 10) return std::nullopt;
    magnitude = magnitude * 10 + digit;
  }
  return magnitude;
}

void CheckNetwork(FunctionCall* call, absl::Span<const Value> arguments) {
  IpNetwork network;
  if (!arguments[0].is_unknown()) ReadNetwork(call, arguments, &network);
}

// An address, as a network of its own, or a network; false when the call has failed.
bool ReadContained(FunctionCall* call, const Value& argument, IpAddress* address, std::optional<int>* prefix) {
  const std::string_view text = argument.AsString();
  const bool is_network = text.find('/') != std::string_view::npos;
  const std::optional<IpAddress> single = is_network ? std::nullopt : internal::ParseIpAddress(text);
  if (single) {
    *address = *single;
    return true;
  }
  const std::optional<IpNetwork> inner = is_network ? internal::ParseIpNetwork(text) : std::nullopt;
  if (!inner) {
    call->ArgumentError(1, "an IP address or a network in CIDR notation is required");
    return false;
  }
  *address = inner->first;
  *prefix = inner->prefix;
  return true;
}

void CheckContained(FunctionCall* call, absl::Span<const Value> arguments) {
  CheckNetwork(call, arguments);
  IpAddress address;
  std::optional<int> prefix;
  if (!arguments[1].is_unknown() && !call->failed()) ReadContained(call, arguments[1], &address, &prefix);
}

// The network, argument number 0, where it is one of IPv4; false for all else, of which ReadNetwork() tells more.
bool ReadUsual(const FunctionCall& call, const Value& argument, Ipv4Network* network) {
  if (call.prepared() == nullptr) return ReadIpv4(argument.AsString(), network) && network->has_prefix;
  const auto& prepared = *static_cast<const IpNetwork*>(call.prepared());
  network->address = static_cast<uint32_t>(prepared.first.value);
  network->prefix = static_cast<uint32_t>(prepared.prefix);
  return prepared.first.bits == 32;
}

// A network is contained when it is no wider and its first address is inside. Addresses of different families are an
// error and not false: the question is likely a mistake.
Value CidrContains(FunctionCall* call, absl::Span<const Value> arguments) {
  Ipv4Network usual, inside;
  if (ReadUsual(*call, arguments[0], &usual) && ReadIpv4(arguments[1].AsString(), &inside)) {
    return call->Charge(kCostOfAddress) ? Value::Bool(usual.Contains(inside)) : Value();
  }
  IpNetwork outer;
  if (!ReadNetwork(call, arguments, &outer)) return Value();
  IpAddress address;
  std::optional<int> prefix;
  if (!ReadContained(call, arguments[1], &address, &prefix)) return Value();
  if (address.bits != outer.first.bits) {
    return call->ArgumentError(1, "IPv4 and IPv6 cannot be compared: both must be of the same family");
  }
  return Value::Bool(prefix.value_or(outer.first.bits) >= outer.prefix && outer.Contains(address));
}

// Any number up to the network's size, IPv6 included, hence 128 bits. `*magnitude - 1` for negative numbers is safe:
// they are at least 1.
Value CidrHost(FunctionCall* call, absl::Span<const Value> arguments) {
  IpNetwork network;
  if (!ReadNetwork(call, arguments, &network)) return Value();
  const Number number = arguments[1].AsNumber();
  if (!number.IsInteger()) return call->ArgumentError(1, "the host's number must be a whole number");
  const std::optional<absl::uint128> magnitude = Magnitude(number);
  const absl::uint128 max = MaxHost(network.host_bits());
  // A negative number counts from the end: -1 is the last host.
  const bool negative = number.Sign() < 0;
  if (!magnitude || *magnitude - (negative ? 1 : 0) > max) {
    return call->ArgumentError(1, [&] {
      return absl::StrCat("a network with a prefix of ", network.prefix, " bits has no host with that number");
    });
  }
  IpAddress host = network.first;
  host.value |= negative ? max - (*magnitude - 1) : *magnitude;
  return Value::String(host.ToString(), call->arena());
}

Value CidrNetmask(FunctionCall* call, absl::Span<const Value> arguments) {
  IpNetwork network;
  if (!ReadNetwork(call, arguments, &network)) return Value();
  if (network.first.bits != 32) return call->ArgumentError(0, "a network of IPv6 has no netmask");
  IpAddress mask;
  mask.value = MaxHost(32) & ~MaxHost(network.host_bits());
  return Value::String(mask.ToString(), call->arena());
}

// By how many bits a subnet's prefix, argument number `argument`, is longer; false when the call has failed.
bool ReadNewBits(FunctionCall* call, absl::Span<const Value> arguments, size_t argument, const IpNetwork& network,
                 int min, int* bits) {
  const std::optional<int64_t> number = WholeNumber(arguments[argument]);
  if (!number || *number < min) {
    call->ArgumentError(
        argument, [&] { return absl::StrCat("the number of new bits must be a whole number, and at least ", min); });
    return false;
  }
  if (*number > network.host_bits()) {
    call->ArgumentError(argument, [&] {
      return absl::StrCat("a prefix of ", network.prefix, " bits cannot be extended by ", *number, ": an address has ",
                          network.first.bits);
    });
    return false;
  }
  *bits = static_cast<int>(*number);
  return true;
}

// Constants that are wrong whatever the others are; where the network is not known, it may be the largest one.
template <int kMin>
void CheckNewBits(FunctionCall* call, absl::Span<const Value> arguments) {
  IpNetwork network;
  network.first.bits = 128;
  if (!arguments[0].is_unknown() && !ReadNetwork(call, arguments, &network)) return;
  const size_t end = kMin == 0 ? 2 : arguments.size();  // cidrsubnet has a number of another kind behind it
  int bits = 0;
  for (size_t n = 1; n < end; ++n) {
    if (!arguments[n].is_unknown() && !ReadNewBits(call, arguments, n, network, kMin, &bits)) return;
  }
}

// The subnet's number takes the bits between the old prefix and the new one.
Value CidrSubnet(FunctionCall* call, absl::Span<const Value> arguments) {
  IpNetwork network;
  int bits = 0;
  if (!ReadNetwork(call, arguments, &network) || !ReadNewBits(call, arguments, 1, network, 0, &bits)) return Value();
  const Number number = arguments[2].AsNumber();
  if (!number.IsInteger() || number.Sign() < 0) {
    return call->ArgumentError(2, "the subnet's number must be a whole number, and not negative");
  }
  const std::optional<absl::uint128> index = Magnitude(number);
  if (!index || *index > MaxHost(bits)) {
    return call->ArgumentError(2, [&] { return absl::StrCat(bits, " new bits give no subnet with that number"); });
  }
  network.prefix += bits;
  // Shifting by all bits is not defined; it only happens when the number is 0.
  if (*index != 0) network.first.value |= *index << network.host_bits();
  return Value::String(network.ToString(), call->arena());
}

// One subnet after the other, each at the first place behind the one before that suits its size. `full` stands for a
// position behind the last address, which for IPv6 has no number of 128 bits.
Value CidrSubnets(FunctionCall* call, absl::Span<const Value> arguments) {
  IpNetwork network;
  if (!ReadNetwork(call, arguments, &network)) return Value();
  const size_t count = arguments.size() - 1;
  if (!internal::CanMake(call, count, 5 * sizeof(Value))) return Value();
  internal::Sequence* subnets = internal::NewList(call, count, Type::String());
  absl::uint128 next = network.first.value;
  bool full = false;
  for (size_t i = 0; i < count; ++i) {
    int bits = 0;
    if (!call->Charge(kCostOfAddress) || !ReadNewBits(call, arguments, i + 1, network, 1, &bits)) return Value();
    IpNetwork subnet = network;
    subnet.prefix += bits;
    const absl::uint128 rest = MaxHost(subnet.host_bits());
    // The first multiple of the subnet's size; beyond the network's end when the last such subnet is taken.
    full = full || (network.last() & ~rest) < next;
    if ((next & rest) != 0) next = (next | rest) + 1;
    if (full) {
      return call->ArgumentError(i + 1, [&] {
        return absl::StrCat("there is no room left in ", network.ToString(), " for a subnet with a prefix of ",
                            subnet.prefix, " bits");
      });
    }
    subnet.first.value = next;
    subnets->mutable_items()[i] = Value::String(subnet.ToString(), call->arena());
    full = subnet.last() == network.last();
    next = subnet.last() + 1;
  }
  return internal::FinishList(subnets);
}

Function WithNetwork(Function function, ArgumentCheck check = CheckNetwork) {
  function.prepare = PrepareNetwork;
  function.check = check;
  return function;
}

}  // namespace

void RegisterNetworkFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  const Type number = Type::Number();
  const Parameter prefix = Param("prefix", string);
  builder->Add(
      WithNetwork(Define("cidrcontains", {Param("containing_prefix", string), Param("contained_ip_or_prefix", string)},
                         Type::Bool(), CidrContains),
                  CheckContained));
  builder->Add(WithNetwork(Define("cidrhost", {prefix, Param("hostnum", number)}, string, CidrHost)));
  builder->Add(WithNetwork(Define("cidrnetmask", {prefix}, string, CidrNetmask)));
  builder->Add(
      WithNetwork(Define("cidrsubnet", {prefix, Param("newbits", number), Param("netnum", number)}, string, CidrSubnet),
                  CheckNewBits<0>));
  builder->Add(WithNetwork(
      DefineVariadic("cidrsubnets", {prefix}, Param("newbits", number), Common().list_of_string, CidrSubnets),
      CheckNewBits<1>));
}

}  // namespace hcl::internal
