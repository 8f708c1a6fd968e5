// PackFirstTests, UnpackFirstTests. Tested by compiler/first_tests_test.cc.
//
// Integers are packed; a hash has four bytes. A path that was written before is its number, one that is new the number
// that comes next, and then its names.

#include "hclvm/compiler/first_tests.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/vm/packed_integers.h"

namespace hcl::internal {
namespace {

class Packer {
 public:
  void Put(uint64_t number) {
    uint8_t bytes[kMaxPackedBytes];
    const uint8_t* const end = PutPacked(static_cast<uint32_t>(number), bytes);
    packed_.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(end - bytes));
  }
  void Put(std::string_view text) {
    Put(text.size());
    packed_.append(text);
  }
  void Put(const FirstTests::Path& path) {
    const size_t at = static_cast<size_t>(std::find(paths_.begin(), paths_.end(), path) - paths_.begin());
    Put(at);
    if (at < paths_.size()) return;
    paths_.push_back(path);
    Put(path.size());
    for (const std::string_view name : path) Put(name);
  }
  void PutHash(uint32_t hash) {
    char bytes[sizeof(hash)];
    std::memcpy(bytes, &hash, sizeof(hash));
    packed_.append(bytes, sizeof(hash));
  }
  std::string Packed() && { return std::move(packed_); }

 private:
  std::string packed_;
  std::vector<FirstTests::Path> paths_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view packed) : at_(reinterpret_cast<const uint8_t*>(packed.data())) {}

  uint32_t Number() { return TakePacked(&at_); }
  std::string_view Text() {
    const size_t size = Number();
    const std::string_view text(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return text;
  }
  FirstTests::Path Path() {
    const size_t at = Number();
    if (at < paths_.size()) return paths_[at];
    FirstTests::Path path(Number());
    for (std::string_view& name : path) name = Text();
    paths_.push_back(path);
    return path;
  }
  uint32_t Hash() {
    uint32_t hash = 0;
    std::memcpy(&hash, at_, sizeof(hash));
    at_ += sizeof(hash);
    return hash;
  }

 private:
  const uint8_t* at_;
  std::vector<FirstTests::Path> paths_;
};

}  // namespace

// Demands that no test needs say nothing.
std::string PackFirstTests(const FirstTests& first) {
  if (first.tests.empty()) return std::string();
  Packer packer;
  const size_t demands = first.tests.back().demands;
  packer.Put(demands);
  for (size_t n = 0; n < demands; ++n) {
    const FirstTests::Demand& demand = first.demands[n];
    packer.Put(demand.path);
    packer.Put(2 * demand.tags + (demand.or_absent ? 1 : 0));
  }
  packer.Put(first.tests.size());
  for (const FirstTests::Test& test : first.tests) {
    packer.Put(test.subject);
    packer.Put(test.demands);
    packer.Put(test.hashes.size());
    for (const uint32_t hash : test.hashes) packer.PutHash(hash);
    packer.Put(test.prefixes.size());
    for (const std::string_view prefix : test.prefixes) packer.Put(prefix);
  }
  return std::move(packer).Packed();
}

FirstTests UnpackFirstTests(std::string_view packed) {
  FirstTests first;
  if (packed.empty()) return first;
  Unpacker unpacker(packed);
  for (uint32_t left = unpacker.Number(); left > 0; --left) {
    FirstTests::Path path = unpacker.Path();
    const uint32_t asked = unpacker.Number();
    first.demands.push_back({std::move(path), asked / 2, asked % 2 != 0});
  }
  for (uint32_t left = unpacker.Number(); left > 0; --left) {
    FirstTests::Test test{unpacker.Path(), {}, {}, unpacker.Number()};
    test.hashes.resize(unpacker.Number());
    for (uint32_t& hash : test.hashes) hash = unpacker.Hash();
    test.prefixes.resize(unpacker.Number());
    for (std::string_view& prefix : test.prefixes) prefix = unpacker.Text();
    first.tests.push_back(std::move(test));
  }
  return first;
}

}  // namespace hcl::internal
