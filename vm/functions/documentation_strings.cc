// Documentation of functions: string, encoding. Tested by tests/functions_test.cc.

#include "absl/types/span.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/documentation_tables.h"

namespace hcl::internal {

// Grapheme clusters are called characters here, since that is what readers count.
absl::Span<const FunctionRecord> StringRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"basename", "path: string", "string",
       "The last part of a path with slashes; slashes at its end do not count. No file is looked at.",
       "basename(\"/etc/app/config.hcl\")", "\"config.hcl\""},
      {"chomp", "str: string", "string", "The text without the line breaks at its end.", "chomp(\"hello\\r\\n\\n\")",
       "\"hello\""},
      {"contains_substring", "str: string; substr: string", "bool", "As strcontains, by the name of Terraform policy.",
       "contains_substring(\"hello\", \"ell\")", "true"},
      {"dirname", "path: string", "string",
       "A path with slashes without its last part, and without what . and .. and several slashes in it make "
       "superfluous. "
       "No file is looked at.",
       "dirname(\"/etc/app/config.hcl\")", "\"/etc/app\""},
      {"endswith", "str: string; suffix: string", "bool", "Whether the text ends with the suffix.",
       "endswith(\"report.pdf\", \".pdf\")", "true"},
      {"format", "format: string; args...: any", "string",
       "The format with each verb replaced by an argument. Verbs: %s text, %q text in quotes, %d a whole number (%b, "
       "%o, %x "
       "and %X in other bases), %f, %e and %g a number with a fraction, %t a bool, %v any value, %#v as JSON, %% a "
       "percent sign. Between % and the letter may stand flags (+, -, 0, blank, #), a width, a precision, and [n] to "
       "choose an argument.",
       "format(\"%s has %03d items (%.1f%%)\", \"cart\", 7, 12.34)", "\"cart has 007 items (12.3%)\""},
      {"formatlist", "format: string; args...: any", "list(string)",
       "As format, once for each element of the lists among the arguments, which have the same length; other arguments "
       "stay the same.",
       "formatlist(\"%s-%d\", [\"a\", \"b\"], 3)", "[\"a-3\",\"b-3\"]"},
      {"globmatch", "pattern: string; text: string", "bool",
       "Whether the pattern matches the whole text. * stands for any run of characters, / and . included, ? for one "
       "character, [a-z] for one of these, [!a-z] or [^a-z] for any other; \\ takes the meaning from the character "
       "behind it. A character is a code point, as in patterns of regex.",
       "globmatch(\"*.example.com\", \"www.example.com\")", "true"},
      {"indent", "spaces: number; str: string", "string",
       "The text with so many blanks before each line but the first.", "indent(2, \"a\\nb\")", "\"a\\n  b\""},
      {"join", "separator: string; lists...: list(string)", "string",
       "The elements of the lists with the separator between them.", "join(\", \", [\"a\", \"b\"], [\"c\"])",
       "\"a, b, c\""},
      {"lower", "str: string", "string", "The text in lower case, by Unicode's simple mapping.", "lower(\"ÉCOLE\")",
       "\"école\""},
      {"regex", "pattern: string; string: string", "string, or tuple or object of strings",
       "The first match of the pattern: the text that matches, or, where the pattern has groups, a tuple of what they "
       "match, or an object when they have names. An error when nothing matches. Patterns are RE2's.",
       "regex(\"(\\\\d+)-(\\\\d+)\", \"lines 12-34\")", "[\"12\",\"34\"]"},
      {"regex_match", "str: string; pattern: string", "bool",
       "Whether the pattern matches any part of the text. By the name of Terraform policy: the text is first.",
       "regex_match(\"lines 12-34\", \"[0-9]+\")", "true"},
      {"regexall", "pattern: string; string: string", "list", "All matches of the pattern, each as regex gives it.",
       "regexall(\"[a-z]+\", \"1abc2de\")", "[\"abc\",\"de\"]"},
      {"regexreplace", "str: string; pattern: string; replace: string", "string",
       "The text with each match of the pattern replaced. In the replacement, $1 or ${1} stands for what a group "
       "matches, ${name} for a group with a name, $$ for a dollar sign.",
       "regexreplace(\"a-b\", \"(\\\\w)-(\\\\w)\", \"$2-$1\")", "\"b-a\""},
      {"replace", "str: string; substr: string; replace: string", "string",
       "The text with each occurrence of the part replaced. A part in slashes is a pattern, as in regexreplace; // is "
       "not.",
       "replace(\"hello\", \"/[aeiou]/\", \"-\")", "\"h-ll-\""},
      {"semvercmp", "version_a: string; version_b: string", "number",
       "-1, 0 or 1: the first version comes before, is the same as, or comes after the second. Versions are numbers "
       "with "
       "dots between them, then -PRERELEASE and +BUILD, which does not count; a prerelease comes before its release.",
       "semvercmp(\"1.10.0\", \"1.9.3\")", "1"},
      {"semverconstraint", "version: string; constraint: string", "bool",
       "Whether the version meets all conditions, which stand between commas: a version after =, !=, <, <=, > or >=, "
       "or "
       "after ~>, for which only its last number may grow. A prerelease meets a range only where the condition names "
       "one of the same numbers.",
       "semverconstraint(\"1.4.2\", \">= 1.2, < 2.0\")", "true"},
      {"split", "separator: string; str: string", "list(string)",
       "The pieces of the text between the separators; with an empty separator, its characters.",
       "split(\",\", \"a,b,,c\")", "[\"a\",\"b\",\"\",\"c\"]"},
      {"startswith", "str: string; prefix: string", "bool", "Whether the text starts with the prefix.",
       "startswith(\"arn:aws:s3\", \"arn:\")", "true"},
      {"strcontains", "str: string; substr: string", "bool", "Whether the part occurs in the text.",
       "strcontains(\"hello\", \"ell\")", "true"},
      {"strlen", "str: string", "number",
       "The number of characters, counted as readers count them (grapheme clusters).",
       "strlen(\"👨‍👩‍👧 é\")", "3"},
      {"strrev", "str: string", "string", "The characters in reverse order.", "strrev(\"hello\")", "\"olleh\""},
      {"substr", "str: string; offset: number; length: number", "string",
       "The part of so many characters at an offset, from 0. A negative offset counts from the end; a length of -1 "
       "means all that follows.",
       "substr(\"hello world\", 1, 4)", "\"ello\""},
      {"templatestring", "template: string; vars: map or object", "string",
       "The text that a template gives; the template is a text itself, as of a variable. Its variables are the "
       "elements "
       "of vars and no others. It can call the program's functions, but not templatestring. A constant template is "
       "compiled with the program.",
       "templatestring(\"Hello, $${name}!\", {name = \"Ann\"})", "\"Hello, Ann!\""},
      {"title", "str: string", "string", "The text with the first letter of each word in upper case.",
       "title(\"hello world\")", "\"Hello World\""},
      {"trim", "str: string; cutset: string", "string",
       "The text without those of the given characters that stand at its ends.", "trim(\"?!hello?!\", \"!?\")",
       "\"hello\""},
      {"trimprefix", "str: string; prefix: string", "string", "The text without the prefix, if it starts with it.",
       "trimprefix(\"helloworld\", \"hello\")", "\"world\""},
      {"trimspace", "str: string", "string", "The text without blanks and line breaks at its ends.",
       "trimspace(\"  hello\\n\")", "\"hello\""},
      {"trimsuffix", "str: string; suffix: string", "string", "The text without the suffix, if it ends with it.",
       "trimsuffix(\"helloworld\", \"world\")", "\"hello\""},
      {"upper", "str: string", "string", "The text in upper case, by Unicode's simple mapping.", "upper(\"hello\")",
       "\"HELLO\""},
  };
  return kRecords;
}

