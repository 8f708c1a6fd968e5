// JsonParser: recursive descent over the scanner. Internal to hcl/.
//
// Recursion: one level for each array and object (Limits::max_nesting_depth).
//
// Tested by hcl/json/json_parser_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_PARSER_INTERNAL_H_
#define HCLVM_HCL_JSON_JSON_PARSER_INTERNAL_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_ast.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/json/json_scanner.h"
#include "hclvm/hcl/scratch_list.h"

namespace hcl {
namespace internal {

// One parse. Not thread-safe. Use Parse() once, then Finish().
class JsonParser {
 public:
  // All must outlive the parser. Text and tree live in `source` and `arena`.
  JsonParser(const Source& source, const JsonOptions& options, Arena* arena);

  // The value that is the whole text.
  JsonValue Parse();

  // Hands over what was reported.
  void Finish(Diagnostics* diagnostics);

 private:
  struct Bracket {
    JsonToken open;
    JsonToken close;
    SourceRange range;  // of the opening one
  };

  // What comes after an element or property.
  enum class Separator : uint8_t {
    kNext,   // another one
    kClose,  // nothing; the closing bracket was taken
    kEnd,    // nothing; the closing bracket is missing
  };

  // Goes to the next token.
  void Advance() {
    previous_ = scanner_.range();
    token_ = stopped_ ? JsonToken::kEnd : scanner_.Next();
  }
  // The range of the current token.
  SourceRange range() const { return scanner_.range(); }
  std::string_view Text(SourceRange range) const { return text_.substr(range.begin, range.end - range.begin); }

  JsonValue ParseValue();
  JsonValue ParseArray();
  JsonValue ParseObject();
  void ParseProperty(ScratchList<JsonProperty>* properties);
  bool ParseName(JsonValue* name);
  bool ParseColon();
  JsonValue ParseNumber();
  JsonValue ParseString();
  JsonValue ParseKeyword();
  JsonValue MissingValue();
  void EnterLevel();
  void Stop(DiagnosticCode code, std::string detail);
  Separator OpenBracket(const Bracket& bracket);
  // Where an array or object ends, given what came after its last item.
  uint32_t EndOf(Separator last) const {
    return last == Separator::kClose ? previous_.end : std::max(previous_.end, range().begin);
  }
  Separator TakeSeparator(const Bracket& bracket);
  void SkipToSeparator();
  bool StartsValue() const;

  // These are in json_parser_errors.cc. Nothing is reported twice at one token.
  void Report(SourceRange subject, DiagnosticCode code, std::string detail,
              std::optional<SourceRange> context = std::nullopt);
  void ReportMissingValue();
  void ReportMissingColon();
  void ReportSeparator(const Bracket& bracket);
  void ReportKeyword(std::string_view word);
  void ReportString(SourceRange string, bool is_closed);
  std::string Found() const;
  SourceRange AfterReferenceRecovery(const Bracket& bracket) const;

  std::string_view text_;
  Limits limits_;
  JsonRules rules_;
  Arena* arena_;
  Diagnostics errors_;
  JsonScanner scanner_;
  JsonToken token_ = JsonToken::kEnd;  // the current one, which comes next
  SourceRange previous_;               // of the token taken last
  uint32_t reported_at_ = UINT32_MAX;  // where the token that was current at the last report starts
  uint32_t depth_ = 0;
  Steps steps_;
  bool stopped_ = false;  // a limit was crossed: the text seems to end
  ScratchStack<JsonValue> values_;
  ScratchStack<JsonProperty> properties_;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_PARSER_INTERNAL_H_
