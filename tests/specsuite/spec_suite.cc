// Runs the program hcldec over cases in the shape of HashiCorp's language suite: spec_suite HCLDEC FILE.t...
//
// Beside NAME.t stand NAME.hcldec, the spec, and NAME.hcl, NAME.hcl.json or both, the inputs. NAME.t says what each
// input gives: `result`, `result_type`; or `diagnostics`, blocks `error` and `warning` with the blocks `from` and `to`;
// and, if wanted, `traversals`, blocks `expect` with `ref` and such positions. Prints what differs; the exit status is
// 1 if anything does.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/decode/type_expression.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

// What a case wants; `ok` is false when it cannot be read.
struct Expectation {
  bool ok = true;
  bool has_result = false, has_type = false, has_references = false, has_diagnostics = false;
  Value result;
  Type type;
  std::set<std::string> references;
  std::set<std::string> diagnostics;
  std::shared_ptr<Heap> heap = std::make_shared<Heap>(nullptr, Dialect::kHashiCorp);
};

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool Exists(const std::string& path) { return std::ifstream(path).good(); }

class CaseReader {
 public:
  explicit CaseReader(const std::string& path) : source_(std::make_shared<const Source>(path, ReadAll(path))) {}

  Expectation Read() {
    const auto file = ParseConfig(*source_, {}, &diagnostics_);
    const BodyViewPtr body = ViewOf(*file->body, *source_);
    const BodyContent content = Open(*body, {"result", "result_type"}, {"diagnostics", "traversals"});
    if (const AttributeView* type = content.attributes.Find("result_type")) {
      TypeConstraint constraint;
      want_.has_type = ReadTypeExpression(type->expr, want_.heap, &constraint, &diagnostics_);
      want_.type = constraint.type;
    }
    if (const AttributeView* result = content.attributes.Find("result")) {
      want_.has_result = true;
      ConversionError error;
      const Value value = Evaluate(result->expr);
      if (!Convert(value, want_.type, want_.heap.get(), &want_.result, &error)) Fail(error.ToString());
    }
    for (const BlockView& block : content.blocks) {
      if (block.type == "diagnostics") {
        ReadDiagnostics(*block.body);
      } else {
        ReadReferences(*block.body);
      }
    }
    if (!diagnostics_.empty()) Fail(ToText(diagnostics_, source_.get()));
    return std::move(want_);
  }

 private:
  void Fail(const std::string& why) {
    want_.ok = false;
    std::printf("%s: %s\n", source_->name().c_str(), why.c_str());
  }

  BodyContent Open(const BodyView& body, const std::vector<const char*>& attributes,
                   const std::vector<const char*>& blocks) {
    BodySchema schema;
    for (const char* name : attributes) schema.AddAttribute(name).IgnoreError();
    for (const char* type : blocks) schema.AddBlock(type).IgnoreError();
    return body.Content(schema, &diagnostics_);
  }

  Value Evaluate(const ExprView& expr) {
    CompileOptions options;
    options.dialect = Dialect::kHashiCorp;
    const auto program = CompileExpr(*NativeExpr(expr), source_, options, &diagnostics_);
    if (program == nullptr) return Value();
    Evaluator evaluator(program);
    const Evaluation& evaluation = evaluator.Run();
    for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) diagnostics_.Add(diagnostic);
    return Clone(evaluation.value(), want_.heap->arena(), want_.heap->types());
  }

  // "1:2@1" for a block with line, column and byte.
  std::string Position(const BodyView& body) {
    std::string text;
    const BodyContent content = Open(body, {"line", "column", "byte"}, {});
    for (const char* name : {"line", "column", "byte"}) {
      const AttributeView* const attribute = content.attributes.Find(name);
      const Value value = attribute == nullptr ? Value() : Evaluate(attribute->expr);
      text += ":" + std::to_string(value.is_int() ? value.AsInt() : -1);
    }
    return text;
  }

  std::string Range(const BodyContent& content) {
    std::string text;
    for (const BlockView& block : content.blocks) text += " " + std::string(block.type) + Position(*block.body);
    return text;
  }

  void ReadDiagnostics(const BodyView& body) {
    want_.has_diagnostics = true;
    for (const BlockView& block : Open(body, {}, {"error", "warning"}).blocks) {
      want_.diagnostics.insert(std::string(block.type) + Range(Open(*block.body, {}, {"from", "to"})));
    }
  }

  void ReadReferences(const BodyView& body) {
    want_.has_references = true;
    for (const BlockView& block : Open(body, {}, {"expect"}).blocks) {
      const BodyContent content = Open(*block.body, {"ref"}, {"from", "to"});
      const AttributeView* const ref = content.attributes.Find("ref");
      const auto traversal = ref == nullptr ? std::nullopt : AsStaticTraversal(ref->expr, &diagnostics_);
      if (!traversal) continue;
      std::string text = std::string(traversal->root);
      for (const TraversalStep& step : traversal->steps) text += " " + std::string(step.text.view());
      want_.references.insert(text + Range(content));
    }
  }

  std::shared_ptr<const Source> source_;
  Diagnostics diagnostics_;
  Expectation want_;
};

// The property `name`, or a null.
Value Get(const Value& object, const char* name) {
  const int64_t at = object.is_object() ? object.shape().Find(name) : -1;
  return at < 0 ? Value() : object.values()[static_cast<size_t>(at)];
}

std::string RangeOf(const Value& range) {
  std::string text;
  for (const auto& [from, to] : {std::pair("start", " from"), std::pair("end", " to")}) {
    text += to;
    for (const char* name : {"line", "column", "byte"}) {
      const Value value = Get(Get(range, from), name);
      text += ":" + std::to_string(value.is_int() ? value.AsInt() : -1);
    }
  }
  return text;
}

