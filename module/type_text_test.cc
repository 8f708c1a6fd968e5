// Types as declarations write them: what is read from a declaration is written as that.

#include "hclvm/vm/type_text.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// The text of the type that a variable has which is declared with `type`.
std::string Written(const std::string& type, const TypeTextOptions& options) {
  std::string errors;
  const auto program =
      CompileFiles(OneFile(absl::StrCat("variable \"v\" {\n  type = ", type, "\n}\nx = v\n")), &errors);
  if (program == nullptr) return errors;
  const ModuleVariable& variable = static_cast<const ProgramTables&>(*program).module()->variables[0];
  return TypeText(variable.type, variable.defaults.get(), options);
}

TEST(TypeTextTest, WritesWhatIsRead) {
  for (const char* type : {
           "any",
           "bool",
           "list(string)",
           "set(list(number))",
           "map(any)",
           "object({})",
           "tuple([])",
           "tuple([string, object({ a = optional(number) })])",
           "object({ a = string, b = optional(number), c = optional(string, \"none\") })",
           "list(object({ a = optional(map(string), {}) }))",
           "object({ a = optional(object({ b = optional(number, 3) }), {\"b\":3}) })",
           "object({ \"a b\" = string, \"say \\\"hi\\\"\" = bool })",
           "object({ a = optional(string, \"$${x} %%{y}\") })",
       }) {
    TypeTextOptions options;
    EXPECT_EQ(Written(type, options), type);
    // However it is broken into lines.
    for (const size_t width : {0u, 5u, 20u, 40u}) {
      options.width = width;
      const std::string broken = Written(type, options);
      EXPECT_EQ(Written(broken, TypeTextOptions()), type) << broken;
    }
  }
}

TEST(TypeTextTest, BreaksLongTypes) {
  TypeTextOptions options;
  options.width = 40;
  options.indent = 2;
  EXPECT_EQ(Written("list(object({ name = string, at = object({ x = number, y = number, zone = string }),"
                    " role = optional(string, \"guest\") }))",
                    options),
            "list(object({\n"
            "    at   = object({\n"
            "      x    = number\n"
            "      y    = number\n"
            "      zone = string\n"
            "    })\n"
            "    name = string\n"
            "    role = optional(string, \"guest\")\n"
            "  }))");
}

TEST(TypeTextTest, HidesValues) {
  TypeTextOptions options;
  options.hides_values = true;
  EXPECT_EQ(Written("object({ a = optional(string, \"s3cret\"), b = optional(string) })", options),
            "object({ a = optional(string, ...), b = optional(string) })");
}

}  // namespace
}  // namespace hcl::internal
