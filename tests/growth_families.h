// Families of texts and calls that were once too expensive, or are easily so, and what each costs at a size: the one
// source for tests/growth_test.cc and for the tables of docs/hostile-input.md.

#ifndef HCLVM_TESTS_GROWTH_FAMILIES_H_
#define HCLVM_TESTS_GROWTH_FAMILIES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hcl {

enum class GrowthKind {
  kConfig,      // a text in the native syntax, from parsing to its output
  kJsonConfig,  // the same in the JSON syntax
  kScope,       // a text of JSON that is read as a value
  kCall,        // an expression, `name`, over a variable `text`
};

// `first`, then `part` for each number in place of its `#`, then `last`.
struct GrowthFamily {
  GrowthKind kind;
  const char* name;
  const char* first;
  const char* part;
  const char* last;

  std::string Text(size_t count) const;
};

std::vector<GrowthFamily> GrowthFamilies();

// What grows with the text; the same in every run. Memory depends on the standard library as well.
struct GrowthCost {
  uint64_t text_bytes = 0;
  uint64_t memory = 0;  // bytes asked for, freed since or not
  uint64_t fuel = 0;    // of a kCall; 0 for all others
};

// Of one family with so many parts.
GrowthCost CostOf(const GrowthFamily& family, size_t count);

// Calls of each function of the library with one large argument of the forms that it takes: the variable `large` of the
// expression has `count` elements or bytes.
struct GrowthCall {
  std::string function;
  std::string expression;
  const char* form;  // "text", "strings", "numbers", "map"
};
std::vector<GrowthCall> GrowthCalls();
GrowthCost CostOf(const GrowthCall& call, size_t count);

}  // namespace hcl

#endif  // HCLVM_TESTS_GROWTH_FAMILIES_H_
