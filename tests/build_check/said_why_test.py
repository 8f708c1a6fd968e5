#!/usr/bin/env -S python3 -B
"""Runs said_why.py on small trees that it must accept or reject, and on this source tree."""

import unittest

import said_why
import small_tree


def function(lines, head="void Make(int n) {"):
    return "\n".join([head] + ["  Add(n);"] * (lines - 2) + ["}", ""])


class SaidWhyTest(small_tree.TreeTest):
    def test_says_why(self):
        for text in (
            function(19),
            "// In a loop.\n" + function(20),
            "// In a loop.\ntemplate <typename T>\n" + function(20),
            "// In a loop.\n" + function(30, "void Make(int n,\n          int m) {"),
            "namespace hcl {\n\n" + function(3) + "\n" * 20 + function(3) + "\n}\n",
            "void Make(int n);\n" * 30,
            "struct A {\n" + "  int Make(int n) { return n; }\n" * 30 + "};\n",
        ):
            self.expect(said_why.check, {"compiler/a.cc": text}, [])

    def test_does_not(self):
        fault = "compiler/a.cc: Make has 20 lines and does not say why it is as it is"
        for text in (
            function(20),
            "// In a loop.\n\n" + function(20),
            "template <typename T>\n" + function(20),
            "// In a loop.\n" + function(20) + function(20),
            function(19, "void Make(int n,\n          int m) {"),
        ):
            self.expect(said_why.check, {"compiler/a.cc": text}, [fault])

    def test_where(self):
        fault = "has 20 lines and does not say why it is as it is"
        files = {path: function(20) for path in ("compiler/a_test.cc", "vm/a.cc", "vm/interpreter_a.inc")}
        self.expect(said_why.check, files, [f"vm/interpreter_a.inc: Make {fault}"])

    def test_this_tree(self):
        self.expect_this_tree_passes(said_why.check)


if __name__ == "__main__":
    unittest.main()
