// Texts in JSON that were slow to read once, or are easily so: what bench/worst_reading.cc measures.

#ifndef HCLVM_BENCH_JSON_FAMILIES_H_
#define HCLVM_BENCH_JSON_FAMILIES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace hcl::bench {

// An array or object of items, which `item` makes from their number.
struct JsonFamily {
  const char* name;
  const char* open;
  std::string (*item)(size_t n);
  const char* close;

  // As many items as it takes to have at least `bytes`.
  std::string Text(size_t bytes) const;
};

std::vector<JsonFamily> JsonFamilies();

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_JSON_FAMILIES_H_
