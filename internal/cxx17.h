// Ends a compilation for an older C++ with one message instead of pages of errors in templates.
//
// Headers that include no other header of ours include this one. Tested by tests/public_headers/public_headers_test.sh.

#ifndef HCLVM_INTERNAL_CXX17_H_
#define HCLVM_INTERNAL_CXX17_H_

#if __cplusplus < 201703L
#error "hclvm needs C++17 or later: compile with -std=c++17 (Bazel: --cxxopt=-std=c++17)"
// Nothing that a compiler reads afterwards helps the reader; a header that is not there stops it here.
#include "hclvm needs C++17 or later"
#endif

#endif  // HCLVM_INTERNAL_CXX17_H_
