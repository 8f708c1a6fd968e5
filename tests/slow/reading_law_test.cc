// The law of reading to declared types, over random types and random lines: what is read straight to what a module
// declares gives the bytes that reading all of the line and converting it afterwards gives, also of errors; or an
// answer where all of the line gives an error, for what is not read. One evaluator gets line after line, since it
// learns from each.
//
// The same types every time, unless the environment says otherwise (tests/support/seed.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/ndjson.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kModules = 10'000;
constexpr int kLines = 12;  // for each

// A declared type, as a tree.
struct Declared {
  enum Kind { kAny, kBool, kNumber, kString, kList, kSet, kMap, kTuple, kObject, kKinds };
  Kind kind = kAny;
  std::vector<std::pair<std::string, Declared>> parts;  // by name, where it is an object
  bool is_optional = false;
  std::string stand_in;  // of an optional one; may be empty
};

class ReadingLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  size_t Below(size_t n) { return random_() % n; }
  bool Chance(size_t percent) { return Below(100) < percent; }
  const char* OneOf(std::initializer_list<const char*> items) { return items.begin()[Below(items.size())]; }

  Declared RandomType(int depth) {
    Declared type;
    type.kind = static_cast<Declared::Kind>(depth > 0 && Chance(70) ? Declared::kList + Below(5) : Below(4));
    if (type.kind == Declared::kSet && Chance(70)) type.kind = Declared::kObject;
    if (type.kind < Declared::kList) return type;
    if (type.kind != Declared::kObject) {
      for (size_t n = type.kind == Declared::kTuple ? Below(4) : 1; n > 0; --n) {
        type.parts.emplace_back("", RandomType(depth - 1));
      }
      return type;
    }
    std::vector<std::string> names = {
        "a", "b", "id", "name", "a_name_beyond_a_word", "another_name_beyond_two_words", "\u00e9", "x y"};
    std::shuffle(names.begin(), names.end(), random_);
    names.resize(Below(6));
    for (const std::string& name : names) {
      Declared part = RandomType(depth - 1);
      part.is_optional = Chance(40);
      if (part.is_optional && Chance(50)) part.stand_in = Fitting(part);
      type.parts.emplace_back(name, std::move(part));
    }
    return type;
  }

  static std::string Syntax(const Declared& type) {
    static constexpr const char* kNames[] = {"any", "bool", "number", "string", "list",
                                             "set", "map",  "tuple",  "object"};
    std::string text = kNames[type.kind];
    if (type.kind >= Declared::kList) {
      text += type.kind == Declared::kTuple ? "([" : type.kind == Declared::kObject ? "({" : "(";
      for (size_t n = 0; n < type.parts.size(); ++n) {
        const auto& [name, part] = type.parts[n];
        absl::StrAppend(&text, n > 0 ? ", " : "");
        if (type.kind == Declared::kObject) absl::StrAppend(&text, "\"", name, "\" = ");
        const std::string inner = Syntax(part);
        part.is_optional
            ? absl::StrAppend(&text, "optional(", inner, part.stand_in.empty() ? "" : ", ", part.stand_in, ")")
            : absl::StrAppend(&text, inner);
      }
      text += type.kind == Declared::kTuple ? "])" : type.kind == Declared::kObject ? "})" : ")";
    }
    return text;
  }

  // JSON, and HCL, of a value that is of the type.
  std::string Fitting(const Declared& type) {
    switch (type.kind) {
      case Declared::kAny:
        return OneOf({"1", "\"a\"", "[1, \"b\"]", "{\"a\": 1}", "true", "[]"});
      case Declared::kBool:
        return OneOf({"true", "false"});
      case Declared::kNumber:
        return OneOf({"0", "-7", "2.50", "123456789012345678901234567890", "1e3"});
      case Declared::kString:
        return OneOf({"\"\"", "\"x\"", "\"a text of many bytes, so that it is not inline\"", "\"e\u0301\"", "\"\\n\""});
      default:
        return Items(type, /*wrong=*/0);
    }
  }

  // JSON: with that chance in a hundred, something else stands at a place.
  std::string Json(const Declared& type, size_t wrong) {
    if (Chance(wrong)) {
      return OneOf({"null", "5", "\"5\"", "true", "\"true\"", "\"x\"", "[]", "{}", "[null]", "{\"a\":null}", "2.5",
                    "[1,\"a\"]", "[[1],[\"a\",true]]", "{\"a\":{\"b\":[1]}}", "{\"id\":1,\"id\":2}", "nul", "01"});
    }
    return type.kind < Declared::kList ? Fitting(type) : Items(type, wrong);
  }

  std::string Items(const Declared& type, size_t wrong) {
    const bool is_array = type.kind == Declared::kList || type.kind == Declared::kSet || type.kind == Declared::kTuple;
    std::vector<std::string> items;
    const auto add = [&](const std::string& name, const Declared& part) {
      items.push_back(is_array ? Json(part, wrong) : absl::StrCat("\"", name, "\":", Json(part, wrong)));
    };
    if (type.kind == Declared::kTuple || type.kind == Declared::kObject) {
      for (const auto& [name, part] : type.parts) {
        const bool is_missing = part.is_optional ? Chance(30) : Chance(wrong / 2);
        if (!is_missing) add(name, part);
      }
    } else {
      std::vector<std::string> names = {"a", "b", "k", "\\u0061b", "a key that is longer than others are"};
      const size_t count = Below(4);
      for (size_t n = 0; n < count; ++n) add(names[n], type.parts[0].second);
    }
    if (!is_array) {
      if (wrong > 0 && Chance(20)) items.push_back("\"zz\":[1,{\"a\":\"}\"}]");
      if (wrong > 0 && Chance(3) && !items.empty()) items.push_back(items[Below(items.size())]);
      if (wrong > 0 && Chance(40)) std::shuffle(items.begin(), items.end(), random_);
    }
    std::string text = is_array ? "[" : "{";
    for (size_t n = 0; n < items.size(); ++n) absl::StrAppend(&text, n > 0 ? "," : "", wrong > 9 ? " " : "", items[n]);
    return text + (is_array ? "]" : "}");
  }

  std::string Line(const std::vector<std::pair<std::string, Declared>>& variables, size_t wrong) {
    std::string text = "{";
    for (const auto& [name, type] : variables) {
      if (Chance(wrong / 3)) continue;
      absl::StrAppend(&text, text.size() > 1 ? "," : "", "\"", name, "\":", Json(type, wrong));
    }
    text += "}";
    if (wrong > 0 && Chance(5)) text.erase(Below(text.size()), 1);
    if (wrong > 0 && Chance(3)) text.insert(Below(text.size()), OneOf({"\"", "{", "]", ",", "\xff", "\\", " "}));
    return text;
  }

  std::string WhatIsWrongWith(uint64_t seed) {
    random_.seed(static_cast<uint32_t>(seed));
    std::vector<std::pair<std::string, Declared>> variables;
    for (const char* name : {"v", "w"}) {
      variables.emplace_back(name, RandomType(3));
    }
    std::string module = "x = v\ny = [w, v]\n";
    const Declared& first = variables[0].second;
    if (first.kind == Declared::kObject && !first.parts.empty()) {
      absl::StrAppend(&module, "z = v[\"", first.parts[0].first, "\"]\n");
    } else if (first.kind == Declared::kMap || first.kind == Declared::kAny) {
      module += "z = try(v.k, v.a, w)\n";
    }
    for (const auto& [name, type] : variables) {
      absl::StrAppend(&module, "variable \"", name, "\" {\n  type = ", Syntax(type), "\n",
                      Chance(20) ? "  nullable = true\n" : "",
                      Chance(20) ? absl::StrCat("  default = ", Fitting(type), "\n") : "", "}\n");
    }
    CompileOptions options;
    options.dialect = GetParam();
    options.functions = StandardFunctions();
    Diagnostics diagnostics;
    const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", module)}};
    const auto program = CompileModule(files, options, &diagnostics);
    if (program == nullptr) return "";  // a default is none of its type: elements of any type become ones of one type
    ++compiled_;
    NdjsonOptions straight;
    straight.typed = true;
    straight.unknown_input = UnknownInput::kIgnore;  // who reads more is warned of more
    const absl::Span<const Entry> entries = program->entries();
    if (Chance(60)) straight.entries = {&entries[Below(entries.size())]};
    NdjsonOptions whole = straight;
    whole.check_all = true;
    LineEvaluator one(program, straight);
    LineEvaluator other(program, whole);
    for (int n = 0; n < kLines; ++n) {
      const std::string line = Line(variables, Chance(50) ? 0 : 3 * Below(6));
      std::string got, want;
      one.Evaluate(line, 1, &got);
      other.Evaluate(line, 1, &want);
      const bool is_error = absl::StartsWith(want, "{\"diagnostics\"");
      ++(is_error ? failing_ : fine_);
      if (got == want) continue;
      if (is_error && !absl::StartsWith(got, "{\"diagnostics\"")) {
        ++more_;
      } else if (!is_error || straight.entries.empty()) {
        return absl::StrCat(got, "  whole: ", want, "  of ", line, "\n", module);
      }
    }
    return "";
  }

  std::mt19937 random_;
  uint64_t compiled_ = 0;
  uint64_t fine_ = 0;
  uint64_t failing_ = 0;
  uint64_t more_ = 0;  // answers where all of the line gives an error
};

TEST_P(ReadingLawTest, WhatIsReadIsWhatIsConverted) {
  const uint64_t modules = TestPrograms(kModules);
  int reports = 0;
  for (uint64_t n = 0; n < modules && reports < 10; ++n) {
    const std::string wrong = WhatIsWrongWith(TestSeed() * 1'000'003 + n);
    if (wrong.empty()) continue;
    ADD_FAILURE() << "module " << n << ": " << wrong;
    ++reports;
  }
  EXPECT_GT(compiled_, modules / 2);
  EXPECT_GT(fine_, modules);
  EXPECT_GT(failing_, modules / 10);
  EXPECT_GT(more_, modules / 100);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ReadingLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support
