#!/usr/bin/env -S python3 -B
"""Runs source_lists.py on small trees that it must accept or reject, and on this source tree."""

import unittest

import cpp_sources
import small_tree
import source_lists

COMMON = cpp_sources.read(small_tree.TOP, "tools/common.sh")
FILES = ("a/a.cc", "a/b/b.h", "a/t.def", "all.h", "bazel/c.inc", "out/gone.cc")


class SourceListsTest(small_tree.TreeTest):
    def reject(self, faults, bazelrc="^[a-z]+/", headers="(^|/)hclvm/", common=COMMON):
        files = {
            ".bazelrc": f"build -c opt\nbuild --per_file_copt={bazelrc}@-Wall,-Werror\n",
            ".clang-tidy": f"Checks: '*'\nHeaderFilterRegex: '{headers}'\n",
            "tools/common.sh": common,
        }
        self.expect(source_lists.check, {**files, **dict.fromkeys(FILES, "")}, faults)

    def test_all_are_there(self):
        self.reject([])
        self.reject([], bazelrc="^(a|bazel)/.*", headers="^(.*/)?(a|bazel|all.h)")

    def test_some_are_not(self):
        self.reject([".bazelrc: -Werror leaves out a/a.cc"], bazelrc="^(b|bazel)/")
        self.reject([".bazelrc: -Werror leaves out a/a.cc"], bazelrc="^[a-z]+/,-^a/")
        self.reject([".clang-tidy: HeaderFilterRegex leaves out all.h"], headers="hclvm/(a|bazel)/")
        self.reject(
            [f"tools/common.sh: hclvm_sources leaves out {path}" for path in ("all.h", "a/t.def", "bazel/c.inc")],
            common="hclvm_sources() { printf 'a/a.cc\\0a/b/b.h\\0'; }\n",
        )

    def test_this_tree(self):
        self.expect_this_tree_passes(source_lists.check)


if __name__ == "__main__":
    unittest.main()
