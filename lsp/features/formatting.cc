// Formatting. Tested by lsp/features/formatting_test.cc.
//
// The formatter changes no lines, so that edits are found by comparing line with line.

#include "hclvm/lsp/features/formatting.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/format.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/lsp/documents/file_store.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {
namespace {

// The part of a line that changes, in place of the whole.
Json EditOf(const FeatureContext& context, uint32_t begin, std::string_view before, std::string_view after) {
  size_t same = 0;
  while (same < before.size() && same < after.size() && before[same] == after[same]) ++same;
  size_t end = 0;
  while (end < before.size() - same && end < after.size() - same &&
         before[before.size() - 1 - end] == after[after.size() - 1 - end]) {
    ++end;
  }
  // An edit begins and ends between characters.
  const auto splits = [](std::string_view text, size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (same > 0 && (splits(before, same) || splits(after, same))) --same;
  while (end > 0 && (splits(before, before.size() - end) || splits(after, after.size() - end))) --end;
  const SourceRange range = {begin + static_cast<uint32_t>(same), begin + static_cast<uint32_t>(before.size() - end)};
  return {{"range", context.RangeOf(range)}, {"newText", std::string(after.substr(same, after.size() - end - same))}};
}

// The edits of the lines from `first` to `last`.
Json EditsOf(const FeatureContext& context, uint32_t first, uint32_t last) {
  Json edits = Json::array();
  if (context.file->is_json()) return edits;
  Diagnostics ignored;
  Limits limits = context.workspace->LimitsFor(kMaxCheckTime);
  limits.max_output_bytes = kMaxFileBytes;
  const std::string formatted = FormatConfig(*context.file->source(), limits, &ignored);
  const LineIndex after(formatted);
  const LineIndex& before = context.file->lines();
  if (after.line_count() != before.line_count()) return edits;
  for (uint32_t line = first; line <= last && line < before.line_count(); ++line) {
    const uint32_t begin = before.LineStart(line);
    const std::string_view old_text = before.text().substr(begin, before.LineEnd(line) - begin);
    const uint32_t new_begin = after.LineStart(line);
    const std::string_view new_text = after.text().substr(new_begin, after.LineEnd(line) - new_begin);
    if (old_text != new_text) edits.push_back(EditOf(context, begin, old_text, new_text));
  }
  return edits;
}

}  // namespace

Json Formatting(const FeatureContext& context) { return EditsOf(context, 0, UINT32_MAX - 1); }

Json RangeFormatting(const FeatureContext& context) {
  const Json* const range = Member(*context.params, {"range"});
  if (range == nullptr) return Json::array();
  const LineIndex& lines = context.file->lines();
  const SourceRange bytes = lines.BytesOf(*range, context.encoding);
  // A range of whole lines ends at the beginning of the next one.
  const uint32_t last = lines.LineAt(bytes.end > bytes.begin ? bytes.end - 1 : bytes.end);
  return EditsOf(context, lines.LineAt(bytes.begin), last);
}

Json OnTypeFormatting(const FeatureContext& context) {
  const LineIndex& lines = context.file->lines();
  const uint32_t line = lines.LineAt(context.offset);
  if (TextAt(*context.params, "ch") == "\n") return line == 0 ? Json::array() : EditsOf(context, line - 1, line - 1);
  const SourceTree* const tree = context.file->tree();
  const uint32_t token = tree == nullptr || context.offset == 0 ? kNoSource : tree->TokenAt(context.offset - 1);
  if (token == kNoSource || tree->PairOf(token) == kNoSource) return Json::array();
  const uint32_t open = tree->tokens()[tree->PairOf(token)].range.begin;
  return EditsOf(context, std::min(lines.LineAt(open), line), line);
}

}  // namespace hcl::lsp
