// Texts in XML reports. Pure and thread-safe. Tested by workbench/xml_text_test.cc.

#ifndef HCLVM_WORKBENCH_XML_TEXT_H_
#define HCLVM_WORKBENCH_XML_TEXT_H_

#include <string>
#include <string_view>

namespace hcl::internal {

// `text` as the value of an attribute in double quotes. Controls are blanks, as in PrintableLines(). U+FFFE, U+FFFF
// and malformed UTF-8, which no XML can have, become U+FFFD.
std::string XmlAttribute(std::string_view text);

// The same between the tags of an element: line feeds and quotes stay as they are.
std::string XmlContent(std::string_view text);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_XML_TEXT_H_
