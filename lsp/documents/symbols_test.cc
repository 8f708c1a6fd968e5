#include "hclvm/lsp/documents/symbols.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/documents/text_file.h"

namespace hcl::lsp {
namespace {

// Each symbol as its kind, a "!" for a declaration, the number of a scope, and the text of its range.
std::string SymbolsOf(const std::string& text, const char* name = "m.hcl") {
  const TextFile file(name, name, text);
  std::string out;
  for (const Symbol& symbol : file.symbols().all()) {
    constexpr const char* kKinds[] = {"var", "local", "test", "function", "loop", "parameter"};
    absl::StrAppend(&out, out.empty() ? "" : " ", kKinds[static_cast<int>(symbol.kind)],
                    symbol.is_declaration ? "!" : "", symbol.is_in_file() ? absl::StrCat(symbol.scope) : "", ":",
                    std::string(file.source()->Slice(symbol.range)));
  }
  return out;
}

TEST(SymbolsTest, FindsNames) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {"variable \"user\" {\n  type = object({ name = string })\n}\n", "var!:user"},
      {"variable n {\n  validation {\n    condition = n > 0\n  }\n}\n", "var!:n var:n"},
      {"locals {\n  a = b.c[d]\n}\n", "local!:a var:b var:d"},
      {"x = local.a + var.b + local\n", "local:a var:b var:local"},
      {"x = local[\"a\"]\n", "var:local"},
      {"x = [for k, v in m : k + v + w if v]\n", "loop!0:k loop!1:v var:m loop0:k loop1:v var:w loop1:v"},
      {"x = [for v in v : [for v in v : v]]\n", "loop!0:v var:v loop!1:v loop0:v loop1:v"},
      {"x = { for k, k2 in m : k => k2 }\n", "loop!0:k loop!1:k2 var:m loop0:k loop1:k2"},
      {"x = \"%{ for a in b }${a}%{ endfor }\"\n", "loop!0:a var:b loop0:a"},
      {"x = [for local in l : local.a]\n", "loop!0:local var:l loop0:local"},
      {"x = f(a, g())\n", "function:f var:a function:g"},
      {"x = { a = b, (c) = d }\n", "var:b var:c var:d"},
      {"function \"f\" {\n  params = [a]\n  variadic_param = more\n  result = a + more[0] + c\n}\n",
       "function!:f parameter!0:a parameter!1:more parameter0:a parameter1:more var:c"},
      {"variables {\n  user = 1\n}\n", "var:user"},
      {"test \"t\" {\n  with = { user = { name = n }, \"file\" = 1 }\n  expect = { allow = true }\n}\n",
       "var:user var:n var:file"},
      {"test \"t\" {\n  cases = { a = { with = { user = 1 } } }\n}\n", "var:user"},
      {"p \"q\" {\n  r {\n    a = b\n  }\n}\n", "var:b"},
      {"x = a +\n", ""},
      {"x = a.b.*.c[*].d + -e + (f) + !g\n", "var:a var:e var:f var:g"},
  };
  for (const Case& c : cases) EXPECT_EQ(SymbolsOf(c.text), c.expected) << c.text;
}

TEST(SymbolsTest, TestsHaveLocalsOfTheirOwn) {
  EXPECT_EQ(SymbolsOf("locals {\n  a = 1\n}\ntest \"t\" {\n  with   = { b = local.a }\n  expect = { x = local.a }\n"
                      "  assert {\n    condition = local.a == 1\n  }\n}\n",
                      "m.test.hcl"),
            "test!0:a var:b test0:a test0:a local:a");
}

TEST(SymbolsTest, FindsTheNameAtAByte) {
  const std::string text = "x = user.name\n";
  const TextFile file("m.hcl", "m.hcl", text);
  for (uint32_t at = 0; at < text.size(); ++at) {
    const Symbol* const found = file.symbols().At(at);
    EXPECT_EQ(found != nullptr, at >= 4 && at <= 8) << at;
  }
}

TEST(SymbolsTest, KnowsTheNamesInScope) {
  const std::string text = "x = [for k, v in m : [for w in v : w]]\n";
  const TextFile file("m.hcl", "m.hcl", text);
  const auto names = [&](size_t at) {
    return absl::StrJoin(file.symbols().NamesInScopeAt(static_cast<uint32_t>(at)), " ",
                         [](std::string* out, std::string_view name) { out->append(name); });
  };
  EXPECT_EQ(names(2), "");
  EXPECT_EQ(names(text.find("[for w") + 1), "w v k");
  EXPECT_EQ(names(text.find(": [")), "v k");
}

}  // namespace
}  // namespace hcl::lsp
