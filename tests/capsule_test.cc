// Capsules through the whole language: made by one function of the host, read by another.

#include "hclvm/vm/value/capsule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// Bytes of a host, in an evaluation's arena.
struct Bytes {
  std::string_view data;
};
// A second type, whose values equal nothing but themselves.
struct Handle {
  int64_t number;
};

template <>
struct CapsuleTraits<Bytes> {
  static const CapsuleType& type() {
    static const CapsuleType* const kType = [] {
      auto* type = new CapsuleType{"bytes"};
      type->equal = [](const void* a, const void* b) {
        return static_cast<const Bytes*>(a)->data == static_cast<const Bytes*>(b)->data;
      };
      type->copy = [](const void* data, Arena* arena) -> const void* {
        return arena->New<Bytes>(arena->CopyString(static_cast<const Bytes*>(data)->data));
      };
      return type;
    }();
    return *kType;
  }
};

template <>
struct CapsuleTraits<Handle> {
  static const CapsuleType& type() {
    static const CapsuleType* const kType = new CapsuleType{"handle"};
    return *kType;
  }
};

namespace {

std::shared_ptr<const FunctionRegistry> Functions() {
  FunctionRegistryBuilder builder;
  builder
      .Register("make_bytes",
                [](FunctionCall* call, std::string_view text) -> const Bytes* {
                  return call->arena()->New<Bytes>(call->arena()->CopyString(text));
                })
      .Register("no_bytes", []() -> const Bytes* { return nullptr; })
      .Register("bytes_length", [](const Bytes* bytes) { return bytes->data.size(); })
      .Register("length_or_null",
                [](std::optional<const Bytes*> bytes) { return bytes ? (*bytes)->data.size() : 1000; })
      .Register("total",
                [](absl::Span<const Bytes* const> all) {
                  size_t total = 0;
                  for (const Bytes* bytes : all) total += bytes->data.size();
                  return total;
                })
      .Register("open", [](FunctionCall* call, int64_t n) -> const Handle* { return call->arena()->New<Handle>(n); });
  return std::move(builder).Build();
}

std::shared_ptr<const Program> Compile(const std::string& text, bool optimize) {
  CompileOptions options;
  options.functions = Functions();
  options.optimize = optimize;
  Diagnostics diagnostics;
  auto source = std::make_shared<const Source>("<test>", text);
  std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return program;
}

std::string Eval(const std::string& text, bool optimize) {
  std::shared_ptr<const Program> program = Compile(text, optimize);
  Evaluator evaluator(program);
  evaluator.Bind("yes", Value::Bool(true));
  evaluator.Bind("s", Value::StringView("from the scope, long"));
  evaluator.Bind("unknown", Value::Unknown(Type::String()));
  evaluator.Bind("dyn", Value::Dynamic());
  const Evaluation& evaluation = evaluator.Run();
  std::string out;
  if (evaluation.ok()) {
    AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &out);
    return out;
  }
  out = "error";
  for (const Diagnostic& d : evaluation.diagnostics().kept()) out += " " + d.detail;
  return out;
}

TEST(CapsuleTest, PassThroughTheLanguage) {
  const std::string kType = R"("type":["capsule","bytes"])", kValue = R"({"$capsule":"bytes"})";
  const std::string kRows[][2] = {
      {"make_bytes(\"abc\")", "{" + kType + ",\"value\":" + kValue + "}"},
      {"no_bytes()", "{" + kType + ",\"value\":null}"},
      {"make_bytes(unknown)", "{" + kType + R"(,"value":{"$unknown":["capsule","bytes"]}})"},
      {"bytes_length(make_bytes(\"abc\"))", R"({"type":"number","value":3})"},
      {"bytes_length(make_bytes(s))", R"({"type":"number","value":20})"},
      {"bytes_length([make_bytes(\"ab\"), 1][0])", R"({"type":"number","value":2})"},
      {"bytes_length({a = {b = make_bytes(s)}}.a.b)", R"({"type":"number","value":20})"},
      {"[for b in [make_bytes(\"a\"), make_bytes(s)] : bytes_length(b)]",
       R"({"type":["tuple",["number","number"]],"value":[1,20]})"},
      {"{for k, v in {x = make_bytes(s)} : k => bytes_length(v)}",
       R"({"type":["object",{"x":"number"}],"value":{"x":20}})"},
      {"[{b = make_bytes(s)}][*].b", R"({"type":["tuple",[["capsule","bytes"]]],"value":[)" + kValue + "]}"},
      {"bytes_length(yes ? make_bytes(s) : make_bytes(\"\"))", R"({"type":"number","value":20})"},
      {"yes ? null : make_bytes(s)", "{" + kType + ",\"value\":null}"},
      {"(yes ? [make_bytes(s)] : [make_bytes(\"\"), make_bytes(\"\")])[0]", "{" + kType + ",\"value\":" + kValue + "}"},
      {"total([make_bytes(s), make_bytes(\"abc\")])", R"({"type":"number","value":23})"},
      {"length_or_null(null)", R"({"type":"number","value":1000})"},
      {"length_or_null(no_bytes())", R"({"type":"number","value":1000})"},
      {"\"${make_bytes(\"a\")}\"", "{" + kType + ",\"value\":" + kValue + "}"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Eval(row[0], true), row[1]) << row[0];
    EXPECT_EQ(Eval(row[0], false), row[1]) << row[0];
  }
}

