// Functions of numbers, encodings, times, networks and types, beside C++ by hand.

#include <arpa/inet.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "hclvm/bench/function_case.h"
#include "openssl/evp.h"

namespace hcl::bench {
namespace {

using S = FunctionScope;

// A network of IPv4. Networks are constants on both sides: the VM reads one once for each call in a program.
struct Network {
  uint32_t first;
  uint32_t mask;
};

uint32_t AddressOf(const std::string& ip) {
  in_addr address;
  return inet_pton(AF_INET, ip.c_str(), &address) == 1 ? ntohl(address.s_addr) : 0;
}

bool Contains(const Network& network, const std::string& ip) { return (AddressOf(ip) & network.mask) == network.first; }

std::string AddressText(uint32_t ip) {
  return absl::StrCat(ip >> 24, ".", ip >> 16 & 0xff, ".", ip >> 8 & 0xff, ".", ip & 0xff);
}

Network ReadNetwork(const std::string& text) {
  const size_t slash = text.find('/');
  int bits = 0;
  std::from_chars(text.data() + slash + 1, text.data() + text.size(), bits);
  const uint32_t mask = bits == 0 ? 0 : ~uint32_t{0} << (32 - bits);
  return {AddressOf(text.substr(0, slash)) & mask, mask};
}

std::string Digest(const EVP_MD* kind, const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, kind, nullptr);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * size);
  for (unsigned i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

int64_t Crc32(std::string_view text) {
  static const std::vector<uint32_t> table = [] {
    std::vector<uint32_t> entries(256);
    for (uint32_t n = 0; n < 256; ++n) {
      uint32_t entry = n;
      for (int bit = 0; bit < 8; ++bit) entry = entry >> 1 ^ ((entry & 1) != 0 ? 0xedb88320 : 0);
      entries[n] = entry;
    }
    return entries;
  }();
  uint32_t crc = ~uint32_t{0};
  for (const char c : text) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return static_cast<int64_t>(~crc);
}

// Seconds since 1970. The form is known: "2024-03-01T14:00:00+01:00", or a Z at the end.
int64_t Seconds(const std::string& text) {
  const auto number = [&text](size_t at, size_t size) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + size, value);
    return value;
  };
  const absl::CivilSecond time(number(0, 4), number(5, 2), number(8, 2), number(11, 2), number(14, 2), number(17, 2));
  const int64_t seconds = time - absl::CivilSecond(1970, 1, 1);
  if (text[19] == 'Z') return seconds;
  const int64_t offset = number(20, 2) * 3600 + number(23, 2) * 60;
  return text[19] == '-' ? seconds + offset : seconds - offset;
}

std::string TimeText(int64_t seconds) {
  const absl::CivilSecond time = absl::CivilSecond(1970, 1, 1) + seconds;
  char text[32];
  const int size = std::snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02dZ", static_cast<int>(time.year()),
                                 time.month(), time.day(), time.hour(), time.minute(), time.second());
  return std::string(text, static_cast<size_t>(size));
}

std::string DateText(int64_t seconds) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const absl::CivilSecond time = absl::CivilSecond(1970, 1, 1) + seconds;
  char text[32];
  const int size = std::snprintf(text, sizeof(text), "%02d %s %04d", time.day(), kMonths[time.month() - 1],
                                 static_cast<int>(time.year()));
  return std::string(text, static_cast<size_t>(size));
}

std::string UrlEncoded(const std::string& text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size() + 16);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        std::string_view("-_.~").find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

std::vector<std::map<std::string, std::string>> Records(const std::string& csv) {
  std::vector<std::vector<std::string>> lines(1);
  lines.back().emplace_back();
  for (const char c : csv) {
    if (c == '\n') {
      lines.emplace_back(1);
    } else if (c == ',') {
      lines.back().emplace_back();
    } else {
      lines.back().back() += c;
    }
  }
  std::vector<std::map<std::string, std::string>> records;
  for (size_t i = 1; i + 1 < lines.size(); ++i) {
    records.emplace_back();
    for (size_t n = 0; n < lines[0].size(); ++n) records.back()[lines[0][n]] = lines[i][n];
  }
  return records;
}

// What stands between quotes needs no escape here.
std::string JsonOf(const S& s) {
  std::string out = "{\"count\":";
  absl::StrAppend(&out, s.count, ",\"list\":[");
  for (size_t i = 0; i < s.list.size(); ++i) {
    out += i == 0 ? "\"" : ",\"";
    for (const char c : s.list[i]) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  absl::StrAppend(&out, "],\"role\":\"");
  for (const char c : s.role) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"}";
}

std::string YamlOf(const S& s) {
  std::string out;
  for (const auto& [key, value] : s.tags) absl::StrAppend(&out, "\"", key, "\": \"", value, "\"\n");
  return out;
}

int64_t Parsed(std::string_view text, int base) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

}  // namespace

