// SARIF. Tested by cmd/hclvm/sarif_test.cc.

#include "hclvm/cmd/hclvm/sarif.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/print_numbers.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/version.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr size_t kMaxResults = 25'000;

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

// A URI, relative to `folder` where it leads into it. Bytes that have a meaning in one are written as numbers.
std::string UriOf(std::string_view path, std::string_view folder) {
  std::string uri;
  if (path.substr(0, 2) == "./") path.remove_prefix(2);
  if (!path.empty() && path[0] == '/') {
    const bool is_in = !folder.empty() && path.size() > folder.size() + 1 && path[folder.size()] == '/' &&
                       path.substr(0, folder.size()) == folder;
    is_in ? path.remove_prefix(folder.size() + 1) : void(uri = "file://");
  }
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : internal::PrintNumbers("%%%02X", static_cast<unsigned char>(c));
  }
  return uri;
}

// FNV-1a: the same everywhere.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

// Columns are code points here, and not characters as people count them: SARIF knows no others that do not hang on an
// encoding. A byte order mark is none of the text.
struct LineAndColumn {
  uint32_t line;
  uint32_t column;
};
LineAndColumn PlaceOf(const Source& source, uint32_t offset) {
  const uint32_t line = source.LineAt(offset);
  const uint32_t begin = source.LineStart(line);
  std::string_view before = source.Slice({begin, offset});
  if (begin == 0 && before.substr(0, 3) == "\xEF\xBB\xBF") before.remove_prefix(3);
  const auto continues = [](char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; };
  return {line, static_cast<uint32_t>(before.size() + 1 -
                                      static_cast<size_t>(std::count_if(before.begin(), before.end(), continues)))};
}

std::string RegionOf(const Diagnostic& finding) {
  const LineAndColumn begin = PlaceOf(*finding.source, finding.subject->begin);
  const LineAndColumn end = PlaceOf(*finding.source, finding.subject->end);
  return absl::StrCat("{\"startLine\":", begin.line, ",\"startColumn\":", begin.column, ",\"endLine\":", end.line,
                      ",\"endColumn\":", end.column, "}");
}

}  // namespace

std::string LeftOutText(size_t left_out) {
  return absl::StrCat(left_out, left_out == 1 ? " more was left out" : " more were left out");
}

std::string ToSarif(const std::vector<Diagnostic>& findings, size_t left_out, std::string_view folder) {
  std::set<DiagnosticCode> codes;
  for (const Diagnostic& finding : findings) codes.insert(finding.code);
  std::string out = absl::StrCat(
      "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{"
      "\"driver\":{\"name\":\"hclvm\",\"version\":",
      Quoted(kVersion), ",\"rules\":[");
  const char* separator = "";
  for (const DiagnosticCode code : codes) {
    absl::StrAppend(&out, separator, "{\"id\":", Quoted(CodeText(code)),
                    ",\"shortDescription\":{\"text\":", Quoted(SummaryOf(code)), "}}");
    separator = ",";
  }
  absl::StrAppend(&out, "]}},");
  left_out += findings.size() - std::min(findings.size(), kMaxResults);
  if (left_out > 0) {
    absl::StrAppend(&out,
                    "\"invocations\":[{\"executionSuccessful\":true,\"toolExecutionNotifications\":[{\"level\":"
                    "\"warning\",\"message\":{\"text\":",
                    Quoted(LeftOutText(left_out)), "}}]}],");
  }
  absl::StrAppend(&out, "\"columnKind\":\"unicodeCodePoints\",\"results\":[");
  std::map<std::string, size_t> seen;
  for (size_t n = 0; n < std::min(findings.size(), kMaxResults); ++n) {
    const Diagnostic& finding = findings[n];
    absl::StrAppend(&out, n > 0 ? "," : "", "{\"ruleId\":", Quoted(CodeText(finding.code)), ",\"level\":\"",
                    finding.severity == Severity::kError ? "error" : "warning",
                    "\",\"message\":{\"text\":", Quoted(absl::StrCat(finding.summary, ". ", finding.detail)), "}");
    if (finding.source != nullptr && finding.subject) {
      const uint32_t line = finding.source->LineAt(finding.subject->begin);
      const std::string uri = UriOf(finding.source->name(), folder);
      const std::string key = absl::StrCat(CodeText(finding.code), "\n", uri, "\n", ToAbsl(finding.source->Line(line)),
                                           "\n", finding.detail);
      absl::StrAppend(&out, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", Quoted(uri),
                      "},\"region\":", RegionOf(finding), "}}]", ",\"partialFingerprints\":{\"hclvm/v1\":\"",
                      internal::PrintNumbers("%016llx:%d", static_cast<unsigned long long>(Hash(key)),
                                             static_cast<int>(++seen[key])),
                      "\"}");
    }
    out.push_back('}');
  }
  absl::StrAppend(&out, "]}]}\n");
  return out;
}

}  // namespace hcl::cmd
