// Texts of JSON, and choices that are the same everywhere: what the scopes of the breadth workloads are made with.
//
// Tested by bench/inputs_test.sh, which compares the scopes with their checksums.

#ifndef HCLVM_BENCH_BREADTH_JSON_TEXT_H_
#define HCLVM_BENCH_BREADTH_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace hcl::bench {

// `text` in quotes; it needs no escapes.
inline std::string JsonText(absl::string_view text) { return absl::StrCat("\"", text, "\""); }

// Items and values are JSON.
inline std::string JsonList(const std::vector<std::string>& items) {
  return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
}

inline std::string JsonTexts(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) items.push_back(JsonText(text));
  return JsonList(items);
}

inline std::string JsonObject(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::vector<std::string> items;
  for (const auto& [name, value] : entries) items.push_back(absl::StrCat("\"", name, "\": ", value));
  return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
}

inline std::string JsonNumber(int number) { return absl::StrCat(number); }
inline std::string JsonBool(bool value) { return value ? "true" : "false"; }

// Chooses by a generator of its own: those of the standard library differ between its implementations. Rolls stand in
// statements or braces of their own, as compilers differ in the order of a call's arguments.
class Dice {
 public:
  // Of one workload and scope.
  Dice(int workload, int scope) : state_(static_cast<uint64_t>(workload) * 1000 + static_cast<uint64_t>(scope)) {
    Roll(2);
  }

  // 0 to sides - 1; requires sides > 0.
  int Roll(int sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<uint64_t>(sides));
  }

  // True in so many of a hundred cases.
  bool Chance(int percent) { return Roll(100) < percent; }

  template <typename T, size_t N>
  const T& Pick(const T (&choices)[N]) {
    return choices[Roll(static_cast<int>(N))];
  }

  // Each of the choices with the same chance.
  template <size_t N>
  std::vector<std::string> Some(const char* const (&choices)[N], int percent) {
    std::vector<std::string> some;
    for (const char* choice : choices) {
      if (Chance(percent)) some.emplace_back(choice);
    }
    return some;
  }

 private:
  uint64_t state_;
};

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_JSON_TEXT_H_
