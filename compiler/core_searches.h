// Searches in a loop around them: what no pass changes is gone through once, and its elements are kept as a list.
//
// Tested by compiler/core_test.cc.

#ifndef HCLVM_COMPILER_CORE_SEARCHES_H_
#define HCLVM_COMPILER_CORE_SEARCHES_H_

#include "hclvm/compiler/core.h"

namespace hcl::internal {

// What a producer of comparisons compares, and with what that a loop around it changes. Both null for others.
struct CoreSearch {
  const CoreNode* element = nullptr;
  const CoreNode* sought = nullptr;
  bool is_negated = false;  // it yields whether they differ
};
CoreSearch FindSearch(const CoreNode& producer);

// The producer with `element` in place of what it yields. It is none of several in a row.
const CoreNode* WithElement(CoreTree* tree, const CoreNode& producer, const CoreNode& element);

// Whether each pass of a loop around goes through the same elements to look for something else.
bool IsRepeated(const CoreNode& producer, const CoreNode& sought);

// `items`, or the same where each pass of a loop around takes those elements whose key is what it looks for: they are
// found by their keys.
const CoreNode* FoundByKeys(CoreTree* tree, const CoreNode* items);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_SEARCHES_H_
