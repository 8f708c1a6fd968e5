// Findings of checks: which source they are of, comments that keep warnings back, and warnings that are errors.
//
// Internal to modules and programs. Tested by module/type_checker_test.cc and tests/check_test.sh.

#ifndef HCLVM_MODULE_FINDINGS_H_
#define HCLVM_MODULE_FINDINGS_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"

namespace hcl::internal {

// Adds all that was found by a phase that knows of one source, and leaves it out. What was past the bound is counted.
void AddAll(const Diagnostics& found, const Source* source, Diagnostics* diagnostics);

// Knows which warnings a comment keeps back: those whose code is named behind "hclvm:ignore", in the next thousand
// bytes, on their line or on the one before it. Each line is searched once. Not thread-safe; sources must outlive it.
class WarningFilter {
 public:
  bool IsIgnored(const Diagnostic& warning);
  // Adds what is in `found` and not ignored to `diagnostics`, and takes it out. What was past the bound is counted.
  void Move(Diagnostics* found, Diagnostics* diagnostics);

 private:
  std::string_view CodesOn(const Source& source, uint32_t line);

  HashMap<std::pair<const Source*, uint32_t>, std::string_view> codes_;  // by line; what names them
};

// Adds `found` to `diagnostics`: without warnings that are ignored; where `strict`, the others are errors. What was
// past the bound is counted.
void AddFindings(const Diagnostics& found, bool strict, Diagnostics* diagnostics);

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_FINDINGS_H_
