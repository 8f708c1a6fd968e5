// PrintNumbers: numbers in a text, by a format of printf().
//
// Abseil's formatting writes the end of its text in a destructor, so that memory which is refused there ends the
// process. Internal. Tested by base/print_numbers_test.cc.

#ifndef HCLVM_BASE_PRINT_NUMBERS_H_
#define HCLVM_BASE_PRINT_NUMBERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>

namespace hcl::internal {

// What printf() would write, at most 127 bytes of it.
template <typename... Numbers>
std::string PrintNumbers(const char* format, Numbers... numbers) {
  static_assert((std::is_arithmetic_v<Numbers> && ...), "texts have no bound");
  char text[128];
  const int size = std::snprintf(text, sizeof(text), format, numbers...);
  return {text, std::min(static_cast<std::size_t>(std::max(size, 0)), sizeof(text) - 1)};
}

}  // namespace hcl::internal

#endif  // HCLVM_BASE_PRINT_NUMBERS_H_
