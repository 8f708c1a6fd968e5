// Documentation of functions: numeric, date, hash, network, type. Tested by tests/functions_test.cc.

#include "absl/types/span.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/documentation_tables.h"

namespace hcl::internal {

absl::Span<const FunctionRecord> NumericRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"abs", "num: number", "number", "The number without its sign.", "abs(-12.4)", "12.4"},
      {"ceil", "num: number", "number", "The smallest whole number that is not below the number.", "ceil(5.1)", "6"},
      {"floor", "num: number", "number", "The largest whole number that is not above the number.", "floor(4.9)", "4"},
      {"int", "num: number", "number", "The number without its fraction.", "int(-4.9)", "-4"},
      {"log", "num: number; base: number", "number", "The logarithm of the number, computed as a double.", "log(16, 2)",
       "4"},
      {"max", "numbers...: number", "number", "The largest of the numbers.", "max(12, 54, 3)", "54"},
      {"min", "numbers...: number", "number", "The smallest of the numbers.", "min(12, 54, 3)", "3"},
      {"parseint", "number: string; base: number", "number",
       "The whole number that the text stands for in a base from 2 to 62.", "parseint(\"FF\", 16)", "255"},
      {"pow", "num: number; power: number", "number",
       "The number to that power: exact where the power is whole and the result has at most 160 digits, else computed "
       "as a double.",
       "pow(3, 2)", "9"},
      {"signum", "num: number", "number",
       "-1, 0 or 1: the sign of a whole number of 64 bits. Another number is an error.", "signum(-13)", "-1"},
      {"sum", "list: list, set or tuple", "number", "The sum of at least one number.", "sum([10, 13, 6.5])", "29.5"},
  };
  return kRecords;
}

absl::Span<const FunctionRecord> DateRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"formatdate", "format: string; time: string", "string",
       "A timestamp in another form, made of verbs: YYYY YY year; M MM MMM MMMM month; D DD day; EEE EEEE day of the "
       "week; h hh hour; H HH hour of 12; AA aa AM or pm; m mm minute; s ss second; Z ZZZ ZZZZ ZZZZZ offset. Text in "
       "single quotes, and all that is no letter, stays.",
       "formatdate(\"DD MMM YYYY hh:mm ZZZ\", \"2018-01-02T23:12:01Z\")", "\"02 Jan 2018 23:12 UTC\""},
      {"timeadd", "timestamp: string; duration: string", "string",
       "The timestamp (RFC 3339) later by a duration: numbers with the units h, m, s, ms, us, ns, with a minus for "
       "earlier. Fractions of a second are dropped.",
       "timeadd(\"2017-11-22T00:00:00Z\", \"1h30m\")", "\"2017-11-22T01:30:00Z\""},
      {"timecmp", "timestamp_a: string; timestamp_b: string", "number",
       "-1, 0 or 1: the first timestamp is earlier than, the same as, or later than the second.",
       "timecmp(\"2017-11-22T00:00:00Z\", \"2017-11-22T00:30:00-01:00\")", "-1"},
  };
  return kRecords;
}

// All of them hash the bytes of the text's UTF-8 form in NFC, since that is what a string is here.
absl::Span<const FunctionRecord> HashRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"base64sha256", "str: string", "string", "The SHA-256 digest of the text's UTF-8, its bytes in base64.",
       "base64sha256(\"hello world\")", "\"uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=\""},
      {"base64sha512", "str: string", "string", "The SHA-512 digest of the text's UTF-8, its bytes in base64.",
       "base64sha512(\"hello world\")",
       "\"MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw==\""},
      {"crc32", "str: string", "number",
       "The CRC-32 checksum (IEEE) of the text's UTF-8: a number that spreads, say, users over groups. Not for "
       "security.",
       "crc32(\"hello world\") % 100", "57"},
      {"md5", "str: string", "string", "The MD5 digest of the text's UTF-8, in hexadecimal. Not for security.",
       "md5(\"hello world\")", "\"5eb63bbbe01eeed093cb22bb8f5acdc3\""},
      {"sha1", "str: string", "string", "The SHA-1 digest of the text's UTF-8, in hexadecimal. Not for security.",
       "sha1(\"hello world\")", "\"2aae6c35c94fcfb415dbe95f408b9ce91ee846ed\""},
      {"sha256", "str: string", "string", "The SHA-256 digest of the text's UTF-8, in hexadecimal.",
       "sha256(\"hello world\")", "\"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\""},
      {"sha512", "str: string", "string", "The SHA-512 digest of the text's UTF-8, in hexadecimal.",
       "sha512(\"hello world\")",
       "\"309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b45b0cfd830e81f605dc"
       "f7dc5542e93ae9cd76f\""},
      {"uuidv5", "namespace: string; name: string", "string",
       "The UUID of version 5 for a name in a namespace: dns, url, oid, x500, or a UUID.",
       "uuidv5(\"dns\", \"www.example.com\")", "\"2ed6657d-e927-568b-95e1-2665a8aea6a2\""},
  };
  return kRecords;
}

