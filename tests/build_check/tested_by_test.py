#!/usr/bin/env -S python3 -B
"""Runs tested_by.py on small trees that it must accept or reject, and on this source tree."""

import unittest

import small_tree
import tested_by

# In two parts, so that the check does not read the examples.
BY = "Tested" + " by"


class TestedByTest(small_tree.TreeTest):
    def reject(self, text, *names):
        files = {"a/a.h": text, "a/a_test.cc": "", "b/cases/one.txt": ""}
        faults = [f"a/a.h: tested by {name}, which does not exist" for name in names]
        self.expect(tested_by.check, files, faults)

    def accept(self, text):
        self.reject(text)

    def test_files_that_exist(self):
        self.accept("// An A.\n")
        self.accept(f"// An A. {BY} a/a_test.cc.\n\nint b_test.cc;\n")
        self.accept(f"// {BY} a_test.cc.\n")
        self.accept(f"// {BY} a/*_test.cc.\n")
        self.accept(f"// An A. {BY}\n// a/a_test.cc, and over whole files by b/cases. See c/c.h.\n")
        self.accept(f"// {BY} its users.\n")

    def test_files_that_do_not(self):
        self.reject(f"// {BY} a/b_test.cc.\n", "a/b_test.cc")
        self.reject(f"// {BY} b_test.cc.\n", "b_test.cc")
        self.reject(f"// {BY} b/*_test.cc.\n", "b/*_test.cc")
        self.reject(f"// {BY}\n// a/a_test.cc, b/b_test.cc and\n// b/case.\n", "b/b_test.cc", "b/case")
        self.reject(f"// {BY} a/a_test.cc.\n\n// {BY} b/b_test.sh\nint b;\n", "b/b_test.sh")

    def test_this_tree(self):
        self.expect_this_tree_passes(tested_by.check)


if __name__ == "__main__":
    unittest.main()
