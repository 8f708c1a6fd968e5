// JsonSkipper: where values of a JSON text end that nobody needs.
//
// Internal to the JSON reader. Tested by vm/json/json_skip_test.cc.

#ifndef HCLVM_VM_JSON_JSON_SKIP_H_
#define HCLVM_VM_JSON_JSON_SKIP_H_

#include <cstdint>
#include <vector>

namespace hcl::internal {

// Of what it skips it checks that the text is UTF-8, that strings end and hold no control characters, that backslashes
// stand in strings, that brackets match and how deep they are nested. It does not check commas, colons, numbers,
// literals, escapes and repeated names: whatever it refuses is no JSON, but not the other way around. Keeps a little
// memory between calls. Not thread-safe.
class JsonSkipper {
 public:
  JsonSkipper() : JsonSkipper(HasAvx2()) {}
  // For tests: the code that all processors can run.
  static JsonSkipper Plain() { return JsonSkipper(false); }

  // The end of the value that begins at `at`, which is before `end` and no blank; null where that is none. `depth`:
  // levels that may be opened.
  const char* Skip(const char* at, const char* end, uint32_t depth);

  // The end of the string whose opening quote is at `at`, behind its closing quote; null where there is none.
  const char* SkipString(const char* at, const char* end);

 private:
  explicit JsonSkipper(bool has_avx2) : has_avx2_(has_avx2) {}
  static bool HasAvx2();

  bool has_avx2_;
  std::vector<uint64_t> kinds_;  // of the open brackets, 64 in a word, of those that are not the innermost ones
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_JSON_SKIP_H_
