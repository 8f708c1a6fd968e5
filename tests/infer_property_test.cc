// Declarations that are made of random requests: they compile, take these requests, and change nothing in them.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/module/infer.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

absl::StatusOr<std::string> Infer(const std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  std::fwrite(text.data(), 1, text.size(), file.get());
  std::rewind(file.get());
  return internal::InferVariables(file.get());
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Below(uint64_t bound) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % bound;
  }

 private:
  uint64_t state_;
};

// Few names and values, so that lines have much in common, and now and then an odd or a wide one.
std::string RandomValue(Random* random, int depth) {
  const uint64_t kind = random->Below(depth > 3 ? 6 : 10);
  if (kind == 0) return "null";
  if (kind == 1) return random->Below(2) == 0 ? "true" : "1.50";
  if (kind < 4) return absl::StrCat(random->Below(3));
  if (kind < 6) return absl::StrCat("\"", random->Below(2) == 0 ? "5" : "é ${", "\"");
  std::vector<std::string> parts;
  const uint64_t size = random->Below(20) == 0 ? 35 : random->Below(4);
  if (kind < 8) {
    const std::string shared = RandomValue(random, depth + 1);
    for (uint64_t n = 0; n < size; ++n) {
      parts.push_back(random->Below(3) > 0 ? shared : RandomValue(random, depth + 1));
    }
    return absl::StrCat("[", absl::StrJoin(parts, ","), "]");
  }
  const bool changes = random->Below(3) == 0;
  for (uint64_t n = 0; n < size; ++n) {
    std::string name = absl::StrCat("k", changes ? random->Below(1'000'000) : n);
    if (random->Below(40) == 0)
      name = std::vector<std::string>{"a b", "", "${x}", "var", "%{", "e\u0301", "\\n\\\"", "null"}[random->Below(8)];
    const std::string key = absl::StrCat("\"", name, "\":");
    bool is_new = true;
    for (const std::string& part : parts) is_new = is_new && part.compare(0, key.size(), key) != 0;
    if (is_new) parts.push_back(key + RandomValue(random, size > 10 ? 4 : depth + 1));
  }
  return absl::StrCat("{", absl::StrJoin(parts, ","), "}");
}

// Without attributes that are null, as optional ones are when they are missing.
void AppendPlain(const Value& value, std::string* out) {
  std::string unused;
  if (value.is_sequence()) {
    out->push_back('[');
    for (const Value& element : value.elements()) AppendPlain(element, out), out->push_back(',');
    out->push_back(']');
  } else if (value.is_mapping()) {
    out->push_back('{');
    for (uint32_t n = 0; n < value.size(); ++n) {
      if (value.values()[n].is_null()) continue;
      AppendJson(value.shape().keys[n], out, &unused);
      out->push_back(':');
      AppendPlain(value.values()[n], out);
      out->push_back(',');
    }
    out->push_back('}');
  } else {
    AppendJson(value, out, &unused);
  }
}

// Whether the module takes the line as it is.
void ExpectTaken(const std::shared_ptr<const Program>& program, const std::string& line, const std::string& declared) {
  Heap heap;
  Value scope;
  JsonError error;
  ASSERT_TRUE(JsonReader().Read(line, &heap, &scope, &error));
  Evaluator evaluator(program);
  evaluator.set_check_all(true);
  evaluator.BindAll(scope);
  const Evaluation& evaluation = evaluator.Run(*program->FindEntry("x"));
  ASSERT_TRUE(evaluation.ok()) << ToText(evaluation.diagnostics(), nullptr) << line << "\n" << declared;
  std::vector<KeyValue> given;
  for (uint32_t n = 0; n < scope.size(); ++n) {
    const Value& key = scope.shape().keys[n];
    if (key.AsString() != "local") given.push_back({key, scope.values()[n]});
  }
  std::string want;
  std::string got;
  AppendPlain(MakeObject(given, heap.arena()), &want);
  AppendPlain(evaluation.value(), &got);
  ASSERT_EQ(got, want) << declared;
}

TEST(InferPropertyTest, FitsAllLines) {
  Random random(testing_support::TestSeed());
  for (uint64_t round = testing_support::TestPrograms(3'000); round > 0; --round) {
    std::vector<std::string> lines;
    for (uint64_t n = 1 + random.Below(6); n > 0; --n) {
      std::string line = absl::StrCat("{\"a\":", RandomValue(&random, 0));
      if (random.Below(3) > 0) absl::StrAppend(&line, ",\"b\":", RandomValue(&random, 0));
      // No variable can have this name.
      if (random.Below(9) == 0) absl::StrAppend(&line, ",\"local\":", RandomValue(&random, 0));
      lines.push_back(line + "}");
    }
    const absl::StatusOr<std::string> declared = Infer(absl::StrJoin(lines, "\n"));
    ASSERT_TRUE(declared.ok()) << declared.status() << "\n" << absl::StrJoin(lines, "\n");
    const bool has_b = declared->find("variable \"b\"") != std::string::npos;
    std::string errors;
    const auto program = CompileFiles(OneFile(*declared + (has_b ? "x = {a = a, b = b}" : "x = {a = a}")), &errors);
    ASSERT_NE(program, nullptr) << errors << *declared;
    for (const std::string& line : lines) {
      ExpectTaken(program, line, *declared);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace hcl