// Parameters are named as the functions declare them; vm/functions/standard_test.cc compares the two.
absl::Span<const FunctionRecord> NetworkRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"cidrcontains", "containing_prefix: string; contained_ip_or_prefix: string", "bool",
       "Whether an address or network lies in a network of the same family. An IPv4 address written as IPv6 counts as "
       "IPv4.",
       "cidrcontains(\"10.0.0.0/8\", \"10.12.1.5\")", "true"},
      {"cidrhost", "prefix: string; hostnum: number", "string",
       "The address of a host in a network; a negative number counts from the end.", "cidrhost(\"10.12.112.0/20\", 16)",
       "\"10.12.112.16\""},
      {"cidrnetmask", "prefix: string", "string", "The netmask of an IPv4 network.", "cidrnetmask(\"172.16.0.0/12\")",
       "\"255.240.0.0\""},
      {"cidrsubnet", "prefix: string; newbits: number; netnum: number", "string",
       "The subnet with that number among those whose prefix is longer by so many bits.",
       "cidrsubnet(\"172.16.0.0/12\", 4, 2)", "\"172.18.0.0/16\""},
      {"cidrsubnets", "prefix: string; newbits...: number", "list(string)",
       "Subnets one after the other, each with a prefix longer by so many bits.",
       "cidrsubnets(\"10.1.0.0/16\", 4, 4, 8)", "[\"10.1.0.0/20\",\"10.1.16.0/20\",\"10.1.32.0/24\"]"},
  };
  return kRecords;
}

