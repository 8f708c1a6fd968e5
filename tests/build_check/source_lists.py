#!/usr/bin/env -S python3 -B
"""Checks that nothing passes over a C++ source: source_lists.py ROOT.

Prints one line for each source below ROOT that one of these does not know, and exits with 1 if there is any:

- .bazelrc: the files for which warnings are errors.
- .clang-tidy: the headers in which mistakes are reported, as clang-tidy finds them through out/include/hclvm.
- tools/common.sh: hclvm_sources, by which tools/lint and the test of the layout find files.

Tested by source_lists_test.py.
"""

import os
import re
import subprocess

import cpp_sources


def check(top):
    paths = cpp_sources.paths(top)
    faults = []

    def compare(file, what, wanted, covered):
        missing = [path for path in wanted if not covered(path)]
        faults.extend(f"{file}: {what} leaves out {path}" for path in missing)

    sources = [path for path in paths if path.endswith(".cc")]
    included = [path for path in paths if not path.endswith(".cc")]
    compare(".bazelrc", "-Werror", sources, _bazel_filter(cpp_sources.read(top, ".bazelrc")))
    compare(".clang-tidy", "HeaderFilterRegex", included, _header_filter(cpp_sources.read(top, ".clang-tidy")))
    compare("tools/common.sh", "hclvm_sources", paths, _listed(top).__contains__)
    return faults


def _bazel_filter(bazelrc):
    """What the line with -Werror applies to: regular expressions, those after "-" excepted."""
    patterns = re.search(r"^build --per_file_copt=(\S*)@\S*-Werror", bazelrc, re.MULTILINE).group(1).split(",")
    without = [pattern[1:] for pattern in patterns if pattern.startswith("-")]
    among = [pattern.lstrip("+") for pattern in patterns if not pattern.startswith("-")]

    def covered(path):
        return any(re.search(pattern, path) for pattern in among) and not any(re.search(p, path) for p in without)

    return covered


def _header_filter(clang_tidy):
    pattern = re.search(r"^HeaderFilterRegex: '(.*)'$", clang_tidy, re.MULTILINE).group(1)
    return lambda path: re.search(pattern, "out/include/hclvm/" + path)


def _listed(top):
    command = ["bash", "-c", '. "$0" && hclvm_sources', os.path.join(os.path.abspath(top), "tools", "common.sh")]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0"))


if __name__ == "__main__":
    cpp_sources.report(check)
