// TestFileParts. Tested by workbench/test_suite_test.cc.

#include "hclvm/workbench/test_file_parts.h"

#include <algorithm>
#include <cstdint>

#include "hclvm/base/source.h"

namespace hcl::internal {
namespace {

// Line ends stay, so that lines are those of the file.
void Blank(SourceRange range, std::string* text) {
  std::replace_if(
      text->begin() + range.begin, text->begin() + range.end, [](char c) { return c != '\n' && c != '\r'; }, ' ');
}

void Copy(SourceRange range, std::string_view from, std::string* to) {
  from.copy(to->data() + range.begin, range.end - range.begin, range.begin);
}

}  // namespace

TestFileParts PartsOf(std::string_view text, const Body& body) {
  TestFileParts parts;
  parts.values = std::string(text);
  parts.functions = std::string(text);
  Blank({0, static_cast<uint32_t>(text.size())}, &parts.functions);
  for (const Block& block : body.blocks) {
    if (block.type != "function") continue;
    parts.has_functions = true;
    Copy(block.range, text, &parts.functions);
    Blank(block.range, &parts.values);
  }
  parts.assertions = parts.functions;
  for (const Block& block : body.blocks) {
    if (block.type != "test") continue;
    bool has_assertions = false;
    for (const Block& inner : block.body->blocks) {
      if (inner.type != "assert") continue;
      has_assertions = true;
      Blank(inner.range, &parts.values);
      Copy(inner.range, text, &parts.assertions);
    }
    if (!has_assertions) continue;
    parts.has_assertions = true;
    Copy({block.range.begin, block.open.end}, text, &parts.assertions);
    Copy(block.close, text, &parts.assertions);
  }
  return parts;
}

}  // namespace hcl::internal
