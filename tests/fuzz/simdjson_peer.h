// What simdjson says about a JSON text.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_SIMDJSON_PEER_H_
#define HCLVM_TESTS_FUZZ_SIMDJSON_PEER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {

// Not thread-safe; keeps its buffers.
class SimdjsonPeer {
 public:
  SimdjsonPeer();
  ~SimdjsonPeer();

  enum class Verdict : uint8_t {
    kValid,
    kInvalid,
    kNoOpinion,  // what simdjson does not take though it is JSON: numbers beyond double, lone surrogates, deep nesting
  };
  Verdict Judge(std::string_view text);

  // Whether `value` is what the text judged last says; only after kValid. Strings are compared in NFC, numbers as
  // simdjson has them: 64-bit integers or doubles.
  bool Says(const Value& value) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_SIMDJSON_PEER_H_
