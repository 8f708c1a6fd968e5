// LogMask: what of the inputs is kept out of the decision log (docs/service.md, "Decision log").
//
// Tested by serve/log_mask_test.cc and serve/log_mask_text_test.cc.

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
  // name or position, "**" for any number of them: "**.password", which finds the name in upper and lower case, as
  // headers have it. What it names is left out (`erase`) or written as "***". Returns what is wrong with the pattern,
  // or nothing.
  std::string Add(std::string_view pattern, bool erase);

  // The mask for inputs with these variables, which are left out, besides.
  LogMask WithErased(const std::vector<std::string>& variables) const;

  // What there is of an input for a line of the log. Buffers are kept from one to the next.
  struct Shown {
    std::string json;    // without what is to be left out
    std::string erased;  // the places of that, as JSON strings with commas between: "/user/token"
    std::string masked;  // the same of what is written as "***"

    void Clear() {
      json.clear();
      erased.clear();
      masked.clear();
    }
  };
  enum class Result { kShown, kNoForm, kTooLarge };

  // Fills in *shown from `scope`, an object. Marked values are left out. kNoForm where the value has no JSON form or is
  // too deep. kTooLarge where a text would have more than about `max_bytes`, which that of a small value can.
  Result Show(const Value& scope, size_t max_bytes, Shown* shown) const;

  // The same for the text of a JSON object, which is copied without its blanks: properties keep their order, and
  // numbers and strings are written as they were. kNoForm where the text is no JSON object, or an unusual one: what it
  // is, only its value says then. Much cheaper than to read the text and write its value.
  Result ShowText(std::string_view text, size_t max_bytes, Shown* shown) const;

  // The same for the JSON text of a result, as if it was a variable "result": patterns and places begin with that name,
  // "result.user.email" and "result/user/email". What is left out is not there, or null where it is the whole.
  Result ShowResult(std::string_view json, size_t max_bytes, Shown* shown) const;

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
  // Names of most sizes are none that is looked for.
  static uint64_t SizeBit(std::string_view name) { return uint64_t{1} << (name.size() < 63 ? name.size() : 63); }

  class Walk;
  class ValueWriter;
  class TextWriter;

  std::vector<Pattern> patterns_;  // the others
  std::vector<Anywhere> anywhere_;
  uint64_t sizes_ = 0;  // bit N: one of these has N bytes; the last bit stands for more
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_LOG_MASK_H_
