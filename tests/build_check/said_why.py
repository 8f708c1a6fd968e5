#!/usr/bin/env -S python3 -B
"""Checks that long functions of the compiler and of the machine's loop say why they are as they are: said_why.py ROOT.

Prints one line for each function of 20 lines or more in compiler/ and vm/interpreter* that has no comment right above
its definition, and exits with 1 if there is any. Functions within classes are left out: what they are for stands with
the class. A definition begins and ends in the first column, as clang-format puts it.

Tested by said_why_test.py.
"""

import fnmatch
import re

import cpp_sources

_PLACES = ("compiler/*.cc", "vm/interpreter*.cc", "vm/interpreter*.inc")
_LEAST = 20
_BEGIN = re.compile(r"(?!namespace\b|using\b|struct\b|class\b|enum\b|union\b|extern\b|template\b)[A-Za-z].*\(")
_NAME = re.compile(r"([\w~:]+)\(")


def functions(lines):
    """Yields (first line, last line, name) of each definition in `lines`, counted from 0."""
    lines = [*lines, ""]
    at = 0
    while at < len(lines):
        if not _BEGIN.match(lines[at]):
            at += 1
            continue
        head = at
        while not lines[head].endswith(("{", ";", "}")) and lines[head + 1].startswith(" "):
            head += 1
        end = head
        if lines[head].endswith("{"):
            while end + 1 < len(lines) and not lines[end].startswith("}"):
                end += 1
            if lines[end] == "}":
                yield at, end, _NAME.search(lines[at]).group(1)
        at = end + 1


def check(top):
    faults = []
    for path in sorted(cpp_sources.paths(top)):
        if not any(fnmatch.fnmatch(path, place) for place in _PLACES) or path.endswith("_test.cc"):
            continue
        lines = cpp_sources.read(top, path).split("\n")
        for begin, end, name in functions(lines):
            above = begin - 1
            while above > 0 and lines[above].startswith("template"):
                above -= 1
            if end - begin + 1 >= _LEAST and not (above >= 0 and lines[above].startswith("//")):
                faults.append(f"{path}: {name} has {end - begin + 1} lines and does not say why it is as it is")
    return faults


if __name__ == "__main__":
    cpp_sources.report(check)