TEST(CapsuleTest, EqualAsTheHostSays) {
  const char* kRows[][2] = {
      {"make_bytes(\"abc\") == make_bytes(\"abc\")", "true"},
      {"make_bytes(\"abc\") == make_bytes(\"abd\")", "false"},
      {"make_bytes(\"abc\") != make_bytes(\"abc\")", "false"},
      {"[make_bytes(s), 1] == [make_bytes(s), 1]", "true"},
      {"{a = make_bytes(\"x\")} == {a = make_bytes(\"y\")}", "false"},
      {"open(1) == open(1)", "false"},
      {"[for h in [open(1)] : h == h][0]", "true"},
      {"make_bytes(\"1\") == open(1)", "false"},
      {"make_bytes(\"1\") == \"1\"", "false"},
      {"make_bytes(\"1\") == null", "false"},
      {"no_bytes() == null", "true"},
      {"make_bytes(unknown) == make_bytes(\"a\")", R"({"$unknown":"bool","refinement":{"not_null":true}})"},
  };
  for (const auto& row : kRows) {
    const std::string want = std::string(R"({"type":"bool","value":)") + row[1] + "}";
    EXPECT_EQ(Eval(row[0], true), want) << row[0];
    EXPECT_EQ(Eval(row[0], false), want) << row[0];
  }
}

TEST(CapsuleTest, Mistakes) {
  const char* kRows[][2] = {
      {"bytes_length(\"abc\")", "Invalid value for \"arg1\" parameter: a bytes is required, not a string."},
      {"bytes_length(open(1))", "Invalid value for \"arg1\" parameter: a bytes is required, not a handle."},
      {"bytes_length({})", "Invalid value for \"arg1\" parameter: a bytes is required, not an object."},
      {"bytes_length(null)", "Invalid value for \"arg1\" parameter: the argument must not be null."},
      {"bytes_length(no_bytes())", "Invalid value for \"arg1\" parameter: the argument must not be null."},
      {"total([make_bytes(s), open(1)])",
       "Invalid value for \"arg1\" parameter: [1]: a bytes is required, not a handle."},
      {"make_bytes(make_bytes(\"a\"))", "Invalid value for \"arg1\" parameter: a string is required, not a bytes."},
      {"make_bytes(\"a\") + 1", "Unsuitable value for left operand: a number is required, not a bytes."},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Eval(row[0], true), std::string("error ") + row[1]) << row[0];
    EXPECT_EQ(Eval(row[0], false), std::string("error ") + row[1]) << row[0];
  }
  EXPECT_EQ(Eval("make_bytes(\"a\").x", false).substr(0, 5), "error");
  EXPECT_EQ(Eval("make_bytes(\"a\")[0]", false).substr(0, 5), "error");
  EXPECT_EQ(Eval("[for x in make_bytes(\"a\") : x]", false).substr(0, 5), "error");
  EXPECT_EQ(Eval("\"a${make_bytes(\"a\")}\"", false).substr(0, 5), "error");
  EXPECT_EQ(Eval("yes ? make_bytes(\"a\") : open(1)", false).substr(0, 5), "error");
}

TEST(CapsuleTest, PlainJsonHasNone) {
  std::shared_ptr<const Program> program = Compile("{a = [make_bytes(s)]}", true);
  Evaluator evaluator(program);
  evaluator.Bind("s", Value::StringView("x"));
  std::string out, reason;
  EXPECT_FALSE(AppendJson(evaluator.Run().value(), &out, &reason));
  EXPECT_EQ(reason, ".a[0]: the value has no form in JSON");
}

TEST(CapsuleTest, ClonesKeepTheData) {
  Heap kept;
  Value value;
  {
    Evaluator evaluator(Compile("[make_bytes(s)]", true));
    const std::string text = "text that the scope owns";
    evaluator.Bind("s", Value::StringView(text));
    value = Clone(evaluator.Run().value(), kept.arena(), kept.types());
    evaluator.Bind("s", Value::StringView("y"));
    evaluator.Run();
  }
  const Capsule& capsule = value.elements()[0].capsule();
  EXPECT_EQ(&Type(capsule.type).capsule(), &CapsuleTraits<Bytes>::type());
  EXPECT_EQ(static_cast<const Bytes*>(capsule.data)->data, "text that the scope owns");
}

}  // namespace
}  // namespace hcl
