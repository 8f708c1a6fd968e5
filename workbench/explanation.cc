// Explanation: the forms. Tested by workbench/explain_test.cc.

#include "hclvm/workbench/explanation.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"

namespace hcl::internal {
namespace {

using Kind = Reason::Kind;
using Outcome = Explanation::Outcome;

std::string_view KindText(Kind kind) {
  switch (kind) {
    case Kind::kRule:
      return "rule";
    case Kind::kPassedOver:
      return "passed_over";
    case Kind::kOperand:
      return "operand";
    case Kind::kCondition:
      return "condition";
    case Kind::kAttempt:
      return "attempt";
    case Kind::kElement:
      return "element";
    case Kind::kName:
      return "name";
    case Kind::kFunction:
      return "function";
    case Kind::kError:
      return "error";
    case Kind::kUnknown:
      return "unknown";
  }
  return "";
}

std::string_view OutcomeText(Outcome outcome) {
  return outcome == Outcome::kValue ? "value" : outcome == Outcome::kError ? "error" : "unknown";
}

std::string NumberText(const Reason& reason) { return absl::StrCat(reason.number, " of ", reason.count); }

// The sentence of a reason, without what it reads.
std::string Sentence(const Reason& reason) {
  switch (reason.kind) {
    case Kind::kRule:
      return absl::StrCat("rule ", NumberText(reason), " applies: ", reason.text);
    case Kind::kPassedOver:
      return absl::StrCat("rule ", NumberText(reason), " does not apply: ", reason.text);
    case Kind::kAttempt:
      return reason.value == "error"
                 ? absl::StrCat("attempt ", NumberText(reason), " fails: ", reason.text)
                 : absl::StrCat("attempt ", NumberText(reason), ": ", reason.text, " is ", reason.value);
    case Kind::kElement:
      return absl::StrCat("element ", NumberText(reason), ": ", reason.text, " is ", reason.value);
    case Kind::kError:
      return absl::StrCat(reason.text, " fails");
    case Kind::kUnknown:
      return absl::StrCat(reason.text, " is unknown");
    default:
      return absl::StrCat(reason.text, " is ", reason.value);
  }
}

std::string ReadsText(const std::vector<ValueRead>& reads) {
  std::string text;
  for (const ValueRead& read : reads) absl::StrAppend(&text, text.empty() ? "" : ", ", read.path, " = ", read.value);
  return text;
}

// Lines of text, up to a number of them.
class TextWriter {
 public:
  explicit TextWriter(size_t max_lines) : max_lines_(max_lines) {}

  void AddLine(size_t level, std::string_view line) {
    if (lines_++ >= max_lines_) return;
    absl::StrAppend(&out_, std::string(2 * level, ' '), Printable(line), "\n");
  }

  void Add(const Reason& reason, size_t level) {
    std::string line = Sentence(reason);
    if (!reason.reads.empty()) absl::StrAppend(&line, ", as ", ReadsText(reason.reads));
    if (!reason.message.empty()) absl::StrAppend(&line, ": ", reason.message);
    if (reason.place.line != 0) absl::StrAppend(&line, "  (", PlaceText(reason.place), ")");
    AddLine(level, line);
    AddAll(reason.reasons, reason.left_out, level + 1);
  }

  void AddAll(const std::vector<Reason>& reasons, size_t left_out, size_t level) {
    for (const Reason& reason : reasons) Add(reason, level);
    if (left_out > 0) AddLine(level, absl::StrCat("and ", left_out, " more"));
  }

  std::string Take() && {
    if (lines_ > max_lines_) absl::StrAppend(&out_, "  ... (", lines_ - max_lines_, " more)\n");
    return std::move(out_);
  }

 private:
  // The file is named where it is another one than in the line before.
  std::string PlaceText(const ReasonPlace& place) {
    if (place.file == file_) return absl::StrCat("line ", place.line);
    file_ = place.file;
    return absl::StrCat(place.file, ":", place.line);
  }

