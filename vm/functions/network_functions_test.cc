#include "hclvm/vm/functions/network_functions.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "absl/numeric/int128.h"
#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/functions/ip_network.h"

namespace hcl {
namespace {

constexpr char kNotANetwork[] =
    "error in argument 0: a network in CIDR notation is required, such as \"10.0.0.0/8\" or \"2001:db8::/32\"";

TEST(NetworkFunctionsTest, Networks) {
  for (const char* text : {"", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/ 8", "10.0.0/8",
                           "10.0.0.256/8", "010.0.0.0/8", "::/129", "::1::/8", ":::/8", "fe80::1%eth0/64", "1:2/8",
                           "10.0.0.0/0008", "::ffff:10.0.0.0/96/1", "10.0.0.0\\u0000/8"}) {
    EXPECT_EQ(CallForTest("cidrnetmask", "[\"" + std::string(text) + "\"]"), kNotANetwork) << text;
    EXPECT_EQ(CallForTest("cidrcontains", "[\"" + std::string(text) + "\", \"10.0.0.1\"]"), kNotANetwork) << text;
  }
  const struct {
    const char* network;
    const char* canonical;
  } kRows[] = {
      {"10.1.2.3/8", "10.0.0.0/8"},
      {"255.255.255.255/32", "255.255.255.255/32"},
      {"1.2.3.4/0", "0.0.0.0/0"},
      {"2001:DB8:0:0:1::/64", "2001:db8::/64"},
      {"::/0", "::/0"},
      {"::1/128", "::1/128"},
      {"1::/16", "1::/16"},
      {"1:0:2:3:4:5:6:7/128", "1:0:2:3:4:5:6:7/128"},
      {"1:0:0:2:0:0:0:3/128", "1:0:0:2::3/128"},
      {"1:0:0:2:3:0:0:4/128", "1::2:3:0:0:4/128"},
      {"::1.2.3.4/128", "::102:304/128"},
      {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/1", "8000::/1"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CallForTest("cidrsubnet", "[\"" + std::string(row.network) + "\", 0, 0]"),
              "\"string\" \"" + std::string(row.canonical) + "\"");
  }
}

TEST(NetworkFunctionsTest, CidrContains) {
  CheckFunctionCases({
      {"cidrcontains", R"(["10.0.0.0/8", "10.255.0.1"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.0/8", "11.0.0.0"])", R"("bool" false)"},
      {"cidrcontains", R"(["10.0.0.0/8", "10.1.0.0/16"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.0/8", "10.0.0.0/7"])", R"("bool" false)"},
      {"cidrcontains", R"(["10.0.0.0/8", "10.0.0.0/8"])", R"("bool" true)"},
      {"cidrcontains", R"(["0.0.0.0/0", "255.255.255.255"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.1/32", "10.0.0.1"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.1/08", "10.1.0.1/032"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.1/8", "10.1.0.1/0032"])",
       "error in argument 1: an IP address or a network in CIDR notation is required"},
      {"cidrcontains", R"(["10.0.0.1/8", "10.1.0.1/"])",
       "error in argument 1: an IP address or a network in CIDR notation is required"},
      {"cidrcontains", R"(["2001:db8::/32", "2001:db8:ffff::1"])", R"("bool" true)"},
      {"cidrcontains", R"(["2001:db8::/32", "2001:db9::"])", R"("bool" false)"},
      {"cidrcontains", R"(["::/0", "2001:db9::/64"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.0/8", "::ffff:10.0.0.1"])", R"("bool" true)"},
      {"cidrcontains", R"(["10.0.0.0/8", "::1"])",
       "error in argument 1: IPv4 and IPv6 cannot be compared: both must be of the same family"},
      {"cidrcontains", R"(["10.0.0.0/8", "ten"])",
       "error in argument 1: an IP address or a network in CIDR notation is required"},
      {"cidrcontains", R"(["10.0.0.0/8", null])", "error in argument 1: the argument must not be null"},
      {"cidrcontains", R"(["10.0.0.0/8", {"type": "string", "value": {"$unknown": "string"}}])",
       R"("bool" {"$unknown":"bool"})"},
  });
}

