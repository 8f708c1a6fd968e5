// Random spec files and random bodies: whatever they say, there is a program or an error, and never a crash.

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t Pick(uint32_t bound) { return static_cast<uint32_t>(engine_() % bound); }
  bool OneIn(uint32_t n) { return Pick(n) == 0; }
  template <size_t kCount>
  std::string Of(const char* const (&choices)[kCount]) {
    return choices[Pick(kCount)];
  }

  // Few names, so that specs meet each other, and bodies their specs.
  std::string Name() {
    static constexpr const char* kNames[] = {"a", "b", "p", "q", "p", "dynamic", "\u00e9"};
    return Of(kNames);
  }

 private:
  std::mt19937 engine_;
};

// Texts of spec files. Most parts are right, or nothing but messages about the first mistake would be tested.
class SpecWriter {
 public:
  explicit SpecWriter(Random* random) : random_(*random) {}

  std::string File() {
    std::string text;
    if (random_.OneIn(4)) text += "variables {\n v = 1\n}\n";
    if (random_.OneIn(4)) text += "function \"f\" {\n params = [x]\n result = [x]\n}\n";
    text += One(4);
    if (random_.OneIn(40)) text += One(1);
    return text;
  }

 private:
  // A spec without a label, or with one as in objects.
  std::string One(int depth, bool labeled = false) {
    static constexpr const char* kKinds[] = {"attr",        "literal",   "label",     "attr",         "block_attrs",
                                             "object",      "array",     "block",     "block_list",   "block_set",
                                             "block_tuple", "block_map", "block_map", "block_object", "default",
                                             "transform",   "object",    "block"};
    const std::string kind = depth > 0 ? random_.Of(kKinds) : kKinds[random_.Pick(5)];
    const bool has_label = labeled != random_.OneIn(100);
    return absl::StrCat(kind, has_label ? absl::StrCat(" \"", random_.Name(), "\"") : "", " {\n",
                        Inside(kind, depth, has_label), "}\n");
  }

  std::string Some(int depth, uint32_t count, bool labeled) {
    std::string text;
    for (; count > 0; --count) text += One(depth, labeled);
    return text;
  }

  // An argument that names something, which a label can stand for.
  std::string Naming(const char* argument, bool has_label) {
    if (has_label ? random_.Pick(3) > 0 : random_.OneIn(60)) return "";
    return absl::StrCat(argument, " = \"", random_.OneIn(60) ? "" : random_.Name(), "\"\n");
  }

  // An argument that is there in one of three cases.
  template <size_t kCount>
  std::string Maybe(const char* argument, const char* const (&values)[kCount]) {
    return random_.OneIn(3) ? absl::StrCat(argument, " = ", random_.Of(values), "\n") : "";
  }

  std::string Type() {
    static constexpr const char* kTypes[] = {"string",
                                             "number",
                                             "bool",
                                             "string",
                                             "list(number)",
                                             "map(string)",
                                             "set(string)",
                                             "object({a = number})",
                                             "tuple([bool, string])",
                                             "any",
                                             "object({a = optional(number, 3)})",
                                             "list(any)"};
    return random_.OneIn(60) ? "nosuch" : random_.Of(kTypes);
  }

