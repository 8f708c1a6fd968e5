// Marks through the whole language: source to printed result, where `S:` stands before a value marked as secret and
// `O:` before one marked as other.

#include "hclvm/vm/value/marks.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class MarksTest : public testing::Test {
 protected:
  MarksTest() : secret_(marks_.Get("secret")), other_(marks_.Get("other")) {
    Define("s", Mark(Value::StringView("hunter2"), secret_, arena()));
    Define("o", Mark(Value::StringView("x"), other_, arena()));
    Define("n", Mark(Value::Int(5), secret_, arena()));
    Define("t", Mark(Value::Bool(true), secret_, arena()));
    Define("f", Mark(Value::Bool(false), secret_, arena()));
    Define("u", Mark(Value::Unknown(Type::Bool()), secret_, arena()));
    Define("z", Mark(Value::Null(), secret_, arena()));
    Define("plain", Value::Int(7));
    const Value pair[] = {Value::Int(1), Mark(Value::Int(2), secret_, arena())};
    Define("part", MakeTuple(pair, arena()));
    Define("whole", Mark(MakeTuple({Value::Int(1), Value::Int(2)}, arena()), secret_, arena()));
    const KeyValue keys[] = {{Value::StringView("a"), Value::Int(1)},
                             {Value::StringView("b"), Mark(Value::StringView("hunter2"), secret_, arena())}};
    Define("obj", MakeObject(keys, arena()));
    Define("hidden", Mark(MakeObject(keys, arena()), other_, arena()));
  }

  Arena* arena() { return heap_.arena(); }
  void Define(const std::string& name, const Value& value) { variables_.emplace_back(name, value); }

  std::string Print(const Value& value) {
    std::string out;
    if ((value.marks() & secret_) != 0) out += "S:";
    if ((value.marks() & other_) != 0) out += "O:";
    const Value& inner = value.unmarked();
    if (!inner.is_sequence() && !inner.is_mapping()) {
      AppendTypedValueJson(inner, heap_.types(), &out);
      return out;
    }
    out += inner.is_mapping() ? "{" : inner.is_set() ? "set[" : "[";
    for (size_t i = 0; i < inner.size(); ++i) {
      if (i > 0) out += ", ";
      if (inner.is_mapping()) out += std::string(inner.shape().keys[i].AsString()) + " = ";
      out += Print(inner.is_mapping() ? inner.values()[i] : inner.elements()[i]);
    }
    return out + (inner.is_mapping() ? "}" : "]");
  }

  std::string Eval(const std::string& text, bool optimize = true) {
    CompileOptions options;
    options.functions = StandardFunctions();
    options.optimize = optimize;
    auto source = std::make_shared<const Source>("<test>", text);
    Diagnostics diagnostics;
    std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
    if (program == nullptr) return ToText(diagnostics, source.get());
    Evaluator evaluator(program);
    for (const auto& [name, value] : variables_) evaluator.Bind(name, value);
    const Evaluation& evaluation = evaluator.Run();
    if (evaluation.ok()) return Print(evaluation.value());
    std::string out;
    for (const Diagnostic& d : evaluation.diagnostics().kept()) out += d.summary + ": " + d.detail;
    EXPECT_EQ(out.find("hunter2"), std::string::npos) << out;
    return "error " + evaluation.diagnostics().kept()[0].summary;
  }

  MarkRegistry marks_;
  MarkSet secret_, other_;
  Heap heap_;
  std::vector<std::pair<std::string, Value>> variables_;
};

TEST_F(MarksTest, FlowThroughEveryOperation) {
  const char* kRows[][2] = {
      {"s", "S:\"hunter2\""},
      {"plain + 1", "8"},
      {"n + 1", "S:6"},
      {"n + plain", "S:12"},
      {"-n", "S:-5"},
      {"!t", "S:false"},
      {"n > 3", "S:true"},
      {"s == \"hunter2\"", "S:true"},
      {"s == o", "S:O:false"},
      {"part == [1, 2]", "S:true"},
      // Whether a value is null does not depend on its parts.
      {"part == null", "false"},
      {"null != obj", "true"},
      {"whole == null", "S:false"},
      {"hidden.b != null", "S:O:true"},
      {"z == part", "S:false"},
      {"t && false", "S:false"},
      {"false && t", "S:false"},
      {"f || plain == 7", "S:true"},
      {"u && true", "S:{\"$unknown\":\"bool\",\"refinement\":{\"not_null\":true}}"},
      {"\"a-${s}\"", "S:\"a-hunter2\""},
      {"\"${s}${o}\"", "S:O:\"hunter2x\""},
      {"\"${plain}\"", "7"},
      {"[s, plain]", "[S:\"hunter2\", 7]"},
      {"{a = s}", "{a = S:\"hunter2\"}"},
      {"{(s) = 1}", "S:{hunter2 = 1}"},
      {"t ? 1 : 2", "S:1"},
      {"f ? 1 : 2", "S:2"},
      {"u ? \"a\" : \"b\"", "S:{\"$unknown\":\"string\",\"refinement\":{\"not_null\":true}}"},
      {"t ? \"a\" : plain", "S:\"a\""},
      {"t ? (f ? 1 : 2) : 3", "S:2"},
      {"f ? 1 : (t ? 2 : 3)", "S:2"},
      {"true ? s : \"a\"", "S:\"hunter2\""},
      {"plain == 7 ? s : \"a\"", "S:\"hunter2\""},
      {"[for x in [1, 2] : t ? x : 0]", "[S:1, S:2]"},
      {"part[0]", "1"},
      {"part[1]", "S:2"},
      {"whole[0]", "S:1"},
      {"[1, 2, 3, 4, 5, 6][n]", "S:6"},
      {"obj.a", "1"},
      {"obj.b", "S:\"hunter2\""},
      {"hidden.a", "O:1"},
      {"hidden.b", "S:O:\"hunter2\""},
      {"hidden[\"b\"]", "S:O:\"hunter2\""},
      {"[for x in part : x * 2]", "[2, S:4]"},
      {"[for x in whole : x * 2]", "S:[2, 4]"},
      {"[for x in part : x if x > 0]", "S:[1, S:2]"},
      {"[for x in [1, 2] : x if t]", "S:[1, 2]"},
      {"{for k, v in {a = 1} : \"${k}${s}\" => v}", "S:{ahunter2 = 1}"},
      {"{for k, v in hidden : k => v}", "O:{a = 1, b = S:\"hunter2\"}"},
      {"part[*]", "[1, S:2]"},
      {"whole[*]", "S:[1, 2]"},
      {"s[*]", "S:[\"hunter2\"]"},
      {"hidden[*].a", "O:[1]"},
      {"z[*]", "S:[]"},
      {"\"%{ for x in whole }${x}%{ endfor }\"", "S:\"12\""},
      {"\"%{ for x in part }${x}%{ endfor }\"", "S:\"12\""},
      {"\"%{ if t }a%{ else }b%{ endif }\"", "S:\"a\""},
      {"upper(s)", "S:\"HUNTER2\""},
      {"join(\",\", [s, o])", "S:O:\"hunter2,x\""},
      {"max(n, 9)", "S:9"},
      {"max(part...)", "S:2"},
      {"max(whole...)", "S:2"},
      {"contains([\"hunter2\", \"b\"], s)", "S:true"},
      {"contains([\"a\", \"b\"], o)", "O:false"},
      {"length(whole)", "S:2"},
      {"try(obj.nosuch, s)", "S:\"hunter2\""},
      {"can(s)", "true"},
      {"tostring(n)", "S:\"5\""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Eval(row[0]), row[1]) << row[0];
    EXPECT_EQ(Eval(row[0], /*optimize=*/false), row[1]) << row[0] << " (not optimized)";
  }
}

