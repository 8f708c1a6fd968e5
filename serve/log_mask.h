// LogMask: what of the inputs is kept out of the decision log (docs/service.md, "Decision log").
//
// Tested by serve/log_mask_test.cc.

#ifndef HCLVM_SERVE_LOG_MASK_H_
#define HCLVM_SERVE_LOG_MASK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/vm/value/value.h"

namespace hcl::serve {

// Immutable once it is made; thread-safe.
class LogMask {
 public:
  // Adds a pattern: names with dots between them, from the variables on: "request.headers.cookie". "*" stands for one
  // name or position, "**" for any number of them: "**.password". What it names is left out (`erase`) or written as
  // "***". Returns what is wrong with the pattern, or nothing.
  std::string Add(std::string_view pattern, bool erase);

  // The mask for inputs with these variables, which are left out, besides.
  LogMask WithErased(const std::vector<std::string>& variables) const;

  // Appends the JSON of `scope`, an object, without what is to be left out, and to *erased and *masked the places of
  // that as JSON strings with commas between: "/user/token". False where the value has no JSON form or is too deep;
  // *out is then as it was. Marked values are left out.
  bool Append(const Value& scope, std::string* out, std::string* erased, std::string* masked) const;

 private:
  struct Step {
    enum Kind { kName, kOne, kAny } kind;  // "*" is kOne, "**" kAny
    std::string name;
  };
  struct Pattern {
    std::vector<Step> steps;
    bool erase;
  };
  // "**.NAME", which most patterns are: looked at for each name, without any states.
  struct Anywhere {
    std::string name;
    bool erase;
  };
  class Writer;

  std::vector<Pattern> patterns_;  // the others
  std::vector<Anywhere> anywhere_;
  uint64_t sizes_ = 0;  // bit N: one of these has N bytes; the last bit stands for more
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_LOG_MASK_H_
