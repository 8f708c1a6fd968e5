// RegexTemplate: what a match is replaced with. `$1`, `${1}`, `$name` and `${name}` stand for what a group has matched,
// `$$` for a dollar sign. Of several groups of one name the first that took part in a match counts. A name is as long
// as it can be (`$1x` is the group "1x"); one that is no group stands for nothing; a dollar sign before anything else
// stands for itself.
//
// Tested by vm/functions/regex_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_REGEX_TEMPLATE_H_
#define HCLVM_VM_FUNCTIONS_REGEX_TEMPLATE_H_

#include <string_view>
#include <vector>

#include "re2/re2.h"

namespace hcl::internal {

// Immutable. `text`, to which the parts point, must outlive it.
class RegexTemplate {
 public:
  struct Part {
    std::string_view text;
    int group = -1;  // the group's number, or -1 for a part that is text
    bool by_name = false;
  };

  RegexTemplate(std::string_view text, const re2::RE2& pattern);

  const std::vector<Part>& parts() const { return parts_; }
  bool has_groups() const { return has_groups_; }
  // For each group's number that of the next group of the same name, or 0. Empty when all names differ.
  const std::vector<int>& next_of_name() const { return next_of_name_; }

 private:
  void LinkNames(const re2::RE2& pattern);
  void AddText(std::string_view text);
  void AddGroup(std::string_view name, const re2::RE2& pattern);

  std::vector<Part> parts_;
  std::vector<int> next_of_name_;
  bool has_groups_ = false;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_REGEX_TEMPLATE_H_
