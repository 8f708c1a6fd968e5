// Random texts in the JSON syntax.

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {

// Whole strings where escapes matter, and templates written as JSON.
std::string Programs::JsonString() {
  if (random_.Chance(40)) {
    return random_.Pick({"\"\"",
                         "\"a\"",
                         "\"${s}\"",
                         "\"x-${i}\"",
                         "\"$${s}\"",
                         "\"${us}\"",
                         "\"%{ if yes }a%{ endif }\"",
                         "\"${\"",
                         "\"\\u00e9\"",
                         "\"\\u0301\"",
                         "\"\\ud83d\\ude00\"",
                         "\"\\ud800\"",
                         "\"\\\\n\"",
                         "\"a\\nb\"",
                         "\"\\/\"",
                         "\"${\\\"x\\\"}\"",
                         "\"true\"",
                         "\"1\"",
                         "\"${null}\"",
                         "\"${i} \"",
                         "\"${~ s ~} \"",
                         "\"%%{\"",
                         "\"${nosuch}\"",
                         "\"${[1, 2]}\""});
  }
  std::string text;
  AppendJsonString(random_.Chance(30) ? absl::StrCat("${", Expression(), "}") : Template(), &text);
  return text;
}

std::string Programs::JsonObject(int depth) {
  std::string text = "{";
  for (size_t n = 0, count = random_.Below(4); n < count; ++n) {
    const char* const blank = random_.Chance(10) ? random_.Pick({" ", "\n", "\t", "\r\n"}) : "";
    const std::string name = random_.Chance(80)
                                 ? random_.Pick({"\"a\"", "\"b\"", "\"c\"", "\"//\"", "\"a b\"", "\"\"", "\"${s}\"",
                                                 "\"é\"", "\"$${x}\"", "\"${i}\"", "\"${nulls}\""})
                                 : JsonString();
    absl::StrAppend(&text, n > 0 ? "," : "", blank, name, blank, ":", blank, JsonValue(depth));
  }
  return text + "}";
}

// Some of the numbers and keywords are none in JSON.
std::string Programs::JsonValue(int depth) {
  switch (random_.Below(depth > 0 ? 8 : 5)) {
    case 0:
    case 1:
      return random_.Pick({"0",    "1",    "-1",   "1.5",   "1e3",   "-0", "12345678901234567890",
                           "1E-2", "0.10", "true", "false", "null",  "01", "1.",
                           ".5",   "+1",   "nan",  "True",  "1e400", "-"});
    case 2:
    case 3:
    case 4:
      return JsonString();
    case 5:
      return JsonObject(depth - 1);
    default: {
      std::string text = "[";
      for (size_t n = 0, count = random_.Below(4); n < count; ++n)
        absl::StrAppend(&text, n > 0 ? ", " : "", JsonValue(depth - 1));
      return text + (random_.Chance(3) ? ",]" : "]");
    }
  }
}

std::string Programs::JsonBody() {
  std::string text = JsonObject(2);
  if (random_.Chance(5)) text = absl::StrCat("[", text, random_.Chance(50) ? "" : ", {\"z\": 1}", "]");
  if (random_.Chance(2)) text = JsonValue(1);
  return random_.Chance(15) ? Damaged(text) : text;
}

}  // namespace hcl::differential