  std::string Inside(const std::string& kind, int depth, bool has_label) {
    static constexpr const char* kBools[] = {"true", "false", "null", "\"true\""};
    static constexpr const char* kCounts[] = {"0", "1", "2", "-1", "null", "\"1\""};
    static constexpr const char* kValues[] = {"1", "\"x\"", "null", "[1, null]", "{a = 1}", "upper(\"a\")"};
    static constexpr const char* kResults[] = {
        "nested",        "[nested]", "nested.a", "nested == null ? 1 : \"x\"", "length(nested)", "{x = nested}",
        "upper(nested)", "nosuch",   "1 / 0"};
    if (random_.OneIn(150)) return "nosuch = 1\n";
    if (kind == "object") return Some(depth - 1, random_.Pick(4), true);
    if (kind == "array") return Some(depth - 1, random_.Pick(4), false);
    if (kind == "default") return Some(depth - 1, random_.OneIn(40) ? 0 : 1 + random_.Pick(3), false);
    if (kind == "literal") return absl::StrCat("value = ", random_.OneIn(60) ? "nosuch" : random_.Of(kValues), "\n");
    if (kind == "transform") return absl::StrCat("result = ", random_.Of(kResults), "\n", One(depth - 1));
    if (kind == "label") return Naming("name", has_label) + Maybe("index", kCounts);
    if (kind == "attr") {
      const std::string type = random_.OneIn(6) ? "" : absl::StrCat("type = ", Type(), "\n");
      return Naming("name", has_label) + type + Maybe("required", kBools);
    }
    const std::string name = Naming("block_type", has_label);
    if (kind == "block_attrs") return absl::StrCat(name, "element_type = ", Type(), "\n", Maybe("required", kBools));
    const std::string content = random_.OneIn(80) ? "" : One(depth - 1);
    if (kind == "block") return name + Maybe("required", kBools) + content;
    if (kind == "block_map" || kind == "block_object") {
      static constexpr const char* kLabels[] = {"[\"k\"]", "[\"k\"]", "[\"k\"]", "[\"k\", \"l\"]", "[null]"};
      return absl::StrCat(name, "labels = ", random_.OneIn(40) ? "[]" : random_.Of(kLabels), "\n", content);
    }
    return name + Maybe("min_items", kCounts) + Maybe("max_items", kCounts) + content;
  }

  Random& random_;
};

// Texts of bodies, which know nothing of the spec but the names.
class BodyWriter {
 public:
  explicit BodyWriter(Random* random) : random_(*random) {}

  std::string Native(int depth) {
    static constexpr const char* kValues[] = {"1",     "\"x\"", "null", "[1, \"a\"]",         "{a = 2}",
                                              "v",     "v.w",   "f(1)", "[for x in [1] : x]", "nosuch",
                                              "1 / 0", "true"};
    std::string text;
    for (uint32_t n = random_.Pick(5); n > 0; --n) {
      if (depth == 0 || random_.OneIn(3)) {
        absl::StrAppend(&text, random_.Name(), " = ", random_.Of(kValues), "\n");
      } else if (random_.OneIn(6)) {
        text += Dynamic(depth);
      } else {
        absl::StrAppend(&text, random_.Name(), Labels(), " {\n", Native(depth - 1), "}\n");
      }
    }
    return text;
  }

  std::string Json(int depth) {
    static constexpr const char* kValues[] = {"1",  "\"x\"", "null", "[1, \"a\"]",    "\"${v}\"",    "true",
                                              "[]", "{}",    "[{}]", "\"${nosuch}\"", "{\"k\": {}}", "[{}, {}, null]"};
    std::string text;
    for (uint32_t n = random_.Pick(5); n > 0; --n) {
      absl::StrAppend(&text, text.empty() ? "" : ", ", "\"", random_.Name(), "\": ");
      if (depth == 0 || random_.OneIn(4)) {
        text += random_.Of(kValues);
      } else if (random_.OneIn(4)) {
        absl::StrAppend(&text, "[", Json(depth - 1), ", ", Json(depth - 1), "]");
      } else {
        text += Json(depth - 1);
      }
    }
    return absl::StrCat("{", text, "}");
  }

 private:
  std::string Labels() {
    std::string labels;
    for (uint32_t n = random_.Pick(3); n > 0; --n) absl::StrAppend(&labels, " \"", random_.Name(), "\"");
    return labels;
  }

  std::string Dynamic(int depth) {
    static constexpr const char* kSets[] = {"[1, 2]", "{x = 1}", "[]", "v", "nosuch", "null", "1"};
    const std::string name = random_.Name();
    return absl::StrCat("dynamic \"", name, "\" {\n for_each = ", random_.Of(kSets), "\n",
                        random_.OneIn(2) ? absl::StrCat("labels = [", name, ".key]\n") : "", "content {\n",
                        Native(depth - 1), "}\n}\n");
  }

  Random& random_;
};

// A body and what it points into.
struct Text {
  std::shared_ptr<const Source> source;
  std::unique_ptr<ParsedFile> native;
  std::unique_ptr<JsonFile> json;
  BodyViewPtr body;  // null: syntax errors, such as a name that is set twice
};

