// How options of the programs that serve take their values: each returns what is wrong with one, or nothing.
//
// Tested by cmd/hclvm-serve/serve_options_test.cc.

#ifndef HCLVM_CMD_HCLVM_SERVE_OPTION_SETTERS_H_
#define HCLVM_CMD_HCLVM_SERVE_OPTION_SETTERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::serve {

// Writes to what it was made of, which must outlive it.
using Setter = std::function<std::string(std::string_view)>;

inline Setter Text(std::string* to) {
  return [to](std::string_view value) { return *to = std::string(value), ""; };
}

inline Setter Texts(std::vector<std::string>* to) {
  return [to](std::string_view value) { return to->emplace_back(value), ""; };
}

template <typename T>
inline Setter WholeNumber(T* to, uint64_t least, uint64_t most) {
  return [=](std::string_view value) -> std::string {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(internal::ToAbsl(value), &number) || number < least || number > most) {
      return absl::StrCat("expected a whole number from ", least, " to ", most);
    }
    *to = static_cast<T>(number);
    return "";
  };
}

// Whole numbers of the unit T.
template <typename T, typename D>
inline Setter Duration(D* to, uint64_t most) {
  return [=](std::string_view value) -> std::string {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(internal::ToAbsl(value), &number) || number > most) {
      return absl::StrCat("expected a whole number from 0 to ", most);
    }
    *to = T(number);
    return "";
  };
}

template <typename T>
inline Setter Choice(T* to, std::string_view first, T first_value, std::string_view second, T second_value) {
  return [=](std::string_view value) -> std::string {
    if (value != first && value != second)
      return absl::StrCat("expected ", internal::ToAbsl(first), " or ", internal::ToAbsl(second));
    *to = value == first ? first_value : second_value;
    return "";
  };
}

inline Setter Fraction(double* to) {
  return [to](std::string_view value) -> std::string {
    if (!absl::SimpleAtod(internal::ToAbsl(value), to) || !(*to >= 0 && *to <= 1))
      return "expected a number from 0 to 1";
    return "";
  };
}

// The URL of a service, without query and fragment; it gets no "/" at its end.
inline Setter Url(std::string* to) {
  return [to](std::string_view value) -> std::string {
    const size_t host = value.substr(0, 8) == "https://" ? 8 : value.substr(0, 7) == "http://" ? 7 : std::string::npos;
    while (!value.empty() && value.back() == '/') value.remove_suffix(1);
    const bool is_plain = std::all_of(value.begin(), value.end(), [](char c) {
      return c > ' ' && c < 0x7f && std::string_view("?#\"\\<>").find(c) == std::string_view::npos;
    });
    if (host == std::string::npos || value.size() <= host || !is_plain) {
      return "expected https://HOST[:PORT][/PATH], without a query and a fragment";
    }
    *to = std::string(value);
    return "";
  };
}

// Bools come without a value on the command line.
inline Setter Switch(bool* to) {
  return [to](std::string_view value) -> std::string {
    if (!value.empty() && value != "true" && value != "false") return "expected true or false";
    *to = value != "false";
    return "";
  };
}

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_OPTION_SETTERS_H_
