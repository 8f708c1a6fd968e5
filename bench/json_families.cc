// Families of JSON texts: numbers, strings, arrays, objects.

#include "hclvm/bench/json_families.h"

#include <cstdint>
#include <cstdio>
#include <utility>

namespace hcl::bench {
namespace {

// The same numbers in every run, with no order in them.
uint64_t Scramble(uint64_t n) {
  n = (n + 1) * 0x9e3779b97f4a7c15u;
  n = (n ^ (n >> 31)) * 0xbf58476d1ce4e5b9u;
  return n ^ (n >> 29);
}

// The same, and none comes twice.
size_t Scattered(size_t n) { return n * 0x9e3779b1u & 0xfffffff; }

std::string Digits(size_t count, size_t n) {
  std::string digits;
  while (digits.size() < count) digits += std::to_string(Scramble(n++) | 1u << 30);
  digits.resize(count);
  if (count > 0) digits[0] = '7';
  return digits;
}

// A number in as few letters and digits as there can be.
std::string Short(size_t n) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  std::string text;
  for (; n != 0 || text.empty(); n /= 64) text += kLetters[n % 64];
  return text;
}

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

std::string Repeated(const char* part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

std::string Member(const std::string& key) { return Quoted(key) + ":0"; }

// An object of `size` keys that no other has.
std::string NewObject(size_t n, size_t size) {
  std::string text = "{";
  for (size_t i = 0; i < size; ++i) text += (i == 0 ? "" : ",") + Member(Short(n * size + i));
  return text + "}";
}

// An object of the keys that are set in `n`.
std::string SubsetObject(size_t n) {
  std::string text = "{";
  for (size_t i = 0; i < 16; ++i) {
    if ((Scramble(n) >> i & 1) != 0) text += (text.size() == 1 ? "" : ",") + Member(Short(i));
  }
  return text + "}";
}

const JsonFamily kNumbers[] = {
    {"zeros", "[", [](size_t) { return std::string("0"); }, "]"},
    {"negative zeros", "[", [](size_t) { return std::string("-0e0"); }, "]"},
    {"exponent of one digit", "[", [](size_t) { return std::string("1e9"); }, "]"},
    {"exponent 18", "[", [](size_t) { return std::string("1e18"); }, "]"},
    {"exponent 19", "[", [](size_t) { return std::string("1e19"); }, "]"},
    {"exponent 99", "[", [](size_t) { return std::string("1e99"); }, "]"},
    {"exponents", "[", [](size_t n) { return "1e" + std::to_string(20 + n % 80); }, "]"},
    {"exponent -9", "[", [](size_t) { return std::string("1e-9"); }, "]"},
    {"exponent -99", "[", [](size_t) { return std::string("1e-99"); }, "]"},
    {"exponent -999", "[", [](size_t) { return std::string("1e-999"); }, "]"},
    {"exponent 99999", "[", [](size_t) { return std::string("1e99999"); }, "]"},
    {"fraction with an exponent", "[", [](size_t) { return std::string("1.5e300"); }, "]"},
    {"zeros with an exponent", "[", [](size_t) { return std::string("0e9"); }, "]"},
    {"fractions", "[", [](size_t n) { return "0." + std::to_string(n % 10); }, "]"},
    {"numbers of 15 digits", "[", [](size_t n) { return Digits(15, n); }, "]"},
    {"numbers of 19 digits", "[", [](size_t n) { return Digits(19, n); }, "]"},
    {"numbers of 20 digits", "[", [](size_t n) { return Digits(20, n); }, "]"},
    {"fractions of 19 digits", "[", [](size_t n) { return "1." + Digits(19, n); }, "]"},
    {"numbers of 40 digits", "[", [](size_t n) { return Digits(40, n); }, "]"},
    {"numbers of 160 digits", "[", [](size_t n) { return Digits(160, n); }, "]"},
    {"numbers of 170 digits", "[", [](size_t n) { return Digits(170, n); }, "]"},
    {"numbers of 100,000 digits", "[", [](size_t n) { return Digits(100'000, n); }, "]"},
    {"powers of ten in full", "[", [](size_t) { return "1" + Repeated("0", 30); }, "]"},
};

const JsonFamily kStrings[] = {
    {"empty strings", "[", [](size_t) { return std::string("\"\""); }, "]"},
    {"strings of 14 bytes", "[", [](size_t) { return std::string("\"abcdefghijklmn\""); }, "]"},
    {"strings of 15 bytes", "[", [](size_t) { return std::string("\"abcdefghijklmno\""); }, "]"},
    {"escapes", "[", [](size_t) { return std::string("\"\\n\""); }, "]"},
    {"escapes in a long string", "[", [](size_t) { return Quoted(Repeated("\\n", 50'000)); }, "]"},
    {"escaped letters", "[", [](size_t) { return Quoted("\\u0041"); }, "]"},
    {"escaped characters in a long string", "[", [](size_t) { return Quoted(Repeated("\\u00e9", 20'000)); }, "]"},
    {"surrogates", "[", [](size_t) { return Quoted(Repeated("\\ud83d\\ude00", 10'000)); }, "]"},
    {"lone surrogates", "[", [](size_t) { return Quoted(Repeated("\\ud83d", 20'000)); }, "]"},
    {"short strings beyond ASCII", "[", [](size_t) { return std::string("\"\u00e9\""); }, "]"},
    {"long strings beyond ASCII", "[", [](size_t) { return Quoted(Repeated("\u00e9\u4e2d", 10'000)); }, "]"},
    {"escapes between characters", "[", [](size_t) { return Quoted(Repeated("\u00e9\\n", 20'000)); }, "]"},
    {"a character to compose", "[", [](size_t) { return std::string("\"e\u0301\""); }, "]"},
    {"characters to compose", "[", [](size_t) { return Quoted(Repeated("e\u0301", 20'000)); }, "]"},
    {"characters to compose, escaped", "[", [](size_t) { return Quoted(Repeated("e\\u0301", 10'000)); }, "]"},
    {"combining marks in order", "[", [](size_t) { return Quoted("e" + Repeated("\u0316", 20'000)); }, "]"},
    {"combining marks out of order", "[", [](size_t) { return Quoted("e" + Repeated("\u0315\u0323", 20'000)); }, "]"},
    {"a syllable to compose", "[", [](size_t) { return std::string("\"\u1100\u1161\u11a8\""); }, "]"},
    {"syllables to compose", "[", [](size_t) { return Quoted(Repeated("\u1100\u1161\u11a8", 10'000)); }, "]"},
    {"characters that grow", "[", [](size_t) { return Quoted(Repeated("\u0958", 10'000)); }, "]"},
    {"a character that grows", "[", [](size_t) { return std::string("\"\u0958\""); }, "]"},
    {"musical notes that grow", "[", [](size_t) { return Quoted(Repeated("\U0001d160", 10'000)); }, "]"},
};

const JsonFamily kStructures[] = {
    {"empty arrays", "[", [](size_t) { return std::string("[]"); }, "]"},
    {"arrays of one", "[", [](size_t) { return std::string("[0]"); }, "]"},
    {"deep arrays", "[", [](size_t) { return Repeated("[", 500) + Repeated("]", 500); }, "]"},
    {"deep objects", "[", [](size_t) { return Repeated("{\"a\":", 500) + "0" + Repeated("}", 500); }, "]"},
    {"deep objects of new keys", "[",
     [](size_t n) {
       std::string text;
       for (size_t i = 0; i < 500; ++i) text += "{" + Quoted(Short(n * 500 + i)) + ":";
       return text + "0" + Repeated("}", 500);
     },
     "]"},
    {"literals", "[", [](size_t) { return std::string("null"); }, "]"},
    {"blanks", "[", [](size_t) { return Repeated(" \n", 500) + "0"; }, "]"},
    {"empty objects", "[", [](size_t) { return std::string("{}"); }, "]"},
    {"objects of one key", "[", [](size_t) { return std::string("{\"a\":0}"); }, "]"},
    {"objects of two forms", "[", [](size_t n) { return std::string(n % 2 == 0 ? "{\"a\":0}" : "{\"b\":0}"); }, "]"},
    {"objects of nine forms", "[", [](size_t n) { return "{" + Member(Short(n % 9)) + "}"; }, "]"},
    {"objects of forty forms", "[", [](size_t n) { return "{" + Member(Short(n % 40)) + "}"; }, "]"},
    {"objects of one new key", "[", [](size_t n) { return NewObject(n, 1); }, "]"},
    {"objects of two new keys", "[", [](size_t n) { return NewObject(n, 2); }, "]"},
    {"objects of ten new keys", "[", [](size_t n) { return NewObject(n, 10); }, "]"},
    {"objects of 64 new keys", "[", [](size_t n) { return NewObject(n, 64); }, "]"},
    {"objects of 65 new keys", "[", [](size_t n) { return NewObject(n, 65); }, "]"},
    {"objects of 1,000 new keys", "[", [](size_t n) { return NewObject(n, 1'000); }, "]"},
    {"objects of some keys", "[", SubsetObject, "]"},
};

const JsonFamily kKeys[] = {
    {"an object of short keys", "{", [](size_t n) { return Member(Short(n)); }, "}"},
    {"an object of numbered keys", "{", [](size_t n) { return Member("a" + std::to_string(n)); }, "}"},
    {"an object of scattered keys", "{", [](size_t n) { return Member(Short(Scattered(n))); }, "}"},
    {"an object of scattered keys with one beginning", "{",
     [](size_t n) { return Member("identity" + Short(Scattered(n))); }, "}"},
    {"an object of scattered keys with a long beginning", "{",
     [](size_t n) { return Member(Repeated("identity", 20) + Short(Scattered(n))); }, "}"},
    {"an object of keys beyond ASCII", "{", [](size_t n) { return Member("\u00e9" + Short(Scattered(n))); }, "}"},
    {"an object of keys to compose", "{", [](size_t n) { return Member("e\u0301" + Short(Scattered(n))); }, "}"},
    {"an object of escaped keys", "{", [](size_t n) { return Member("\\n" + Short(Scattered(n))); }, "}"},
    {"an object of keys of zero bytes", "{",
     [](size_t n) { return Member(Repeated("\\u0000", n % 1'000) + Short(n / 1'000)); }, "}"},
    {"an object of objects of a new key", "{",
     [](size_t n) { return Quoted(Short(Scattered(n))) + ":" + NewObject(n, 1); }, "}"},
};

template <size_t kCount>
void Append(const JsonFamily (&families)[kCount], std::vector<JsonFamily>* all) {
  all->insert(all->end(), families, families + kCount);
}

}  // namespace

std::string JsonFamily::Text(size_t bytes) const {
  std::string text = open;
  for (size_t n = 0; text.size() < bytes; ++n) {
    if (n > 0) text += ',';
    text += item(n);
  }
  return text + close;
}

std::vector<JsonFamily> JsonFamilies() {
  std::vector<JsonFamily> all;
  Append(kNumbers, &all);
  Append(kStrings, &all);
  Append(kStructures, &all);
  Append(kKeys, &all);
  return all;
}

}  // namespace hcl::bench
