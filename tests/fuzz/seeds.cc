// Inputs to begin with.

#include "hclvm/tests/fuzz/seeds.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/narrowing_forms.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {
namespace {

using testing_support::Generator;

constexpr int kPrograms = 2'000;
constexpr int kModules = 300;
constexpr const char* kCases = "tests/conformance/cases";
constexpr const char* kSuite = "tests/specsuite/cases";
// What becomes of the variables (tests/fuzz/scopes.h).
constexpr const char* kScopes[] = {"0",          "0",  "0",  "1", "2",  "4",  "014", "06",   "07",
                                   "0123456789", "09", "45", "w", "0x", "0y", "z",   "0wxyz"};

using Take = std::function<void(std::string_view target, const std::string& input)>;

// Sorted, so that seeds are the same on every machine. None if the folder is not there.
std::vector<std::filesystem::path> FilesIn(const char* folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Property(const Value& object, std::string_view name) {
  const int64_t at = object.is_object() ? object.shape().Find(name) : -1;
  const Value value = at < 0 ? Value() : object.values()[static_cast<size_t>(at)];
  return value.is_string() ? std::string(value.AsString()) : "";
}

void TakePrograms(const Take& take) {
  const char* seed = std::getenv("HCLVM_TEST_SEED");
  Generator generator(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  for (int n = 0; n < kPrograms; ++n) {
    take("expression", std::string(kScopes[generator.Below(std::size(kScopes))]) + "\n" + generator.Next());
  }
}

// Modules whose conditions test what may fail.
void TakeModules(const Take& take) {
  const char* seed = std::getenv("HCLVM_TEST_SEED");
  Generator generator(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  const std::string declared =
      testing_support::NarrowedVariables() + "+++ json\n" + testing_support::NarrowedVariablesInJson() + "\n+++\n";
  for (int n = 0; n < kModules; ++n) {
    std::string module = declared + "x = " + testing_support::NarrowingForm(&generator) + "\n";
    if (n % 3 == 0) module += "function \"f\" {\n  params = [a, b]\n  result = a == b ? b + 1 : a\n}\n";
    if (n % 4 == 0) module += "locals {\n  l = " + testing_support::NarrowingForm(&generator) + "\n}\n";
    take("check", module);
  }
}

void TakeCase(const std::string& kind, const std::string& source, const Take& take) {
  if (kind == "template") {
    take("template", "0\n" + source);
    take("template", "0147\n" + source);
  } else if (kind == "expr" || kind == "body") {
    take("syntax", source);
    take("expression", "0\n" + source);
  } else if (kind.compare(0, 4, "json") == 0) {
    take("json_syntax", source);
  } else {
    take("syntax", source);
  }
}

void TakeCases(const Take& take) {
  JsonReader reader;
  for (const auto& path : FilesIn(kCases)) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      Heap heap;
      Value value;
      JsonError error;
      if (!reader.Read(line, &heap, &value, &error)) continue;
      const std::string source = Property(value, "source");
      if (!source.empty()) TakeCase(Property(value, "kind"), source, take);
    }
  }
}

// A spec stands beside inputs of its name in both syntaxes.
void TakeSuite(const Take& take) {
  for (std::filesystem::path path : FilesIn(kSuite)) {
    if (path.extension() != ".hcldec") continue;
    const std::string spec = ReadAll(path) + "\n--- 0\n";
    for (const char* extension : {".hcl", ".hcl.json"}) {
      const std::string body = ReadAll(path.replace_extension(extension));
      if (!body.empty()) take("decode", spec + body);
    }
  }
}

// What is repeated many times over, since a fuzzer takes long to come to long inputs by itself.
struct Repeated {
  std::string_view target;
  std::string_view begin, link, end;
};
constexpr Repeated kRepeated[] = {
    {"syntax", "a", " + b", ""},
    {"syntax", "a", "[b].c", ""},
    {"syntax", "", "a {\n}\n", ""},
    {"syntax", "x = [", "\"${a}\", ", "]"},
    {"template", "0\n", "${i} %{ if yes }a%{ endif }", ""},
    {"json_syntax", "[", "{\"a\": \"${i}\"}, ", "1]"},
    {"expression", "0\ni", " + j", ""},
    {"expression", "0\n[", "{a = i}, ", "][*].a"},
    {"expression", "0\ns == \"\"", " || s == \"x\"", ""},
    {"expression", "0\n\"", "${s}", "\""},
    {"expression", "0\n", "yes ? i : ", "j"},
    {"expression", "07\nmax(", "ln[0], ", "i)"},
    {"check", "x = ", "can(y) ? y : ", "1"},
    {"check", "", "variable \"v\" { type = number }\n", "x = v"},
    {"check", "locals {\n", "  a = local.b\n  b = local.a\n", "}\n"},
    {"check", "variable \"v\" {\n  type = ", "list(", "any"},
    {"check", "variable \"v\" {\n  type = object({ ", "a = string, ", "b = any })\n}\nx = v.c\n"},
    {"check", "variable \"v\" {}\nx = ", "v.a == 1 && ", "v.b"},
    {"check", "x = 1", "\n+++\nx = 1", "\n"},
    {"scope", "[", "{\"a\": 1, \"b\": [true]}, ", "null]"},
    {"scope", "", "{\"a\": 1}\n", ""},
    {"type", "tuple([", "list(string), ", "any])"},
    {"number", "", "1234567890", "\n7"},
    {"function", "join\n[\",\", [", "\"abc\", ", "\"\"]]"},
    {"function", "jsondecode\n[\"[", "[1], ", "0]\"]"},
    {"function", "regexall\n[\"(a|b)*\", \"", "abc", "\"]"},
    {"function", "yamldecode\n[\"", "- a: 1\\n", "\"]"},
    {"decode", "block_list {\n  block_type = \"b\"\n  attr {\n    name = \"a\"\n    type = any\n  }\n}\n--- 0\n",
     "b {\n  a = i\n}\n", ""},
};
constexpr int kTimes[] = {100, 2'000};

void TakeRepeated(const Take& take) {
  for (const Repeated& repeated : kRepeated) {
    for (const int times : kTimes) {
      std::string input(repeated.begin);
      for (int n = 0; n < times; ++n) input += repeated.link;
      take(repeated.target, input.append(repeated.end));
    }
  }
}

}  // namespace

void MakeSeeds(const std::function<void(std::string_view target, const std::string& input)>& take) {
  TakeRepeated(take);
  TakePrograms(take);
  TakeModules(take);
  TakeCases(take);
  TakeSuite(take);
}

}  // namespace hcl::fuzz
