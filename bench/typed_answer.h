// The answers of the hand-written workloads as typed JSON, as the files in bench/want have them.
//
// The workloads' texts need no escapes. Tested by bench/handwritten_test.cc.

#ifndef HCLVM_BENCH_TYPED_ANSWER_H_
#define HCLVM_BENCH_TYPED_ANSWER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hcl::bench {

std::string TypedAnswer(bool value);
std::string TypedAnswer(int64_t value);
std::string TypedAnswer(const std::string& value);
std::string TypedAnswer(const std::vector<std::string>& value);            // a tuple
std::string TypedAnswer(const std::map<std::string, std::string>& value);  // an object

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_TYPED_ANSWER_H_
