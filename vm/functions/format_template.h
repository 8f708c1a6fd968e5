// FormatTemplate: the format of format() and formatlist(), taken apart.
//
// Tested by vm/functions/format_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_FORMAT_TEMPLATE_H_
#define HCLVM_VM_FUNCTIONS_FORMAT_TEMPLATE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/format_number.h"

namespace hcl::internal {

// A stretch of text, or a verb. Plain data; views are of the format.
struct FormatPiece {
  std::string_view text;  // the text, or the verb as it is written, from its percent sign on
  size_t begin = 0;       // offset of a verb
  bool is_verb = false;
  FormatSpec spec;              // of a verb
  size_t argument = 0;          // which argument it is for, from 0
  const char* fault = nullptr;  // what is wrong with the verb; nothing follows it then
};

// Immutable. The format must outlive it.
class FormatTemplate {
 public:
  explicit FormatTemplate(std::string_view format);

  absl::Span<const FormatPiece> pieces() const { return pieces_; }

 private:
  // Reads the verb whose percent sign is at at_; false when it is malformed.
  bool ReadVerb();
  // What is behind the percent sign of a verb into *piece; what is wrong, or null.
  const char* ReadParts(FormatPiece* piece);
  void ReadFlags(FormatSpec* spec);
  bool Accept(char c);
  bool AtDigit() const;
  int64_t ReadCount();

  std::string_view format_;
  absl::InlinedVector<FormatPiece, 8> pieces_;
  size_t at_ = 0;    // next byte of the format
  size_t next_ = 0;  // argument of the next verb
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_FORMAT_TEMPLATE_H_
