// Texts in XML reports. Tested by workbench/xml_text_test.cc.

#include "hclvm/workbench/xml_text.h"

#include "absl/strings/str_replace.h"
#include "hclvm/base/printable.h"

namespace hcl::internal {

std::string XmlContent(std::string_view text) {
  return absl::StrReplaceAll(PrintableLines(text), {{"&", "&amp;"},
                                                    {"<", "&lt;"},
                                                    {">", "&gt;"},
                                                    {"\xef\xbf\xbe", "\xef\xbf\xbd"},
                                                    {"\xef\xbf\xbf", "\xef\xbf\xbd"}});
}

std::string XmlAttribute(std::string_view text) {
  return absl::StrReplaceAll(XmlContent(text), {{"\"", "&quot;"}, {"\n", "&#10;"}});
}

}  // namespace hcl::internal
