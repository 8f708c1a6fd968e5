// Whether the forms of a group of spellings mean what the group says. Tested by bench/spelling_test.cc.

#ifndef HCLVM_BENCH_SPELLING_CHECK_H_
#define HCLVM_BENCH_SPELLING_CHECK_H_

#include <string>

#include "hclvm/bench/spelling_groups.h"

namespace hcl::bench {

// The first thing that is wrong with `group`, or an empty string. Every form must have a value over each of its scopes;
// all the same one, as typed JSON, unless they do different work. Forms that should mean the same must also fail over
// each failing scope, with the same messages, whatever places those name. Ends the process if a form does not compile.
std::string CheckSpelling(const SpellingGroup& group);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_SPELLING_CHECK_H_
