// Families of texts: configs, scopes, and what functions get.

#include "hclvm/tests/growth_families.h"

namespace hcl {
namespace {

const GrowthFamily kNative[] = {
    {GrowthKind::kConfig, "attributes", "", "a# = #\n", ""},
    {GrowthKind::kConfig, "attributes with variables", "", "a# = v + #\n", ""},
    {GrowthKind::kConfig, "unknown variables", "", "a# = nosuch#\n", ""},
    {GrowthKind::kConfig, "unknown functions", "", "a# = nosuch(#)\n", ""},
    {GrowthKind::kConfig, "attribute set again and again", "", "a = #\n", ""},
    {GrowthKind::kConfig, "one long line", "x = {", "a# = 1, a# = nosuch, ", "}\n"},
    {GrowthKind::kConfig, "one long line beyond ASCII", "x = {", "\u00e9# = 1, \u00e9# = nosuch, ", "}\n"},
    {GrowthKind::kConfig, "object", "x = {", "a# = v,", "}\n"},
    {GrowthKind::kConfig, "tuple", "x = [", "#,", "]\n"},
    {GrowthKind::kConfig, "failing elements", "x = [", "\"a\" + #,", "]\n"},
    {GrowthKind::kConfig, "blocks of one type", "", "b {\n x = #\n}\n", ""},
    {GrowthKind::kConfig, "blocks of many types", "", "b# {\n x = #\n}\n", ""},
    {GrowthKind::kConfig, "blocks with one label", "", "b \"l\" {\n x = #\n}\n", ""},
    {GrowthKind::kConfig, "blocks with many labels", "", "b \"l#\" {\n x = #\n}\n", ""},
    {GrowthKind::kConfig, "labels of one block", "b", " \"l#\"", " {\n}\n"},
    {GrowthKind::kConfig, "sum", "x = v", " + v", "\n"},
    {GrowthKind::kConfig, "path", "x = v", ".a", "\n"},
    {GrowthKind::kConfig, "template", "x = \"", "a${v}", "\"\n"},
    {GrowthKind::kConfig, "template with unknown variables", "x = \"", "\u00e9${nosuch#}", "\"\n"},
    {GrowthKind::kConfig, "template with directives", "x = \"", "%{if v == 1}a%{endif}", "\"\n"},
    {GrowthKind::kConfig, "directives without an end", "x = \"", "%{if true}a", "\"\n"},
    {GrowthKind::kConfig, "ends without directives", "x = \"", "%{endif}a", "\"\n"},
    {GrowthKind::kConfig, "stripped template", "x = \"", "  ${~v~}  ", "\"\n"},
    {GrowthKind::kConfig, "heredoc", "x = <<EOT\n", "line #\n", "EOT\n"},
    {GrowthKind::kConfig, "indented heredoc", "x = <<-EOT\n", "  line ${v}\n", "  EOT\n"},
    {GrowthKind::kConfig, "heredoc without an end", "x = <<EOT\n", "line #\n", ""},
    {GrowthKind::kConfig, "combining marks", "x = \"e", "\u0315\u0323", "\"\n"},
    {GrowthKind::kConfig, "bad escapes", "x = \"", "\\q", "\"\n"},
    {GrowthKind::kConfig, "bad characters", "x = ", "@ ", "\n"},
    {GrowthKind::kConfig, "bad lines", "", "x y z = =\n", ""},
    {GrowthKind::kConfig, "closing braces", "", "}\n", ""},
    {GrowthKind::kConfig, "open quotes", "", "x = \"\n", ""},
    {GrowthKind::kConfig, "open brackets", "x = ", "[", ""},
    {GrowthKind::kConfig, "comments", "x = ", "/* # */", "1\n"},
    {GrowthKind::kConfig, "arguments", "x = max(", "v, ", "1)\n"},
    {GrowthKind::kConfig, "loops", "", "x# = [for e in [v] : e]\n", ""},
};

const GrowthFamily kJson[] = {
    {GrowthKind::kJsonConfig, "properties", "{", "\"a#\": #, ", "\"a\": 1}"},
    {GrowthKind::kJsonConfig, "property set again and again", "{", "\"a\": #, ", "\"a\": 1}"},
    {GrowthKind::kJsonConfig, "repeated names in an object", "{\"x\": {", "\"\u00e9\": #, ", "\"a\": 1}}"},
    {GrowthKind::kJsonConfig, "array", "{\"x\": [", "{\"a\": \"${v}\"}, ", "1]}"},
    {GrowthKind::kJsonConfig, "template", "{\"x\": \"", "a${v}\\n", "\"}"},
    {GrowthKind::kJsonConfig, "bad templates", "{\"x\": [", "\"${1 +}\", ", "1]}"},
    {GrowthKind::kJsonConfig, "bad escapes", "{\"x\": [", "\"\\q\", ", "1]}"},
    {GrowthKind::kJsonConfig, "missing colons", "{", "\"\u00e9#\" 1, ", "\"a\": 1}"},
    {GrowthKind::kJsonConfig, "commas", "{\"x\": [", ",", "]}"},
    {GrowthKind::kJsonConfig, "words", "{\"x\": [", "nope ", "]}"},
    {GrowthKind::kJsonConfig, "open arrays", "", "[", ""},
    {GrowthKind::kJsonConfig, "closing braces", "{\"a\": 1", "}", ""},
};

const GrowthFamily kScopes[] = {
    {GrowthKind::kScope, "object of new keys", "{", "\"a#\":0,", "\"z\":0}"},
    {GrowthKind::kScope, "object of one key again and again, the last of them", "{", "\"a#\":0,", "\"a0\":0}"},
    {GrowthKind::kScope, "objects of new keys", "[", "{\"a#\":0},", "0]"},
    {GrowthKind::kScope, "objects of two new keys and one old", "[", "{\"a#\":0,\"b#\":0,\"c\":0},", "0]"},
    {GrowthKind::kScope, "exponents", "[", "1e99,", "0]"},
    {GrowthKind::kScope, "the largest exponents", "[", "1e99999,", "0]"},
    {GrowthKind::kScope, "digits of one number", "0.", "12345", ""},
    {GrowthKind::kScope, "numbers of 20 digits", "[", "12345678901234567890,", "0]"},
    {GrowthKind::kScope, "escapes", "\"", "\\u00e9\\n", "\""},
    {GrowthKind::kScope, "halves of surrogates", "\"", "\\ud83d", "\""},
    {GrowthKind::kScope, "combining marks", "\"e", "\u0315\u0323", "\""},
    {GrowthKind::kScope, "characters that grow", "\"", "\u0958", "\""},
    {GrowthKind::kScope, "arrays", "[", "[[[]]],", "0]"},
    {GrowthKind::kScope, "open arrays", "", "[", ""},
    {GrowthKind::kScope, "open strings", "[", "\"", ""},
    {GrowthKind::kScope, "blanks", "", " \n", "0"},
};

// The text is the variable `text`, in its expression.
const GrowthFamily kCalls[] = {
    {GrowthKind::kCall, "jsondecode(text)", "[", "{\"a#\": 1e99},", "0]"},
    {GrowthKind::kCall, "jsonencode(jsondecode(text))", "[", "\"<>\",", "0]"},
    {GrowthKind::kCall, "jsonencode([for x in jsondecode(text) : x])", "[", "1e999,", "0]"},
    {GrowthKind::kCall, "yamldecode(text)", "", "- a#\n", ""},
    {GrowthKind::kCall, "yamldecode(text)", "", "a#: b\n", ""},
    {GrowthKind::kCall, "yamldecode(text)", "", "[", ""},
    {GrowthKind::kCall, "yamldecode(text)", "", "{a: ", ""},
    {GrowthKind::kCall, "yamldecode(text)", "", "- - ", ""},
    {GrowthKind::kCall, "yamldecode(text)", "a: &x {b: c}\nd:\n", "- *x\n", ""},
    {GrowthKind::kCall, "yamldecode(text)", "a: &x {b: c}\nd:\n  <<: [", "*x, ", "*x]\n"},
    {GrowthKind::kCall, "yamldecode(text)", "\"", "\\u00e9", "\""},
    {GrowthKind::kCall, "yamldecode(text)", "# ", "comment ", ""},
    {GrowthKind::kCall, "yamlencode(jsondecode(text))", "[", "\"a#\",", "0]"},
    {GrowthKind::kCall, "csvdecode(text)", "a,b\n", "1,#\n", ""},
    {GrowthKind::kCall, "csvdecode(text)", "", "a#,", "a\n1\n"},
    {GrowthKind::kCall, "csvdecode(text)", "a\n\"", "\"\"", "\""},
    {GrowthKind::kCall, "csvdecode(text)", "a\n", "\n", ""},
    {GrowthKind::kCall, "base64decode(text)", "", "YWJj", ""},
    {GrowthKind::kCall, "base64decode(text)", "", "ZcyB", ""},
    {GrowthKind::kCall, "base64encode(text)", "", "abc", ""},
    {GrowthKind::kCall, "urlencode(text)", "", "\u00e9", ""},
    {GrowthKind::kCall, "upper(text)", "e", "\u0315\u0323", ""},
    {GrowthKind::kCall, "strrev(text)", "", "e\u0301", ""},
    {GrowthKind::kCall, "strlen(text)", "e", "\u0301", ""},
    {GrowthKind::kCall, "substr(text, -1, 1)", "", "\u1100\u1161", ""},
    {GrowthKind::kCall, "title(text)", "", "a ", ""},
    {GrowthKind::kCall, "trim(text, text)", "", "ab", ""},
    {GrowthKind::kCall, "split(\"\", text)", "", "a", ""},
    {GrowthKind::kCall, "split(text, text)", "", "ab", ""},
    {GrowthKind::kCall, "join(\"e\", split(\"a\", text))", "", "a\u0301", ""},
    {GrowthKind::kCall, "replace(text, \"\", \"ab\")", "", "a", ""},
    {GrowthKind::kCall, "replace(text, \"aab\", \"c\")", "", "aaa", ""},
    {GrowthKind::kCall, "regexall(\"a\", text)", "", "a", ""},
    {GrowthKind::kCall, "regexall(\"(a)(b)?(c)?\", text)", "", "ab", ""},
    {GrowthKind::kCall, "regexall(\"[a-z]+\", text)", "", "word ", ""},
    {GrowthKind::kCall, "regexreplace(text, \"[ab]+\", \"$0$0\")", "", "ab ", ""},
    {GrowthKind::kCall, "try(regex(\"(a*)*b\", text), 0)", "", "a", ""},
    {GrowthKind::kCall, "sort(split(\",\", text))", "", "a#,", ""},
    {GrowthKind::kCall, "distinct(split(\",\", text))", "", "a#,", ""},
    {GrowthKind::kCall, "toset(split(\",\", text))", "", "a#,", ""},
    {GrowthKind::kCall, "{for x in split(\",\", text) : x => x...}", "", "a,b#,", ""},
    {GrowthKind::kCall, "[for x in split(\",\", text) : try(x.a, tonumber(x), 0)]", "", "a#,", ""},
    {GrowthKind::kCall, "[for x in split(\",\", text) : can(tonumber(x))]", "", "a#,", ""},
    {GrowthKind::kCall, "[for x in split(\",\", text) : tonumber(x)]", "", "1e#,", "1"},
    {GrowthKind::kCall, "[for x in split(\",\", text) : tonumber(x)]", "", "a#,", "1"},
    {GrowthKind::kCall, "tonumber(text) + 1", "0.", "12345", ""},
    {GrowthKind::kCall, "\"${tonumber(text) / 3}\"", "1", "0", ""},
    {GrowthKind::kCall, "parseint(text, 10)", "1", "0", ""},
    {GrowthKind::kCall, "format(text)", "", "%%", ""},
    {GrowthKind::kCall, "format(text, 1)", "", "%[1]v", ""},
    {GrowthKind::kCall, "merge([for x in split(\",\", text) : {(x) = 1}]...)", "", "a#,", ""},
    {GrowthKind::kCall, "zipmap(split(\",\", text), split(\",\", text))", "", "a#,", ""},
    {GrowthKind::kCall, "flatten([for x in split(\",\", text) : [[x]]])", "", "a,", ""},
    {GrowthKind::kCall, "setunion(split(\",\", text), split(\",\", text))", "", "a#,", ""},
    {GrowthKind::kCall, "[for x in split(\",\", text) : x if contains([\"a\"], x)]", "", "a#,", ""},
    {GrowthKind::kCall, "convert(jsondecode(text), list(string))", "[", "1,", "0]"},
    {GrowthKind::kCall, "sha256(text)", "", "a", ""},
    {GrowthKind::kCall, "base64gzip(text)", "", "a#,", ""},
    {GrowthKind::kCall, "dirname(text)", "", "a/b/../", ""},
    {GrowthKind::kCall, "base64gunzip(base64gzip(text))", "", "a#,", ""},
    {GrowthKind::kCall, "urldecode(text)", "", "%65%CC%81", ""},
    {GrowthKind::kCall, "semvercmp(text, text)", "1", ".1", ""},
    {GrowthKind::kCall, "semvercmp(text, text)", "1-", "a", ""},
    {GrowthKind::kCall, "semverconstraint(\"1.2.3\", text)", "", "!= 1.2, ", "2"},
    {GrowthKind::kCall, "regex_match(text, \"(a*)*b\")", "", "a", ""},
    {GrowthKind::kCall, "assumestringprefix(text, text)", "", "e\u0301", ""},
    {GrowthKind::kCall, "assumeequal(split(\",\", text), split(\",\", text))", "", "a#,", ""},
    {GrowthKind::kCall, "dirname(text)", "", "../", ""},
    {GrowthKind::kCall, "textencodebase64(text, \"UTF-16\")", "", "\u00e9", ""},
    {GrowthKind::kCall, "textdecodebase64(text, \"UTF-16LE\")", "", "AQMj", "AQM="},
    {GrowthKind::kCall, "templatestring(text, {a = 1})", "", "${a}", ""},
    {GrowthKind::kCall, "templatestring(text, {a = 1})", "", "%{ if a == # }${a}%{ endif }", ""},
    {GrowthKind::kCall, "try(templatestring(text, {a = 1}), 0)", "", "${nosuch#}", ""},
    {GrowthKind::kCall, "try(templatestring(text, {a = 1}), 0)", "${[", "f#(a),", "]}"},
    {GrowthKind::kCall, "\"${text}${text}\" == text", "", "\u0301", ""},
};

template <size_t kCount>
void Append(const GrowthFamily (&families)[kCount], std::vector<GrowthFamily>* all) {
  all->insert(all->end(), families, families + kCount);
}

}  // namespace

std::string GrowthFamily::Text(size_t count) const {
  std::string text = first;
  for (size_t n = 0; n < count; ++n) {
    for (const char* at = part; *at != '\0'; ++at) {
      if (*at == '#') {
        text += std::to_string(n);
      } else {
        text += *at;
      }
    }
  }
  return text + last;
}

std::vector<GrowthFamily> GrowthFamilies() {
  std::vector<GrowthFamily> all;
  Append(kNative, &all);
  Append(kJson, &all);
  Append(kScopes, &all);
  Append(kCalls, &all);
  return all;
}

}  // namespace hcl
