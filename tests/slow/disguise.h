// Disguised: a program whose parts are written in another way, so that a compiler does not see what they are.

#ifndef HCLVM_TESTS_SLOW_DISGUISE_H_
#define HCLVM_TESTS_SLOW_DISGUISE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/tests/slow/generator.h"

namespace hcl::testing_support {

// Which disguises parts get.
enum class Disguise : uint8_t {
  kBrackets,  // `(e)`: everything stays, and so do the places of errors
  kAny,       // also `([e][0])`, `({zz = e}.zz)` and `([for zz in [0] : e][0])`
};

// A program with about `percent` of its parts disguised. A value that a part may be is that of its disguise, and it
// fails as its disguise does; but where only the form of an expression tells its type, that is hidden.
class Disguised {
 public:
  Disguised(const std::string& text, Disguise disguise, uint32_t percent, Generator* random);

  const std::string& text() const { return text_; }
  // The range in the program that became `range` of text().
  SourceRange Original(SourceRange range) const;

 private:
  std::string text_;
  std::vector<uint32_t> origin_;  // of each byte of text_: where it stood, or the end of the part that it disguises
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_DISGUISE_H_
