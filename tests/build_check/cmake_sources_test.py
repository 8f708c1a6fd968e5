#!/usr/bin/env -S python3 -B
"""Runs cmake_sources.py on small trees that it must accept or reject, and on this source tree."""

import re
import unittest

import cmake_sources
import small_tree

BASE = """
cc_library(name = "base", srcs = ["a.cc", "own.h"], hdrs = ["a.h"], deps = ["@abseil-cpp//absl/strings:strings"])
cc_library(name = "fast", srcs = ["fast.cc"], copts = ["-fx", "-fy"], deps = [":base"])
cc_test(name = "a_test", srcs = ["a_test.cc"], copts = ["-fz"], deps = [":base"])
cc_library(name = "unused", srcs = ["unused.cc"])
"""
TOP = """
cc_library(name = "hclvm_core", deps = ["//base", "//base:fast"])
cc_library(name = "hclvm", srcs = ["all.cc"], hdrs = ["hclvm.h"], deps = [":hclvm_core", "//base", "@re2//:re2"])
"""
FILES = {
    "MODULE.bazel": 'module(\n    name = "x",\n    version = "1.2.3",\n)\n',
    "BUILD.bazel": TOP,
    "base/BUILD.bazel": BASE,
    "tests/public_headers/public_headers.bzl": "PUBLIC_HEADERS = ['base/a.h', 'hclvm.h']\n"
    "INTERNAL_HEADERS = []\nC_HEADERS = []\n",
    "cmd/hclvm/version.h": 'inline constexpr char kVersion[] = "1.2.3";\n',
}
LISTS = """
set(hclvm_core_SOURCES
  base/a.cc
  base/fast.cc
)

set(hclvm_core_HEADERS
  base/a.h
)

set(hclvm_core_ABSL
  absl::strings
)

set(hclvm_hclvm_SOURCES
  all.cc
)

set(hclvm_hclvm_HEADERS
  hclvm.h
)

set(hclvm_hclvm_PARTS
  core
)

# The compiler's options for these files.
set_source_files_properties(
  base/fast.cc
  PROPERTIES COMPILE_OPTIONS "-fx;-fy"
)
"""


class CmakeSourcesTest(small_tree.TreeTest):
    def reject(self, faults, **changes):
        files = {**FILES, cmake_sources.FILE: cmake_sources.HEAD + LISTS}
        files.update({re.sub("__", ".", name).replace("_in_", "/"): text for name, text in changes.items()})
        self.expect(cmake_sources.check, files, faults)

    def test_the_lists_are_right(self):
        self.reject([])

    def test_a_source_is_new(self):
        other = f"{cmake_sources.FILE}: is not what the BUILD files say; run tests/build_check/cmake_sources.py . --write"
        self.reject([other], base_in_BUILD__bazel=BASE.replace('"a.cc"', '"a.cc", "b.cc"'))
        self.reject([other], BUILD__bazel=TOP.replace('"all.cc"', '"else.cc"'))
        # What belongs to no part is not in the lists.
        self.reject([], base_in_BUILD__bazel=BASE.replace("unused.cc", "other.cc"))

    def test_a_part_needs_sources_of_a_program(self):
        faults = [
            f"{cmake_sources.FILE}: serve needs sources of hclvm_program; make a part of what both need",
            f"{cmake_sources.FILE}: is not what the BUILD files say; run tests/build_check/cmake_sources.py . --write",
        ]
        shared = 'cc_library(name = "%s", srcs = ["a.cc"], deps = ["//base:unused"])\n'
        programs = {"cmd/hclvm/BUILD.bazel": shared % "hclvm", "cmd/hclvm-serve/BUILD.bazel": shared % "serve_program"}
        self.reject(faults, **programs)

    def test_a_version_is_another(self):
        self.reject(
            ["cmd/hclvm/version.h: states the version ['1.2.4'], MODULE.bazel states 1.2.3"],
            cmd_in_hclvm_in_version__h='inline constexpr char kVersion[] = "1.2.4";\n',
        )
        self.reject(
            ["bindings/c/hclvm.h: states the version [], MODULE.bazel states 1.2.3"],
            bindings_in_c_in_hclvm__h="#define VERSION\n",
        )

    def test_this_tree(self):
        self.expect_this_tree_passes(cmake_sources.check)


if __name__ == "__main__":
    unittest.main()