// As the system's strict reader takes them.
TEST(NetworkFunctionsTest, DottedQuads) {
  uint32_t random = 1;
  const auto draw = [&random](size_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % below;
  };
  constexpr std::string_view kParts[] = {"0",   "1",  "9",  "10",   "25", "99", "100", "199", "255", "256",
                                         "260", "00", "01", "1234", "",   "-1", "a",   ":",   "/",   " "};
  size_t taken = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const size_t parts = draw(8) == 0 ? draw(6) : 4;
    for (size_t n = 0; n < parts; ++n) {
      if (n > 0) text += draw(40) == 0 ? "" : ".";
      text += kParts[draw(draw(3) == 0 ? std::size(kParts) : 9)];
    }
    in_addr want;
    const bool is_address = inet_pton(AF_INET, text.c_str(), &want) == 1;
    const std::optional<internal::IpAddress> got = internal::ParseIpAddress(text);
    ASSERT_EQ(got.has_value() && got->bits == 32, is_address) << text;
    if (!is_address) continue;
    ++taken;
    ASSERT_EQ(got->value, absl::uint128(ntohl(want.s_addr))) << text;
  }
  EXPECT_GT(taken, 5000u);
}

// By masks, which is another way than that of the code.
TEST(NetworkFunctionsTest, ContainedAddresses) {
  uint32_t random = 1;
  const auto draw = [&random] {
    random = random * 1664525 + 1013904223;
    return random >> 8 & 0xffff;
  };
  size_t contained = 0;
  for (int round = 0; round < 20000; ++round) {
    const int bits = draw() % 2 == 0 ? 32 : 128;
    const int prefix = static_cast<int>(draw()) % (bits + 1);
    const absl::uint128 mask = prefix == 0 ? 0 : absl::Uint128Max() << (bits - prefix);
    internal::IpAddress network, address;
    network.bits = address.bits = bits;
    for (int n = 0; n < bits / 16; ++n) network.value = network.value << 16 | draw();
    address.value = network.value;
    if (draw() % 4 != 0) address.value ^= absl::uint128(1) << (static_cast<int>(draw()) % bits);
    const auto parsed = internal::ParseIpNetwork(network.ToString() + "/" + std::to_string(prefix));
    ASSERT_TRUE(parsed.has_value()) << network.ToString() << "/" << prefix;
    const bool want = (network.value & mask) == (address.value & mask);
    contained += want ? 1 : 0;
    ASSERT_EQ(parsed->Contains(address), want) << parsed->ToString() << " " << address.ToString();
    const auto inner = internal::ParseIpNetwork(address.ToString() + "/" + std::to_string(bits));
    ASSERT_TRUE(inner.has_value() && inner->first.value == address.value) << address.ToString();
    if (bits != 32) continue;
    internal::Ipv4Network outer, quad;
    ASSERT_TRUE(internal::ReadIpv4(network.ToString() + "/" + std::to_string(prefix), &outer));
    ASSERT_TRUE(internal::ReadIpv4(address.ToString(), &quad) && !quad.has_prefix && outer.has_prefix);
    ASSERT_EQ(outer.Contains(quad), want) << parsed->ToString() << " " << address.ToString();
    quad.prefix = draw() % 33;
    ASSERT_EQ(outer.Contains(quad), want && static_cast<int>(quad.prefix) >= prefix);
  }
  EXPECT_GT(contained, 5000u);
  EXPECT_LT(contained, 15000u);
}

TEST(NetworkFunctionsTest, CidrHost) {
  CheckFunctionCases({
      {"cidrhost", R"(["10.12.112.0/20", 16])", R"("string" "10.12.112.16")"},
      {"cidrhost", R"(["10.12.127.0/20", 268])", R"("string" "10.12.113.12")"},
      {"cidrhost", R"(["10.12.112.0/20", -1])", R"("string" "10.12.127.255")"},
      {"cidrhost", R"(["10.12.112.0/20", -4096])", R"("string" "10.12.112.0")"},
      {"cidrhost", R"(["10.12.112.0/20", 4095])", R"("string" "10.12.127.255")"},
      {"cidrhost", R"(["10.12.112.0/20", 4096])",
       "error in argument 1: a network with a prefix of 20 bits has no host with that number"},
      {"cidrhost", R"(["10.12.112.0/20", -4097])",
       "error in argument 1: a network with a prefix of 20 bits has no host with that number"},
      {"cidrhost", R"(["10.0.0.1/32", 0])", R"("string" "10.0.0.1")"},
      {"cidrhost", R"(["10.0.0.1/32", -1])", R"("string" "10.0.0.1")"},
      {"cidrhost", R"(["fd00:fd12:3456:7890:00a2::/72", 34])", R"("string" "fd00:fd12:3456:7890::22")"},
      {"cidrhost", R"(["::/0", 340282366920938463463374607431768211455])",
       R"("string" "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")"},
      {"cidrhost", R"(["::/0", -340282366920938463463374607431768211455])", R"("string" "::1")"},
      {"cidrhost", R"(["::/0", 340282366920938463463374607431768211456])",
       "error in argument 1: a network with a prefix of 0 bits has no host with that number"},
      {"cidrhost", R"(["10.0.0.0/8", 1.5])", "error in argument 1: the host's number must be a whole number"},
      {"cidrhost", R"(["10.0.0.0/8", "x"])", "no conversion of argument 1: ..."},
  });
}