// Texts stand here as they are; the writer of Markdown escapes what has a meaning there.
absl::Span<const FunctionRecord> EncodingRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"base64decode", "str: string", "string",
       "The text that base64 with padding (RFC 4648) stands for, which must be UTF-8.", "base64decode(\"SGVsbG8=\")",
       "\"Hello\""},
      {"base64encode", "str: string", "string", "The text's UTF-8 in base64, with padding.", "base64encode(\"Hello\")",
       "\"SGVsbG8=\""},
      {"base64gunzip", "str: string", "string",
       "The text that base64gzip, or gzip and base64, have made these characters of. It must be UTF-8.",
       "base64gunzip(\"H4sIAAAAAAAA//NIzcnJBwCCidH3BQAAAA==\")", "\"Hello\""},
      {"base64gzip", "str: string", "string",
       "The text's UTF-8, compressed with gzip, in base64. The bytes depend on the zlib that the host has.",
       "base64gzip(\"Hello\")", "\"H4sIAAAAAAAA//NIzcnJBwCCidH3BQAAAA==\""},
      {"csvdecode", "str: string", "list of objects of strings",
       "The records of comma-separated values (RFC 4180), as objects whose attributes are named by the first one.",
       "csvdecode(\"a,b\\n1,2\\n3,4\")", "[{\"a\":\"1\",\"b\":\"2\"},{\"a\":\"3\",\"b\":\"4\"}]"},
      {"jsondecode", "str: string", "any", "The value that a JSON text stands for. A property must not be given twice.",
       "jsondecode(\"{\\\"a\\\": [1, null]}\")", "{\"a\":[1,null]}"},
      {"jsonencode", "val: any", "string",
       "The value as JSON, without blanks, properties in order; <, >, & and line separators are escaped.",
       "jsonencode({b = [1, null], a = \"x\"})", "\"{\\\"a\\\":\\\"x\\\",\\\"b\\\":[1,null]}\""},
      {"textdecodebase64", "source: string; encoding: string", "string",
       "The text whose bytes in an encoding stand in base64: US-ASCII, ISO-8859-1, UTF-8, UTF-16 (as a byte order mark "
       "says, big-endian without one), UTF-16BE, UTF-16LE or windows-1252, in letters of either case, or another name "
       "that IANA has for these.",
       "textdecodebase64(\"SABpAA==\", \"UTF-16LE\")", "\"Hi\""},
      {"textencodebase64", "string: string; encoding: string", "string",
       "The text's bytes in an encoding, in base64; the encodings are those of textdecodebase64, and UTF-16 is "
       "big-endian with a byte order mark. An error when the encoding lacks a character of the text.",
       "textencodebase64(\"Hi\", \"UTF-16LE\")", "\"SABpAA==\""},
      {"urldecode", "str: string", "string",
       "The text that stands in a URL's query: a plus sign is a blank, %XX a byte. It must be UTF-8.",
       "urldecode(\"a+b%26c%3D%C3%A9\")", "\"a b&c=é\""},
      {"urlencode", "str: string", "string",
       "The text as part of a URL's query: letters, digits, - _ . ~ as they are, a blank as +, other bytes as %XX.",
       "urlencode(\"a b&c=é\")", "\"a+b%26c%3D%C3%A9\""},
      {"yamldecode", "src: string", "any",
       "The value that one YAML document stands for, which must be there. Scalars without quotes can be null, a bool "
       "(also yes, no, on, "
       "off), a "
       "number, or a timestamp, which becomes text as in RFC 3339; << merges mappings. A key must not be given twice.",
       "yamldecode(\"a: [1, ~]\\nb: yes\")", "{\"a\":[1,null],\"b\":true}"},
      {"yamlencode", "value: any", "string",
       "The value as a YAML document: text in double quotes, or as a literal block when it has several lines; keys in "
       "order.",
       "yamlencode({a = [1, null], b = \"x\"})", "\"\\\"a\\\":\\n- 1\\n- null\\n\\\"b\\\": \\\"x\\\"\\n\""},
  };
  return kRecords;
}

}  // namespace hcl::internal