// `try`, `can` and `convert` are here although the compiler treats them apart (Function::Special): for users they are
// functions.
absl::Span<const FunctionRecord> TypeRecords() {
  static constexpr FunctionRecord kRecords[] = {
      {"assumeequal", "actual_value: any; expected_value: any", "the type of the second",
       "The second value. An error when the first one, converted to its type, is known to be another.",
       "assumeequal([1], tolist([1]))", "[1]"},
      {"assumelistlength", "value: list(any); min_length: number; max_length: number", "list(any)",
       "The list. An error when it is known to have fewer elements than the minimum or more than the maximum; of an "
       "unknown one, that it has not.",
       "assumelistlength([\"a\"], 0, 3)", "[\"a\"]"},
      {"assumelistlengthmax", "value: list(any); max_length: number", "list(any)",
       "The list. An error when it is known to have more elements than the maximum; of an unknown one, that it has "
       "not.",
       "assumelistlengthmax([\"a\"], 3)", "[\"a\"]"},
      {"assumelistlengthmin", "value: list(any); min_length: number", "list(any)",
       "The list. An error when it is known to have fewer elements than the minimum; of an unknown one, that it has "
       "not.",
       "assumelistlengthmin([\"a\"], 1)", "[\"a\"]"},
      {"assumemaplength", "value: map(any); min_length: number; max_length: number", "map(any)",
       "The map. An error when it is known to have fewer elements than the minimum or more than the maximum; of an "
       "unknown one, that it has not.",
       "assumemaplength({a = 1}, 0, 3)", "{\"a\":1}"},
      {"assumemaplengthmax", "value: map(any); max_length: number", "map(any)",
       "The map. An error when it is known to have more elements than the maximum; of an unknown one, that it has not.",
       "assumemaplengthmax({a = 1}, 3)", "{\"a\":1}"},
      {"assumemaplengthmin", "value: map(any); min_length: number", "map(any)",
       "The map. An error when it is known to have fewer elements than the minimum; of an unknown one, that it has "
       "not.",
       "assumemaplengthmin({a = 1}, 1)", "{\"a\":1}"},
      {"assumenotnull", "value: any", "any",
       "The value. An error when it is known to be null; an unknown one is known not to be null then.",
       "assumenotnull(\"a\")", "\"a\""},
      {"assumesetlength", "value: set(any); min_length: number; max_length: number", "set(any)",
       "The set. An error when it is known to have fewer elements than the minimum or more than the maximum; of an "
       "unknown one, that it has not.",
       "assumesetlength([\"a\"], 0, 3)", "[\"a\"]"},
      {"assumesetlengthmax", "value: set(any); max_length: number", "set(any)",
       "The set. An error when it is known to have more elements than the maximum; of an unknown one, that it has not.",
       "assumesetlengthmax([\"a\"], 3)", "[\"a\"]"},
      {"assumesetlengthmin", "value: set(any); min_length: number", "set(any)",
       "The set. An error when it is known to have fewer elements than the minimum; of an unknown one, that it has "
       "not.",
       "assumesetlengthmin([\"a\"], 1)", "[\"a\"]"},
      {"assumestringprefix", "value: string; prefix: string", "string",
       "The text. An error when it is known not to start with the prefix; an unknown one is known to do so then.",
       "assumestringprefix(\"subnet-1\", \"subnet-\")", "\"subnet-1\""},
      {"can", "expression: any", "bool", "Whether the expression can be evaluated without an error.", "can([\"a\"][1])",
       "false"},
      {"convert", "value: any; type: type", "the type",
       "The value converted to a type, which is written as in a declaration: string, list(number), object({a = bool}), "
       "any.",
       "convert([\"1\", \"2\"], list(number))", "[1,2]"},
      {"ephemeralasnull", "value: any", "any",
       "The value, in which parts with the mark \"ephemeral\" are null. A host sets the mark, and it goes to all that "
       "is "
       "made of them.",
       "ephemeralasnull(\"a\")", "\"a\""},
      {"issensitive", "value: any", "bool", "Whether the value is marked as sensitive.",
       "issensitive(sensitive(\"x\"))", "true"},
      {"nonsensitive", "value: any", "any", "The value without the mark \"sensitive\".",
       "nonsensitive(sensitive(\"x\"))", "\"x\""},
      {"sensitive", "value: any", "any",
       "The value with the mark \"sensitive\", which goes to all that is made of it and keeps it out of messages.",
       "sensitive(\"x\")", "\"x\""},
      {"tobool", "v: any", "bool", "The value as a bool: a bool, or the text true or false.", "tobool(\"true\")",
       "true"},
      {"tolist", "v: any", "list(any)", "The value as a list of elements of one type.", "tolist([\"a\", 1])",
       "[\"a\",\"1\"]"},
      {"tomap", "v: any", "map(any)", "The value as a map of elements of one type.", "tomap({a = \"x\", b = 1})",
       "{\"a\":\"x\",\"b\":\"1\"}"},
      {"tonumber", "v: any", "number", "The value as a number: a number, or text that is one.", "tonumber(\"12.5\")",
       "12.5"},
      {"toset", "v: any", "set(any)", "The value as a set of elements of one type.", "toset([\"b\", \"a\", \"b\"])",
       "[\"a\",\"b\"]"},
      {"tostring", "v: any", "string", "The value as text: text, a number or a bool.", "tostring(12.50)", "\"12.5\""},
      {"try", "expressions...: any", "any", "The value of the first expression that can be evaluated without an error.",
       "try({}.a, \"none\")", "\"none\""},
      {"type", "value: any", "string", "The value's type, as convert takes it.", "type([1, {a = true}])",
       "\"tuple([number, object({a = bool})])\""},
  };
  return kRecords;
}

}  // namespace hcl::internal