TEST_F(MarksTest, DiagnosticsDoNotShowMarkedValues) {
  // Eval() checks that the text is not in the diagnostics.
  const char* kRows[][2] = {
      {"{a = 1}[s]", "error Invalid index"},
      {"{a = 1}[\"${s}\"]", "error Invalid index"},
      {"s + 1", "error Invalid operand"},
      {"s ? 1 : 2", "error Incorrect condition type"},
      {"{for x in [1, 2] : s => x}", "error Duplicate object key"},
      {"tonumber(s)", "error Invalid function argument"},
      {"obj.b.c", "error Unsupported attribute"},
      {"[for x in s : x]", "error Iteration over non-iterable value"},
      {"strlen(z)", "error Invalid function argument"},
      {"z.a", "error Attempt to get attribute from null value"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Eval(row[0]), row[1]) << row[0];
}

TEST_F(MarksTest, TheRegistryNamesMarks) {
  EXPECT_EQ(marks_.Get("secret"), secret_);
  EXPECT_EQ(marks_.Names(secret_ | other_), (std::vector<std::string>{"secret", "other"}));
  for (int n = 2; n < kMaxMarks - 3; ++n) EXPECT_NE(marks_.Get("mark" + std::to_string(n)), 0u);
  EXPECT_EQ(marks_.Get("one too many"), 0u);
  // The last one fits into a value.
  const MarkSet last = marks_.Get("sensitive");
  EXPECT_EQ(last, kSensitiveMark);
  EXPECT_EQ(Mark(Value::Int(1), last, arena()).marks(), last);
}

TEST_F(MarksTest, SensitiveFunctions) {
  Define("v", Mark(Mark(Value::Int(1), kSensitiveMark, arena()), other_, arena()));
  Define("d", Value::Dynamic());
  const char* const kRows[][2] = {
      {"issensitive(v)", "true"},
      {"issensitive(o)", "false"},
      {"issensitive(1)", "false"},
      {"issensitive(d)", R"({"$unknown":"bool"})"},
      {"issensitive(null)", "false"},
      // On the value as a whole.
      {"issensitive([v])", "false"},
      {"nonsensitive(v)", "O:1"},
      {"nonsensitive(plain)", "7"},
      {"issensitive(sensitive(plain))", "true"},
      {"issensitive(sensitive(1) + 1)", "true"},
      {"nonsensitive(sensitive(\"x\"))", "\"x\""},
      {"issensitive(nonsensitive(sensitive([1])))", "false"},
      {"issensitive(sensitive(d))", "true"},
      {"issensitive(upper(sensitive(\"x\")))", "true"},
      {"type(v)", "O:\"number\""},
  };
  for (bool optimize : {true, false}) {
    for (const auto& row : kRows) EXPECT_EQ(Eval(row[0], optimize), row[1]) << row[0];
  }
}

TEST_F(MarksTest, MarkAndUnmark) {
  const Value value = Mark(Mark(Value::Int(1), secret_, arena()), other_, arena());
  EXPECT_EQ(value.marks(), secret_ | other_);
  EXPECT_TRUE(value.unmarked().SameBits(Value::Int(1)));
  EXPECT_TRUE(Mark(Value::Int(1), 0, arena()).SameBits(Value::Int(1)));
  MarkSet found = 0;
  const Value deep = UnmarkDeep(MakeTuple({Value::Int(1), MakeTuple({value}, arena())}, arena()), &found, arena());
  EXPECT_EQ(found, secret_ | other_);
  EXPECT_FALSE(deep.has_marks());
  Arena elsewhere;
  EXPECT_TRUE(Identical(Clone(value, &elsewhere, heap_.types()), value));
}

}  // namespace
}  // namespace hcl