TEST(NetworkFunctionsTest, CidrNetmask) {
  CheckFunctionCases({
      {"cidrnetmask", R"(["172.16.0.0/12"])", R"("string" "255.240.0.0")"},
      {"cidrnetmask", R"(["0.0.0.0/0"])", R"("string" "0.0.0.0")"},
      {"cidrnetmask", R"(["1.2.3.4/32"])", R"("string" "255.255.255.255")"},
      {"cidrnetmask", R"(["2001:db8::/32"])", "error in argument 0: a network of IPv6 has no netmask"},
  });
}

TEST(NetworkFunctionsTest, CidrSubnet) {
  CheckFunctionCases({
      {"cidrsubnet", R"(["172.16.0.0/12", 4, 2])", R"("string" "172.18.0.0/16")"},
      {"cidrsubnet", R"(["10.1.2.0/24", 4, 15])", R"("string" "10.1.2.240/28")"},
      {"cidrsubnet", R"(["fd00:fd12:3456:7890::/56", 16, 162])", R"("string" "fd00:fd12:3456:7800:a200::/72")"},
      {"cidrsubnet", R"(["::/0", 128, 1])", R"("string" "::1/128")"},
      {"cidrsubnet", R"(["10.0.0.0/8", 1, 2])", "error in argument 2: 1 new bits give no subnet with that number"},
      {"cidrsubnet", R"(["10.0.0.0/8", 1, -1])",
       "error in argument 2: the subnet's number must be a whole number, and not negative"},
      {"cidrsubnet", R"(["10.0.0.0/8", 25, 0])",
       "error in argument 1: a prefix of 8 bits cannot be extended by 25: an address has 32"},
      {"cidrsubnet", R"(["10.0.0.0/8", -1, 0])",
       "error in argument 1: the number of new bits must be a whole number, and at least 0"},
  });
}

TEST(NetworkFunctionsTest, CidrSubnets) {
  CheckFunctionCases({
      {"cidrsubnets", R"(["10.1.0.0/16", 4, 4, 8, 4])",
       R"(["list","string"] ["10.1.0.0/20","10.1.16.0/20","10.1.32.0/24","10.1.48.0/20"])"},
      {"cidrsubnets", R"(["10.0.0.0/8"])", R"(["list","string"] [])"},
      {"cidrsubnets", R"(["10.0.0.0/31", 1, 1])", R"(["list","string"] ["10.0.0.0/32","10.0.0.1/32"])"},
      {"cidrsubnets", R"(["255.255.255.254/31", 1, 1, 1])",
       "error in argument 3: there is no room left in 255.255.255.254/31 for a subnet with a prefix of 32 bits"},
      {"cidrsubnets", R"(["10.0.0.0/8", 2, 1, 1])",
       "error in argument 3: there is no room left in 10.0.0.0/8 for a subnet with a prefix of 9 bits"},
      {"cidrsubnets", R"(["::/0", 1, 1])", R"(["list","string"] ["::/1","8000::/1"])"},
      {"cidrsubnets", R"(["::/0", 1, 1, 128])",
       "error in argument 3: there is no room left in ::/0 for a subnet with a prefix of 128 bits"},
      {"cidrsubnets", R"(["fd00::/16", 16, 64])", R"(["list","string"] ["fd00::/32","fd00:1::/80"])"},
      {"cidrsubnets", R"(["10.0.0.0/8", 0])",
       "error in argument 1: the number of new bits must be a whole number, and at least 1"},
      {"cidrsubnets", R"(["10.0.0.0/8", {"type": "number", "value": {"$unknown": "number"}}])",
       R"(["list","string"] {"$unknown":["list","string"]})"},
  });
}

}  // namespace
}  // namespace hcl