// One input of one case.
class InputRun {
 public:
  InputRun(const std::string& hcldec, const std::string& base, std::string input, const Expectation& want)
      : hcldec_(hcldec), base_(base), input_(std::move(input)), want_(want) {}

  bool Run() {
    if (want_.has_references) CheckReferences();
    const int status = Call("--diags=json --with-type --keep-nulls");
    if (want_.has_diagnostics) {
      if (status != 2) Differ("exit status " + std::to_string(status) + ", wanted 2");
      CheckDiagnostics();
    } else if (status != 0) {
      Differ("exit status " + std::to_string(status) + "\n" + errors_);
    } else {
      CheckResult();
    }
    return same_;
  }

 private:
  void Differ(const std::string& what) {
    same_ = false;
    std::printf("%s: %s\n", input_.c_str(), what.c_str());
  }

  // The exit status; what the program prints is in output_ and errors_.
  int Call(const std::string& options) {
    const char* const folder = std::getenv("TEST_TMPDIR");
    const std::string errors_path = std::string(folder == nullptr ? "/tmp" : folder) + "/spec_suite_errors";
    const std::string command =
        "'" + hcldec_ + "' '--spec=" + base_ + ".hcldec' " + options + " '" + input_ + "' 2>'" + errors_path + "'";
    std::FILE* const pipe = popen(command.c_str(), "r");
    output_.clear();
    char buffer[4096];
    size_t got;
    while ((got = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0) output_.append(buffer, got);
    const int status = pclose(pipe);
    errors_ = ReadAll(errors_path);
    return status % 256 != 0 ? -1 : status / 256;
  }

  Value Parse(const std::string& json, bool typed) {
    Value value;
    JsonError error;
    const bool ok =
        typed ? JsonReader().ReadTyped(json, &heap_, &value, &error) : JsonReader().Read(json, &heap_, &value, &error);
    if (!ok) Differ("no JSON: " + error.detail + "\n" + json);
    return value;
  }

  void CheckResult() {
    const Value got = output_ == "null\n" ? Value() : Parse(output_, /*typed=*/true);  // a null of no type has none
    const bool type_fits = !want_.has_type || Matches(TypeOf(got, heap_.types()), want_.type);
    if (type_fits && (!want_.has_result || Identical(got, want_.result))) return;
    std::string text;
    AppendTypedJson(want_.result, heap_.types(), &text);
    Differ("result " + output_ + "  wanted " + text);
  }

  void CheckDiagnostics() {
    std::set<std::string> found;
    const Value diagnostics = Get(Parse(errors_, /*typed=*/false), "diagnostics");
    for (size_t n = 0; diagnostics.is_tuple() && n < diagnostics.size(); ++n) {
      const Value& diagnostic = diagnostics.elements()[n];
      const Value severity = Get(diagnostic, "severity");
      found.insert((severity.is_string() ? std::string(severity.AsString()) : "?") +
                   RangeOf(Get(diagnostic, "subject")));
    }
    Compare("diagnostic", found, want_.diagnostics);
  }

  void CheckReferences() {
    if (Call("--var-refs") != 0) return Differ("--var-refs failed\n" + errors_);
    std::set<std::string> found;
    const Value references = Parse(output_, /*typed=*/false);
    for (size_t n = 0; references.is_tuple() && n < references.size(); ++n) {
      const Value& reference = references.elements()[n];
      std::string text;
      const Value steps = Get(reference, "steps");
      for (const Value& step : steps.elements()) {
        const Value name = Get(step, "name"), key = Get(step, "key");
        text += text.empty() ? "" : " ";
        text += name.is_string()  ? std::string(name.AsString())
                : key.is_string() ? std::string(key.AsString())
                                  : std::to_string(key.is_int() ? key.AsInt() : -1);
      }
      found.insert(text + RangeOf(Get(reference, "range")));
    }
    Compare("reference", found, want_.references);
  }

  void Compare(const char* what, const std::set<std::string>& found, const std::set<std::string>& wanted) {
    for (const std::string& entry : found) {
      if (wanted.count(entry) == 0) Differ(std::string("unexpected ") + what + " " + entry);
    }
    for (const std::string& entry : wanted) {
      if (found.count(entry) == 0) Differ(std::string("missing ") + what + " " + entry);
    }
  }

  const std::string& hcldec_;
  const std::string& base_;
  const std::string input_;
  const Expectation& want_;
  Heap heap_;
  std::string output_, errors_;
  bool same_ = true;
};

int Main(const std::vector<std::string>& arguments) {
  int inputs = 0, failures = 0;
  for (size_t n = 1; n < arguments.size(); ++n) {
    if (arguments[n].size() < 2 || arguments[n].substr(arguments[n].size() - 2) != ".t") continue;
    const std::string base = arguments[n].substr(0, arguments[n].size() - 2);
    const Expectation want = CaseReader(arguments[n]).Read();
    const int before = inputs;
    for (const char* extension : {".hcl", ".hcl.json"}) {
      if (!Exists(base + extension)) continue;
      ++inputs;
      const bool same = InputRun(arguments[0], base, base + extension, want).Run();
      if (!want.ok || !same) ++failures;
    }
    if (inputs > before) continue;
    std::printf("%s: no input\n", arguments[n].c_str());
    ++failures;
  }
  std::printf("%d inputs, %d failed\n", inputs, failures);
  return failures > 0 || inputs == 0 ? 1 : 0;
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return hcl::Main({argv + 1, argv + argc});
}