  const size_t max_lines_;
  std::string file_;
  size_t lines_ = 0;
  std::string out_;
};

std::string ValuesText(const SubExpression& one) {
  std::string text;
  for (const std::string& value : one.values) absl::StrAppend(&text, text.empty() ? "" : ", ", value);
  if (one.count > one.values.size()) absl::StrAppend(&text, ", ... (", one.count, " times)");
  return text;
}

void AddExpressions(const std::vector<SubExpression>& expressions, TextWriter* writer) {
  ReasonPlace line;
  for (const SubExpression& one : expressions) {
    if (one.place.file != line.file || one.place.line != line.line) {
      line = one.place;
      writer->AddLine(1, absl::StrCat(line.file, ":", line.line, " | ", one.line));
    }
    writer->AddLine(3, absl::StrCat(one.text, " = ", ValuesText(one)));
  }
}

std::string JsonText(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

void AppendPlace(const ReasonPlace& place, std::string* out) {
  if (place.line == 0) return;
  absl::StrAppend(out, ",\"file\":", JsonText(place.file), ",\"line\":", place.line, ",\"column\":", place.column);
}

void AppendReads(const std::vector<ValueRead>& reads, std::string* out) {
  const char* before = ",\"reads\":[";
  for (const ValueRead& read : reads) {
    absl::StrAppend(out, before, "{\"path\":", JsonText(read.path), ",\"value\":", JsonText(read.value), "}");
    before = ",";
  }
  if (!reads.empty()) *out += "]";
}

void AppendReasons(const std::vector<Reason>& reasons, size_t left_out, std::string* out);

void AppendReason(const Reason& reason, std::string* out) {
  absl::StrAppend(out, "{\"kind\":\"", ToAbsl(KindText(reason.kind)), "\",\"text\":", JsonText(reason.text));
  if (!reason.value.empty()) absl::StrAppend(out, ",\"value\":", JsonText(reason.value));
  if (!reason.message.empty()) absl::StrAppend(out, ",\"message\":", JsonText(reason.message));
  if (reason.number != 0) absl::StrAppend(out, ",\"number\":", reason.number, ",\"count\":", reason.count);
  AppendPlace(reason.place, out);
  AppendReads(reason.reads, out);
  AppendReasons(reason.reasons, reason.left_out, out);
  *out += "}";
}

void AppendReasons(const std::vector<Reason>& reasons, size_t left_out, std::string* out) {
  const char* before = ",\"reasons\":[";
  for (const Reason& reason : reasons) {
    *out += before;
    AppendReason(reason, out);
    before = ",";
  }
  if (!reasons.empty()) *out += "]";
  if (left_out > 0) absl::StrAppend(out, ",\"left_out\":", left_out);
}

void AppendExpressions(const std::vector<SubExpression>& expressions, std::string* out) {
  const char* before = ",\"expressions\":[";
  for (const SubExpression& one : expressions) {
    absl::StrAppend(out, before, "{\"text\":", JsonText(one.text));
    AppendPlace(one.place, out);
    absl::StrAppend(out, ",\"count\":", one.count, ",\"values\":[");
    for (size_t n = 0; n < one.values.size(); ++n) absl::StrAppend(out, n == 0 ? "" : ",", JsonText(one.values[n]));
    *out += "]}";
    before = ",";
  }
  if (!expressions.empty()) *out += "]";
}

std::string Html(std::string_view text) {
  return absl::StrReplaceAll(PrintableLines(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

void AppendHtmlReasons(const std::vector<Reason>& reasons, size_t left_out, std::string* out) {
  if (reasons.empty() && left_out == 0) return;
  *out += "<ul>\n";
  for (const Reason& reason : reasons) {
    absl::StrAppend(out, "<li class=\"", ToAbsl(KindText(reason.kind)), "\"><code>", Html(Sentence(reason)), "</code>");
    if (!reason.reads.empty()) absl::StrAppend(out, " <span>as ", Html(ReadsText(reason.reads)), "</span>");
    if (!reason.message.empty()) absl::StrAppend(out, " <span>", Html(reason.message), "</span>");
    if (reason.place.line != 0) {
      absl::StrAppend(out, " <small>", Html(reason.place.file), ":", reason.place.line, "</small>");
    }
    AppendHtmlReasons(reason.reasons, reason.left_out, out);
    *out += "</li>\n";
  }
  if (left_out > 0) absl::StrAppend(out, "<li>and ", left_out, " more</li>\n");
  *out += "</ul>\n";
}

void AppendHtmlExpressions(const std::vector<SubExpression>& expressions, std::string* out) {
  if (expressions.empty()) return;
  *out += "<table>\n";
  for (const SubExpression& one : expressions) {
    absl::StrAppend(out, "<tr><td>", Html(one.place.file), ":", one.place.line, "</td><td><code>", Html(one.text),
                    "</code></td><td><code>", Html(ValuesText(one)), "</code></td></tr>\n");
  }
  *out += "</table>\n";
}

}  // namespace

std::string ToText(const Explanation& explanation, size_t max_lines) {
  TextWriter writer(max_lines);
  std::string first = absl::StrCat(explanation.entry, explanation.outcome == Outcome::kError ? " fails" : " = ",
                                   explanation.outcome == Outcome::kError ? "" : explanation.value);
  if (!explanation.reads.empty()) absl::StrAppend(&first, ", as ", ReadsText(explanation.reads));
  writer.AddLine(0, first);
  // A reason with the message stands where it comes from.
  if (explanation.reasons.empty()) {
    for (const std::string& error : explanation.errors) writer.AddLine(1, error);
  }
  writer.AddAll(explanation.reasons, explanation.left_out, 1);
  if (explanation.is_cut) writer.AddLine(1, "The run was too long to be looked at as a whole.");
  AddExpressions(explanation.expressions, &writer);
  return std::move(writer).Take();
}

std::string ToJson(const Explanation& explanation) {
  std::string out = absl::StrCat("{\"entry\":", JsonText(explanation.entry), ",\"outcome\":\"",
                                 ToAbsl(OutcomeText(explanation.outcome)), "\"");
  if (explanation.outcome != Outcome::kError) absl::StrAppend(&out, ",\"value\":", JsonText(explanation.value));
  const char* before = ",\"errors\":[";
  for (const std::string& error : explanation.errors) {
    absl::StrAppend(&out, before, JsonText(error));
    before = ",";
  }
  if (!explanation.errors.empty()) out += "]";
  AppendReads(explanation.reads, &out);
  AppendReasons(explanation.reasons, explanation.left_out, &out);
  AppendExpressions(explanation.expressions, &out);
  if (explanation.is_cut) out += ",\"cut\":true";
  return out + "}";
}

std::string ToHtml(const std::vector<Explanation>& explanations, const std::string& title) {
  std::string out = absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", Html(title),
      "</title>\n<style>\nbody{font:16px/1.5 sans-serif;margin:2em}code{font-family:monospace}"
      "small{color:#666}.rule>code{background:#dfd}.passed_over>code{color:#666}.error>code{background:#fdd}"
      ".unknown>code{background:#ffd}td{padding:0 1em 0 0;vertical-align:top}\n</style></head><body>\n<h1>",
      Html(title), "</h1>\n");
  for (const Explanation& one : explanations) {
    const bool failed = one.outcome == Outcome::kError;
    absl::StrAppend(&out, "<h2><code>", Html(one.entry), failed ? " fails" : " = ", failed ? "" : Html(one.value),
                    "</code></h2>\n");
    if (!one.reads.empty()) absl::StrAppend(&out, "<p>as ", Html(ReadsText(one.reads)), "</p>\n");
    for (const std::string& error : one.errors) absl::StrAppend(&out, "<p class=\"error\">", Html(error), "</p>\n");
    AppendHtmlReasons(one.reasons, one.left_out, &out);
    AppendHtmlExpressions(one.expressions, &out);
  }
  return out + "</body></html>\n";
}

}  // namespace hcl::internal