Text Parse(const std::string& text, bool is_json) {
  Text result;
  result.source = std::make_shared<const Source>("body", text);
  Diagnostics diagnostics;
  if (is_json) {
    JsonOptions options;
    options.rules = JsonRules::kReference;
    result.json = ParseJson(*result.source, options, &diagnostics);
    if (!diagnostics.has_errors()) result.body = ViewOf(*result.json);
  } else {
    result.native = ParseConfig(*result.source, {}, &diagnostics);
    if (!diagnostics.has_errors()) result.body = ViewOf(*result.native->body, *result.source);
  }
  return result;
}

// True when the spec of a body, at any depth, wants two things at once.
bool Contradicts(const DecodeSpec& spec, bool starts_body = true) {
  BodySchema schema;
  std::string error;
  if (starts_body && !ImpliedSchema(spec, &schema, &error)) return true;
  if (spec.content() != nullptr) return Contradicts(*spec.content());
  for (const DecodeSpecPtr& child : spec.children()) {
    if (Contradicts(*child, false)) return true;
  }
  return false;
}

bool HasErrorEntry(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.severity == Severity::kError) return true;
  }
  return false;
}

// The value, or the messages; "?" where there is no program.
std::string Decode(const SpecFile& spec, const Text& text, const DecoderOptions& options) {
  Diagnostics mismatches;
  const auto program = CompileDecoder(*spec.spec, *text.body, {text.source}, options, &mismatches);
  if (program == nullptr) {
    EXPECT_TRUE(HasErrorEntry(mismatches));
    return "?";
  }
  EXPECT_FALSE(Contradicts(*spec.spec));
  Evaluator evaluator(program);
  evaluator.Bind("v", Value::Int(3));
  const Evaluation& evaluation = evaluator.Run();
  EXPECT_EQ(evaluation.ok(), !HasErrorEntry(evaluation.diagnostics()));
  // What does not fit is an error of every run.
  EXPECT_FALSE(HasErrorEntry(mismatches) && evaluation.ok()) << ToText(mismatches, nullptr);
  std::string out;
  if (evaluation.ok()) {
    AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &out);
  } else {
    for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) out += diagnostic.summary + "\n";
  }
  return out;
}

struct Counts {
  int specs = 0;
  int values = 0;
  int contradictions = 0;
};

void CheckBodies(const SpecFile& spec, Random* random, Counts* counts) {
  for (int round = 0; round < 4; ++round) {
    const bool is_json = round % 2 != 0;
    const std::string body = is_json ? BodyWriter(random).Json(3) : BodyWriter(random).Native(3);
    SCOPED_TRACE(body);
    const Text text = Parse(body, is_json);
    if (text.body == nullptr) continue;
    for (bool dynamic : {false, true}) {
      DecoderOptions options;
      options.compile.dialect = Dialect::kHashiCorp;
      options.compile.functions = spec.functions;
      options.expand_dynamic_blocks = dynamic;
      DecoderVariables(*spec.spec, *text.body, options);
      const std::string decoded = Decode(spec, text, options);
      options.compile.optimize = false;
      EXPECT_EQ(Decode(spec, text, options), decoded);
      if (decoded[0] == '{') ++counts->values;
      if (decoded == "?") ++counts->contradictions;
    }
  }
}

TEST(SpecProperty, AProgramOrAnError) {
  Counts counts;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const std::string text = SpecWriter(&random).File();
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", text));
    const auto source = std::make_shared<const Source>("spec", text);
    Diagnostics diagnostics;
    const std::unique_ptr<SpecFile> spec = ReadSpecFile(source, {}, &diagnostics);
    ASSERT_EQ(spec == nullptr, HasErrorEntry(diagnostics)) << ToText(diagnostics, nullptr);
    if (spec == nullptr) continue;
    ++counts.specs;
    CheckBodies(*spec, &random, &counts);
    if (HasFailure()) break;
  }
  EXPECT_GT(counts.specs, 1000);
  EXPECT_GT(counts.values, 500);
  EXPECT_GT(counts.contradictions, 100);
}

}  // namespace
}  // namespace hcl
