// JSON of hcldec. Recursion is bounded by the depth of values. Tested by cmd/hcldec/decode_output_test.cc.
//
// Scripts may compare this output as text, so layout and escapes are those of Go's encoder, which the reference writes
// it with.

#include "hclvm/cmd/hcldec/decode_output.h"

#include <cstdint>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/json/json.h"

namespace hcl::cmd {

using internal::ToAbsl;
using internal::ToNfc;
namespace {

// `value` as tuples and objects without null properties, at every depth. Elements of lists stay, null or not, since
// leaving one out would move the others. Collections become tuples and objects, as their parts may now be of different
// types; in JSON they look alike.
Value WithoutNulls(const Value& marked, Arena* arena) {
  const Value& value = marked.unmarked();
  if (value.is_sequence()) {
    std::vector<Value> items;
    for (const Value& item : value.elements()) items.push_back(WithoutNulls(item, arena));
    return MakeTuple(items, arena);
  }
  if (!value.is_mapping()) return value;
  std::vector<KeyValue> pairs;
  for (size_t n = 0; n < value.size(); ++n) {
    const Value& item = value.values()[n];
    if (!item.unmarked().is_null()) pairs.push_back({value.shape().keys[n], WithoutNulls(item, arena)});
  }
  return MakeObject(pairs, arena);
}

// Appends JSON as Go's encoder writes it, in which what has a meaning in pages of HTML is escaped. Such characters
// stand in strings only. It works on finished JSON, in which these characters can be escaped without looking at what is
// around them.
void AppendForPages(std::string_view json, std::string* out) {
  for (size_t at = 0; at < json.size(); ++at) {
    const std::string_view rest = json.substr(at);
    if (rest[0] == '<' || rest[0] == '>' || rest[0] == '&') {
      out->append(rest[0] == '<' ? "\\u003c" : rest[0] == '>' ? "\\u003e" : "\\u0026");
    } else if (rest.substr(0, 3) == "\xE2\x80\xA8" || rest.substr(0, 3) == "\xE2\x80\xA9") {
      out->append(rest[2] == '\xA8' ? "\\u2028" : "\\u2029");
      at += 2;
    } else {
      out->push_back(rest[0]);
    }
  }
}

std::string Position(uint32_t offset, const Source& source) {
  const SourcePosition at = source.PositionAt(offset);
  return absl::StrCat(R"({"line":)", at.line, R"(,"column":)", at.column, R"(,"byte":)", at.byte, "}");
}

std::string Range(SourceRange range, const Source& source) {
  std::string name;
  AppendJsonString(source.name(), &name);
  return absl::StrCat(R"({"filename":)", name, R"(,"start":)", Position(range.begin, source), R"(,"end":)",
                      Position(range.end, source), "}");
}

std::string Quoted(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

// The kinds that are written without quotes are written as they are spelled, numbers and keywords alike.
std::string StepJson(const TraversalStep& step, const Source& source) {
  const std::string range = Range(step.range, source);
  switch (step.kind) {
    case TraversalStep::Kind::kAttribute:
      return absl::StrCat(R"({"kind":"attr","name":)", Quoted(step.text), R"(,"range":)", range, "}");
    case TraversalStep::Kind::kIndexString:
      return absl::StrCat(R"({"kind":"index","key":)", Quoted(step.text), R"(,"range":)", range, "}");
    case TraversalStep::Kind::kIndexNumber:
    case TraversalStep::Kind::kIndexLiteral:
    case TraversalStep::Kind::kIndexUnknown:
      break;
  }
  return absl::StrCat(R"({"kind":"index","key":)", ToAbsl(step.text.view()), R"(,"range":)", range, "}");
}

// What `step` finds in `value`, if that is known. A step that finds nothing is no error here: the list says what is
// read, and leaves out the values that it cannot tell. A set has no index.
std::optional<Value> Step(const Value& value, const TraversalStep& step) {
  if (step.kind == TraversalStep::Kind::kIndexNumber && value.is_sequence() && !value.is_set()) {
    uint32_t index = 0;
    if (absl::SimpleAtoi(ToAbsl(step.text.view()), &index) && index < value.size()) return value.elements()[index];
  } else if (value.is_mapping() && step.kind <= TraversalStep::Kind::kIndexString) {
    const std::string key = ToNfc(step.text.view());
    const int64_t at = value.shape().Find(key);
    if (at >= 0) return value.values()[static_cast<size_t>(at)];
  }
  return std::nullopt;
}

// The last variable of the name counts, as in an evaluation, where a later one is bound over it.
std::optional<Value> ValueOf(const StaticTraversal& reference,
                             const std::vector<std::pair<std::string, Value>>& variables) {
  std::optional<Value> value;
  for (const auto& [name, variable] : variables) {
    if (name == reference.root) value = variable;
  }
  for (const TraversalStep& step : reference.steps) {
    if (value) value = Step(*value, step);
  }
  return value;
}

}  // namespace

// The type is that of the value as it was decoded, with its nulls, since leaving them out would change it.
bool AppendDecoded(const Value& value, const DecodeFormat& format, Heap* heap, std::string* out, std::string* reason) {
  std::string json;
  const Value shown = format.keep_nulls ? value : WithoutNulls(value, heap->arena());
  if (!AppendJson(shown, &json, reason)) return false;
  // As in the reference, a null of no type has none.
  if (format.with_type && !TypeOf(value, heap->types()).is_dynamic()) {
    std::string type;
    AppendTypeJson(TypeOf(value, heap->types()), &type);
    const bool leave_out = value.is_null() && !format.keep_nulls;
    json = absl::StrCat("{\"type\":", type, leave_out ? "" : absl::StrCat(",\"value\":", json), "}");
  }
  AppendForPages(json, out);
  out->push_back('\n');
  return true;
}

// The layout is that of Go's encoder: two blanks for each level, and brackets without anything in them on one line.
// Strings are passed over, with the character behind each backslash, since braces in them are text. `json` is ours and
// valid, so brackets match and no string ends early.
std::string Indent(std::string_view json) {
  std::string out;
  size_t depth = 0;
  bool in_string = false;
  const auto new_line = [&] { out.append("\n").append(2 * depth, ' '); };
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      out.push_back(c);
      if (c == '\\') {
        out.push_back(json[++at]);
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    const bool opens = c == '{' || c == '[';
    if (opens && at + 1 < json.size() && (json[at + 1] == '}' || json[at + 1] == ']')) {
      out.push_back(c);
      out.push_back(json[++at]);
    } else if (opens || c == ',') {
      out.push_back(c);
      depth += opens ? 1 : 0;
      new_line();
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      out.push_back(c);
    } else {
      out.push_back(c);
      if (c == ':') out.push_back(' ');
      in_string = c == '"';
    }
  }
  return out;
}

// Nothing at all for no diagnostics: stderr stays empty after a success.
std::string DiagnosticsDocument(const Diagnostics& diagnostics) {
  if (diagnostics.kept().empty()) return "";
  std::string json = "{\"diagnostics\":[";
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (json.back() != '[') json += ",";
    json += ToJson(diagnostic, nullptr);
  }
  std::string escaped;
  AppendForPages(json + "]}", &escaped);
  return Indent(escaped) + "\n";
}

// The shape is the reference's, in which the root is the first step as well. A value without a JSON form is left out,
// like one that is not known.
std::string ReferencesDocument(const std::vector<StaticTraversal>& references,
                               const std::vector<std::pair<std::string, Value>>& variables) {
  std::string json = "[";
  for (const StaticTraversal& reference : references) {
    const Source& source = *reference.source;
    const std::string root = Quoted(reference.root);
    absl::StrAppend(&json, json.size() > 1 ? "," : "", R"({"root_name":)", root);
    std::string value, reason;
    const std::optional<Value> known = ValueOf(reference, variables);
    if (known && AppendJson(*known, &value, &reason)) absl::StrAppend(&json, ",\"value\":", value);
    absl::StrAppend(&json, R"(,"steps":[{"kind":"root","name":)", root, R"(,"range":)",
                    Range(reference.root_range, source), "}");
    for (const TraversalStep& step : reference.steps) absl::StrAppend(&json, ",", StepJson(step, source));
    absl::StrAppend(&json, R"(],"range":)", Range(reference.range, source), "}");
  }
  std::string escaped;
  AppendForPages(json + "]", &escaped);
  return Indent(escaped) + "\n";
}

}  // namespace hcl::cmd
