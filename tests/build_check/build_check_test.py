#!/usr/bin/env -S python3 -B
"""Runs build_check.py on small trees that it must accept or reject, and on this source tree."""

import unittest

import build_check
import small_tree


def library(name, srcs=(), hdrs=(), deps=(), kind="cc_library"):
    return f'{kind}(name = "{name}", srcs = {list(srcs)}, hdrs = {list(hdrs)}, deps = {list(deps)})\n'


def test(name, srcs, deps):
    return f'cc_test(name = "{name}", srcs = {list(srcs)}, deps = {list(deps)})\n'


A = {"a/BUILD.bazel": library("a", hdrs=["a.h"]), "a/a.h": "struct A {};\n"}
B = {"b/b.h": '#include "hclvm/a/a.h"\nstruct B {};\n'}


class BuildCheckTest(small_tree.TreeTest):
    def reject(self, files, *faults):
        self.expect(build_check.check, files, list(faults))

    def accept(self, files):
        self.reject(files)

    def test_direct_dependency(self):
        self.accept({**A, **B, "b/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//a"])})
        self.accept({**A, **B, "b/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//a:a"])})
        self.reject(
            {**A, **B, "b/BUILD.bazel": library("b", hdrs=["b.h"])},
            "//b:b: b/b.h includes hclvm/a/a.h: depend on //a:a",
        )

    def test_dependency_of_a_dependency(self):
        self.reject(
            {
                **A,
                **B,
                "b/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//a"]),
                "c/BUILD.bazel": library("c", srcs=["c.cc"], deps=["//b"]),
                "c/c.cc": '#include "hclvm/a/a.h"\n#include "hclvm/b/b.h"\nA a;\n',
            },
            "//c:c: c/c.cc includes hclvm/a/a.h: depend on //a:a",
        )

    def test_suites(self):
        def tree(*rules):
            return {"a/BUILD.bazel": "".join(rules), "a/a_test.cc": "int a;\n", "a/b_test.cc": "int b;\n"}

        def part(name, suite="unit_tests"):
            return f'unit_test(name = "{name}_test", srcs = ["{name}_test.cc"], deps = [], suite = "{suite}")\n'

        def lost(name, suite="unit_tests"):
            return f"//a:{name}_test: no unit_tests named {suite} comes after it"

        every, others = 'unit_tests(name = "unit_tests")\n', 'unit_tests(name = "others", size = "medium")\n'
        self.accept(tree(part("a"), part("b"), every))
        self.accept(tree(part("a"), part("b", "others"), every, others))
        self.reject(tree(part("a"), every, part("b")), lost("b"))
        self.reject(tree(part("a"), part("b", "others"), every), lost("b", "others"))
        self.reject({**tree(part("a"), part("b")), "b/BUILD.bazel": every}, lost("a"), lost("b"))

    def test_own_headers(self):
        includes = '#include "hclvm/a/a.h"\n#include "hclvm/a/b.h"\n'
        own = {"a/a.cc": includes + "A a;\n", "a/a.h": "struct A {};\n", "a/b.h": "int b;\n"}
        self.accept({**own, "a/BUILD.bazel": library("a", srcs=["a.cc", "b.h"], hdrs=["a.h"])})
        self.accept({**own, "a/BUILD.bazel": 'cc_library(name = "a", hdrs = glob(["*.h"]), srcs = glob(["*.cc"]))\n'})
        self.reject(
            {**own, "a/BUILD.bazel": library("a", srcs=["a.cc"], hdrs=["a.h"])},
            "a/a.cc: includes a/b.h, which is in no target",
            "a/b.h: belongs to no target",
        )

    def test_private_header(self):
        a = {"a/BUILD.bazel": library("a", srcs=["a.h"]), "a/a.h": "struct A {};\n"}
        self.reject(
            {**a, **B, "b/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//a"])},
            "b/b.h: includes a/a.h, which is private to //a:a",
        )
        beside = library("a", srcs=["a.h"]) + test("a_test", ["a_test.cc"], [":a"])
        self.accept({**a, "a/BUILD.bazel": beside, "a/a_test.cc": '#include "hclvm/a/a.h"\nA a;\n'})

    def test_unused_dependency(self):
        b = {"b/b.h": "struct B {};\n"}
        self.reject(
            {**A, **b, "b/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//a"])},
            "//b:b: none of its files includes anything of //a:a",
        )
        self.accept({**A, "b/BUILD.bazel": test("b", ["b.cc"], ["//a"]), "b/b.cc": "int b;\n"})

    def test_umbrella(self):
        umbrella = {"all/BUILD.bazel": library("all", deps=["//a"])}
        self.accept({**A, **umbrella, **B, "b/BUILD.bazel": test("b", ["b.h"], ["//all"])})
        self.reject(
            {**A, **umbrella, **B, "b/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//all"])},
            "//b:b: depends on //all:all, which only names others: name those",
        )
        bench = {"bench/BUILD.bazel": library("b", hdrs=["b.h"], deps=["//all"]), "bench/b.h": B["b/b.h"]}
        self.accept({**A, **umbrella, **bench})

    def test_header_of_includes(self):
        umbrella = {
            "BUILD.bazel": library("all", hdrs=["all.h"], deps=["//a"]),
            "all.h": '// All.\n#ifndef ALL_H_\n#define ALL_H_\n\n#include "hclvm/a/a.h"\n\n#endif  // ALL_H_\n',
        }
        both = '#include "hclvm/a/a.h"\n#include "hclvm/all.h"\nA a;\n'
        self.accept({**A, **umbrella, "b/BUILD.bazel": test("b", ["b.cc"], ["//:all"]), "b/b.cc": both})
        self.reject(
            {**A, **umbrella, "BUILD.bazel": library("all", hdrs=["all.h"])},
            "//:all: all.h includes hclvm/a/a.h: depend on //a:a",
        )

    def test_libraries_of_others(self):
        text = {"a/a.cc": '#include <vector>\n#include "absl/strings/str_cat.h"\n#include "gtest/gtest.h"\n'}
        strings = "@abseil-cpp//absl/strings"
        self.accept({**text, "a/BUILD.bazel": test("a", ["a.cc"], [strings, "@googletest//:gtest_main"])})
        self.accept({**text, "a/BUILD.bazel": library("a", ["a.cc"], deps=[strings, "@googletest//:gtest"])})
        self.reject(
            {**text, "a/BUILD.bazel": test("a", ["a.cc"], ["@abseil-cpp//absl/strings:str_format"])},
            "//a:a: a/a.cc includes absl/strings/str_cat.h: depend on @abseil-cpp//absl/strings:strings",
            "//a:a: a/a.cc includes gtest/gtest.h: depend on @googletest//:gtest",
        )

    def test_rules_of_other_kinds(self):
        build = 'package(default_visibility = [":x"])\n[sh_test(name = n, srcs = [n + ".sh"]) for n in ["b"]]\n'
        self.accept({"a/BUILD.bazel": build})
        self.accept({"a/BUILD.bazel": 'exports_files(["a.cc"])\n', "a/a.cc": "int a;\n"})
        group = {"a/BUILD.bazel": 'filegroup(name = "x", srcs = glob(["*.cc"], exclude = ["b.cc"]))\n'}
        self.accept({**group, "a/a.cc": ""})
        self.reject({**group, "a/b.cc": ""}, "a/b.cc: belongs to no target")
        self.reject({**group, "a/c.inc": ""}, "a/c.inc: belongs to no target")

    def test_generated_headers(self):
        protos = 'proto_files(name = "m", protos = ["m.proto"])\nproto_files(name = "s", protos = ["m.proto"], grpc = True)\n'
        b = {"b/b.cc": '#include "hclvm/a/m.pb.h"\n#include "hclvm/a/m.grpc.pb.h"\n', "a/BUILD.bazel": protos}
        self.accept({**b, "b/BUILD.bazel": library("b", srcs=["b.cc"], deps=["//a:m", "//a:s"])})
        self.reject(
            {**b, "b/BUILD.bazel": library("b", srcs=["b.cc"], deps=["//a:s"])},
            "//b:b: b/b.cc includes hclvm/a/m.pb.h: depend on //a:m",
        )

    def test_comments(self):
        self.accept({"a/BUILD.bazel": library("a", hdrs=["a.h"]), "a/a.h": '// #include "hclvm/b/b.h"\nstruct A {};\n'})

    def test_this_tree(self):
        self.expect_this_tree_passes(build_check.check)


if __name__ == "__main__":
    unittest.main()
