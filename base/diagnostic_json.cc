// Diagnostics as JSON for programs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"

namespace hcl {

using internal::AppendUtf8;
using internal::CodePoint;
using internal::DecodeUtf8;
using internal::IsTerminalControl;
namespace {

void AppendPosition(SourcePosition position, std::string* out) {
  out->append(R"({"line":)").append(std::to_string(position.line));
  out->append(R"(,"column":)").append(std::to_string(position.column));
  out->append(R"(,"byte":)").append(std::to_string(position.byte)).append("}");
}

// Lines and columns are for people, bytes for programs, which cut the text by them.
void AppendRange(const char* property, SourceRange range, const Source& source, std::string* out) {
  out->append(",\"").append(property).append(R"(":{"filename":)");
  AppendJsonString(source.name(), out);
  out->append(R"(,"start":)");
  AppendPosition(source.PositionAt(range.begin), out);
  out->append(R"(,"end":)");
  AppendPosition(source.PositionAt(range.end), out);
  out->push_back('}');
}

// Ours alone: the reference's diagnostics have no such property, and readers that do not know it pass over it.
void AppendValues(const std::vector<NamedValue>& values, std::string* out) {
  out->append(R"(,"values":[)");
  for (size_t n = 0; n < values.size(); ++n) {
    out->append(n == 0 ? R"({"name":)" : R"(,{"name":)");
    AppendJsonString(values[n].name, out);
    out->append(R"(,"value":)");
    AppendJsonString(values[n].text, out);
    out->push_back('}');
  }
  out->push_back(']');
}

// Of the short forms, those that
// texts of diagnostics have; the others would say the same in fewer bytes.
void AppendEscape(char32_t code_point, std::string* out) {
  switch (code_point) {
    case '"':
      out->append("\\\"");
      return;
    case '\\':
      out->append("\\\\");
      return;
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    default:
      out->append("\\u");
      for (const int shift : {12, 8, 4, 0}) out->push_back("0123456789abcdef"[code_point >> shift & 0xF]);
  }
}

// What can stand between quotes as it is. RFC 8259 asks for escapes below 0x20. DEL is a control character as well, and
// would be invisible.
constexpr std::array<bool, 256> PlainBytes() {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x7F; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}
constexpr std::array<bool, 256> kIsPlain = PlainBytes();

}  // namespace

// Plain ASCII is appended in runs. What is not ASCII is decoded and encoded again rather than copied: that turns
// malformed UTF-8 into U+FFFD, so that the result is valid JSON, whatever bytes a file's name or a config holds. JSON
// is read by people on terminals as well: what these take for commands is escaped.
void AppendJsonString(std::string_view text, std::string* out) {
  out->push_back('"');
  size_t at = 0;
  while (at < text.size()) {
    size_t plain_end = at;
    while (plain_end < text.size() && kIsPlain[static_cast<uint8_t>(text[plain_end])]) ++plain_end;
    out->append(text.substr(at, plain_end - at));
    at = plain_end;
    if (at == text.size()) break;
    const CodePoint code_point = DecodeUtf8(text, at);
    if (code_point.value < 0x80 || IsTerminalControl(code_point.value)) {
      AppendEscape(code_point.value, out);
    } else {
      AppendUtf8(code_point.value, out);
    }
    at += code_point.bytes;
  }
  out->push_back('"');
}

// A range is written as lines and columns, which only a source can tell. Without one, the message goes without its
// place.
std::string ToJson(const Diagnostic& diagnostic, const Source* source) {
  if (diagnostic.source != nullptr) source = diagnostic.source;
  std::string json = R"({"severity":")";
  json.append(diagnostic.severity == Severity::kError ? "error" : "warning").append(R"(","code":")");
  json.append(CodeText(diagnostic.code)).append(R"(","summary":)");
  AppendJsonString(diagnostic.summary, &json);
  json.append(R"(,"detail":)");
  AppendJsonString(diagnostic.detail, &json);
  if (source != nullptr && diagnostic.subject) AppendRange("subject", *diagnostic.subject, *source, &json);
  if (source != nullptr && diagnostic.context) AppendRange("context", *diagnostic.context, *source, &json);
  if (!diagnostic.values.empty()) AppendValues(diagnostic.values, &json);
  json.push_back('}');
  return json;
}

}  // namespace hcl
