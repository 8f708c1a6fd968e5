#include "hclvm/vm/functions/trim_functions.h"

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

TEST(TrimFunctionsTest, TrimSpace) {
  CheckFunctionCases({
      {"trimspace", R"([" \t\n a b \u00a0\u3000"])", R"("string" "a b")"},
      {"trimspace", R"([" \u2003 "])", R"("string" "")"},
      {"trimspace", R"(["plain"])", R"("string" "plain")"},
      {"trimspace", "[null]", "error in argument 0: the argument must not be null"},
  });
}

TEST(TrimFunctionsTest, Trim) {
  CheckFunctionCases({
      {"trim", R"(["?!hello?!", "!?"])", R"("string" "hello")"},
      {"trim", R"(["hello", ""])", R"("string" "hello")"},
      {"trim", R"(["\u00e9h\u00e9", "\u00e9"])", R"("string" "h")"},
      {"trim", R"(["aaa", "a"])", R"("string" "")"},
      {"trim", R"(["\u00e9-h-\u00e9", "-"])", "\"string\" \"\u00e9-h-\u00e9\""},
      {"trim", R"(["-~@?h\u0000", "~?@-\u0000"])", R"("string" "h")"},
      {"trim", R"(["0abz9", "0123456789abcdefghijklmnopqrstuvwxyABCDEFGHIJKLMNOPQRSTUVWXYZ-_.,:;"])",
       R"("string" "z")"},
  });
}

TEST(TrimFunctionsTest, PrefixAndSuffix) {
  CheckFunctionCases({
      {"trimprefix", R"(["helloworld", "hello"])", R"("string" "world")"},
      {"trimprefix", R"(["hello", "world"])", R"("string" "hello")"},
      {"trimprefix", R"(["aa", "a"])", R"("string" "a")"},
      {"trimsuffix", R"(["helloworld", "world"])", R"("string" "hello")"},
      {"trimsuffix", R"(["x", "longer"])", R"("string" "x")"},
      {"trimsuffix", R"(["a long string, not inline", " inline"])", R"("string" "a long string, not")"},
  });
}

TEST(TrimFunctionsTest, Chomp) {
  CheckFunctionCases({
      {"chomp", R"(["line\r\n\n"])", R"("string" "line")"},
      {"chomp", R"(["\n"])", R"("string" "")"},
      {"chomp", R"(["a\nb"])", R"("string" "a\nb")"},
  });
}

}  // namespace
}  // namespace hcl
