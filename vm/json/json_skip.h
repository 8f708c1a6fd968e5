// JsonSkipper: where values of a JSON text end that nobody needs.
//
// Internal to the JSON reader. Tested by vm/json/json_skip_test.cc.

#ifndef HCLVM_VM_JSON_JSON_SKIP_H_
#define HCLVM_VM_JSON_JSON_SKIP_H_

#include <cstdint>
#include <vector>

#include "hclvm/internal/name_table.h"

namespace hcl::internal {

struct SkipCode;

// Of what it skips it checks that the text is UTF-8, that strings end and hold no control characters, that backslashes
// stand in strings, that brackets match and how deep they are nested. It does not check commas, colons, numbers,
// literals, escapes and repeated names: whatever it refuses is no JSON, but not the other way around. Keeps a little
// memory between calls. Not thread-safe.
class JsonSkipper {
 public:
  // With the best code that the processor can run.
  JsonSkipper() : JsonSkipper(Best()) {}
  // For tests: with any code that the processor can run.
  explicit JsonSkipper(const SkipCode* code) : code_(code) {}
  static std::vector<const SkipCode*> Codes();

  // The end of the value that begins at `at`, which is before `end` and no blank; null where that is none. `depth`:
  // levels that may be opened.
  const char* Skip(const char* at, const char* end, uint32_t depth);

  // Goes over properties of an object that nobody needs, from `at`, behind the comma between two of them. Returns where
  // the next property begins whose name is one of `wanted`, or is not all plain ASCII, so that it may mean one of them;
  // or else the brace that closes the object; null where something is wrong. `depth`: levels that may be opened in it.
  // Duplicates of names among those that it goes over are not found, nor are colons and commas that are missing.
  const char* SkipProperties(const char* at, const char* end, uint32_t depth, const NameTable& wanted);

  // The end of the string whose opening quote is at `at`, behind its closing quote; null where there is none.
  const char* SkipString(const char* at, const char* end);

 private:
  static const SkipCode kPlain;  // for any processor
  static const SkipCode* Best();

  const SkipCode* code_;
  std::vector<uint64_t> kinds_;  // of the open brackets, 64 in a word, of those that are not the innermost ones
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_JSON_JSON_SKIP_H_