std::vector<FunctionCase> ValueCases() {
  return {
      Beside(
          "abs", "abs(port)", [](const S& s) { return std::abs(s.port); }, kCallCosts),
      Beside(
          "ceil", "ceil(price)", [](const S& s) { return static_cast<int64_t>(std::ceil(s.price)); }, kCallCosts),
      Beside(
          "floor", "floor(price)", [](const S& s) { return static_cast<int64_t>(std::floor(s.price)); }, kCallCosts),
      Beside(
          "int", "int(price)", [](const S& s) { return static_cast<int64_t>(s.price); }, kCallCosts),
      Beside(
          "signum", "signum(port)",
          [](const S& s) { return static_cast<int64_t>(s.port < 0   ? -1
                                                       : s.port > 0 ? 1
                                                                    : 0); }, kCallCosts),
      Beside(
          "pow", "pow(count, 2)", [](const S& s) { return std::pow(static_cast<double>(s.count), 2.0); },
          kExactNumbers),
      Beside(
          "log", "log(count, 10)", [](const S& s) { return std::log(static_cast<double>(s.count)) / std::log(10.0); },
          kExactNumbers),
      Beside(
          "parseint", "parseint(digits, 16)", [](const S& s) { return Parsed(s.digits, 16); }, kCallCosts),
      Beside(
          "tonumber", "tonumber(digits)", [](const S& s) { return Parsed(s.digits, 10); }, kCallCosts),
      Beside(
          "tostring", "tostring(count)", [](const S& s) { return std::to_string(s.count); }, kCallCosts),
      Beside("tobool", "tobool(yes)", [](const S& s) { return s.yes == "true"; }),
      Beside("can", "can(tags.region)", [](const S& s) { return s.tags.count("region") != 0; }),
      Beside("try", "try(tags.zone, \"none\")",
             [](const S& s) {
               const auto found = s.tags.find("zone");
               return found == s.tags.end() ? std::string("none") : found->second;
             }),
      Beside("base64encode", "base64encode(arn)",
             [](const S& s) {
               std::string out;
               absl::Base64Escape(s.arn, &out);
               return out;
             }),
      Beside(
          "base64decode", "base64decode(base64)",
          [](const S& s) {
            std::string out;
            absl::Base64Unescape(s.base64, &out);
            return out;
          },
          "what is decoded has to be base64 to the last byte, and UTF-8"),
      Beside("urlencode", "urlencode(arn)", [](const S& s) { return UrlEncoded(s.arn); }),
      Beside("csvdecode", "csvdecode(csv)", [](const S& s) { return Records(s.csv); }),
      Beside("jsonencode", "jsonencode({role = role, count = count, list = list})", JsonOf),
      Beside("yamlencode", "yamlencode(tags)", YamlOf, "libyaml writes it, which knows all of YAML"),
      Beside("md5", "md5(arn)", [](const S& s) { return Digest(EVP_md5(), s.arn); }),
      Beside("sha1", "sha1(arn)", [](const S& s) { return Digest(EVP_sha1(), s.arn); }),
      Beside("sha256", "sha256(arn)", [](const S& s) { return Digest(EVP_sha256(), s.arn); }),
      Beside("sha512", "sha512(arn)", [](const S& s) { return Digest(EVP_sha512(), s.arn); }),
      Beside("crc32", "crc32(arn)", [](const S& s) { return Crc32(s.arn); }),
      Beside("timecmp", "timecmp(time, now)",
             [](const S& s) {
               const int64_t a = Seconds(s.time);
               const int64_t b = Seconds(s.now);
               return static_cast<int64_t>(a < b ? -1 : a > b ? 1 : 0);
             }),
      Beside("timeadd", R"(timeadd(time, "90m"))", [](const S& s) { return TimeText(Seconds(s.time) + 90 * 60); }),
      Beside("formatdate", R"(formatdate("DD MMM YYYY", time))", [](const S& s) { return DateText(Seconds(s.time)); }),
      Beside("cidrcontains", R"(cidrcontains("10.0.0.0/8", ip))",
             [](const S& s) {
               return Contains({0x0a000000, 0xff000000}, s.ip);
             }),
      Beside(
          "cidrcontains_variable", "cidrcontains(network, ip)",
          [](const S& s) { return Contains(ReadNetwork(s.network), s.ip); }, kCallCosts),
      Beside("cidrhost", "cidrhost(network, 16)",
             [](const S& s) { return AddressText(ReadNetwork(s.network).first + 16); }),
      Beside("cidrnetmask", "cidrnetmask(network)",
             [](const S& s) { return AddressText(ReadNetwork(s.network).mask); }),
      Beside("cidrsubnet", "cidrsubnet(network, 8, 3)",
             [](const S& s) { return absl::StrCat(AddressText(ReadNetwork(s.network).first + (3 << 8)), "/24"); }),
  };
}

}  // namespace hcl::bench
