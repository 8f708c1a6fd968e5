#!/usr/bin/env -S python3 -B
"""Runs include_names.py on small trees that it must accept or reject, and on this source tree."""

import unittest

import include_names
import small_tree

A = "namespace hcl {\nclass A {\n  struct Inner {};\n};\nenum class E : int { kOne };\n}  // namespace hcl\n"
INCLUDE_A = '#include "hclvm/a/a.h"\n'


class IncludeNamesTest(small_tree.TreeTest):
    def reject(self, text, *names, path="b/b.cc", **files):
        """Wants that `text` as b/b.cc, beside a/a.h, lacks these includes: "NAME without HEADER"."""
        tree = {"a/a.h": A, path: text, **{name.replace("__", "/") + ".h": more for name, more in files.items()}}
        self.expect(include_names.check, tree, [f"{path}: uses {name}" for name in names])

    def accept(self, text, **files):
        self.reject(text, **files)

    def test_standard_library(self):
        self.accept("#include <string>\n\nstd::string s;\n")
        self.accept("#include <map>\n\nint n = std::size(std::map<int, int>());\n")
        self.accept("std::name_that_is_in_no_table n;\n")
        self.reject("#include <vector>\n\nstd::string s;\n", "std::string without string")
        self.reject("::std::move(x);\n", "std::move without utility")
        self.reject("uint8_t n;\n", "uint8_t without cstdint")
        self.reject("#define MOVE(x) std::move(x)\n", "std::move without utility")

    def test_abseil(self):
        self.accept('#include "absl/types/span.h"\n\nabsl::Span<int> s;\n')
        self.reject('#include "absl/strings/ascii.h"\n\nabsl::Span<int> s;\n', "absl::Span without absl/types/span.h")
        self.reject("if (ABSL_PREDICT_TRUE(x)) {\n", "ABSL_PREDICT_TRUE without absl/base/optimization.h")

    def test_hash_tables(self):
        table = '#include "absl/container/flat_hash_map.h"\n'
        tree = {"a/a.h": table, "a/a_test.cc": table, "base/hash_table.h": table, "bench/b.cc": table}
        fault = "a/a.h: includes absl/container/flat_hash_map.h; base/hash_table.h has what stays whole where memory is refused"
        self.expect(include_names.check, tree, [fault])

    def test_comments_and_literals(self):
        self.accept("// std::string\n/* std::string\n std::string */\n")
        self.accept('const char* s = "std::string" R"x(std::vector " )x";\n')
        self.accept("int n = 1'000; char c = '\"'; // std::map \"\n")

    def test_ours(self):
        self.accept(INCLUDE_A + "A a; hcl::E e;\n")
        self.reject("hcl::A a;\n", "A without hclvm/a/a.h")
        self.reject("hcl::internal::E e = E::kOne;\n", "E without hclvm/a/a.h")
        self.reject("int n = A::Count();\n", "A without hclvm/a/a.h")

    def test_other_things_of_that_name(self):
        self.accept("int n = x.A + x->A + Other::A + other::A();\n")
        self.accept("struct A {};\nA a;\n")
        self.accept("using A = int;\nA a;\n")
        self.accept("template <typename A>\nA F(A a);\n")
        self.accept("Result A(int n);\nint n = A(1);\n")
        self.accept("TEST(ATest, A) {}\nCASE(A) {}\n")
        self.accept("A a;\n", c__c="namespace hcl {\nclass A {};\n}\n")
        self.accept("A a;\n", c__c="namespace hcl {\nclass C {\n  class A {};\n};\n}\n")
        self.accept("Inner i;\n")

    def test_headers_for_c(self):
        self.accept("#include <stdint.h>\n\nuint8_t n;\n")
        self.reject("#include <stddef.h>\n\nuint8_t n;\n", "uint8_t without cstdint")
        opaque = "typedef struct handle handle;\n"
        self.accept("handle* h;\n" + opaque, c__h=opaque)
        self.reject("handle* h;\n", "handle without hclvm/c/h.h", c__h=opaque)

    def test_forward_declaration(self):
        self.accept("class A;\nA* a;\n")
        self.reject("class A;\n", path="b/b.h")

    def test_own_header(self):
        header = INCLUDE_A + "#include <string>\n\nclass B {\n  A a; std::string s;\n};\n"
        self.accept('#include "hclvm/b/b.h"\n\nA a; std::string s;\n', b__b=header)
        self.reject('#include "hclvm/c/c.h"\n\nA a;\n', "A without hclvm/a/a.h", c__c=header)
        self.accept('#include "hclvm/c/c.h"\n\nA B::F() { return {}; }\n', c__c=header)
        self.reject("A a;\n", "A without hclvm/a/a.h", b__b=header)

    def test_header_of_includes(self):
        self.accept('#include "hclvm/all.h"\n\nA a; std::string s;\n', all=INCLUDE_A + "#include <string>\n")

    def test_parts(self):
        tree = {"a/a.h": A, "b/b.inc": "A a;\n", "b/b.cc": '#include "hclvm/b/b.inc"\n'}
        self.expect(include_names.check, tree, ["b/b.cc: uses A without hclvm/a/a.h"])
        tree["b/b.cc"] = INCLUDE_A + tree["b/b.cc"]
        self.expect(include_names.check, tree, [])

    def test_this_tree(self):
        self.expect_this_tree_passes(include_names.check)


if __name__ == "__main__":
    unittest.main()
