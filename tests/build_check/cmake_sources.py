#!/usr/bin/env -S python3 -B
"""Holds the lists of the CMake build and the BUILD files together: cmake_sources.py ROOT [--write].

cmake/sources.cmake is made of the BUILD files: for each part of the library its sources, the public headers that come
with it, the parts and the targets of Abseil that it needs. Prints a line, and exits with 1, if the file is not what is
made; with --write, writes it. Also compares the places that state the version with MODULE.bazel.

Tested by cmake_sources_test.py.
"""

import os
import re
import sys

import build_files
import cpp_sources

# Part -> the Bazel targets that it consists of, without what belongs to parts above it. A host links the parts that it
# wants; those with a further library are apart, so that who does not link them does not need it.
PARTS = {
    "core": ("//:hclvm_core", "//vm:vm", "//vm/functions:documentation"),
    "number_boost": ("//vm/value:number_boost",),
    "gzip_functions": ("//vm/functions:gzip_functions",),
    "hash_functions": ("//vm/functions:hash_functions",),
    "regex_functions": ("//vm/functions:regex_functions",),
    "yaml_functions": ("//vm/functions:yaml_functions",),
    "hclvm": ("//:hclvm",),
    "c": ("//bindings/c:hclvm_c",),
    # Of programs: first what several of them share.
    "commands": ("//cmd/hcldec:decode", "//cmd/hclvm:standard_streams"),
    "workbench": ("//workbench:module_tests",),
    "lsp": ("//lsp:session",),
    "bundle": ("//serve:bundle_archive", "//serve:bundle_summary"),
    "hclvm_program": ("//cmd/hclvm:hclvm",),
    "hcldec_program": ("//cmd/hcldec:hcldec",),
    "serve": ("//cmd/hclvm-serve:serve_program",),
    "hclvm-serve_program": ("//cmd/hclvm-serve:hclvm-serve",),
    "hclvm-envoy_program": ("//cmd/hclvm-envoy:hclvm-envoy",),
}
FILE = "cmake/sources.cmake"
HEAD = """\
# Made of the BUILD files by `tests/build_check/cmake_sources.py . --write`; a test compares the two.
#
# For each part of the library, and for the programs: SOURCES; HEADERS, which are installed; PARTS and ABSL, what it needs of
# ours and of Abseil. The others' libraries are named in cmake/dependencies.cmake.
"""
# File -> where it states the version.
VERSIONS = {
    "bindings/c/hclvm.h": r'^#define HCLVM_VERSION "(.*)"$',
    "bindings/python/hclvm/__init__.py": r'^__version__ = "(.*)"$',
    "cmd/hclvm/version.h": r'kVersion\[\] = "(.*)";$',
}


class Part:
    def __init__(self):
        self.sources, self.headers, self.parts, self.absl = set(), set(), set(), set()


def read_parts(targets, installed):
    """Name -> Part. `installed` are the headers that users may include, and what these need."""
    part_of = {}  # label -> the part that it is in
    parts = {}
    for name, roots in PARTS.items():
        part = parts[name] = Part()
        waiting = [root for root in roots if root in targets]
        while waiting:
            label = waiting.pop()
            if label in part_of:
                if part_of[label] != name:
                    part.parts.add(part_of[label])
                continue
            part_of[label] = name
            _add_target(targets[label], part, installed, waiting)
    return parts


def _add_target(target, part, installed, waiting):
    # CMake makes what is generated.
    if target.kind != "proto_files":
        part.sources.update(file for file in target.files() if file.endswith(".cc"))
    part.headers.update(file for file in target.files() if file in installed)
    for dep in target.deps:
        if dep.startswith("//"):
            waiting.append(dep)
        elif dep.startswith("@abseil-cpp//"):
            part.absl.add("absl::" + dep.rsplit(":", 1)[1])


def made(top):
    """The text of cmake/sources.cmake as it should be."""
    targets, _ = build_files.read_packages(top)
    lists = {}
    exec(cpp_sources.read(top, "tests/public_headers/public_headers.bzl"), lists)  # pylint: disable=exec-used
    installed = lists["PUBLIC_HEADERS"] + lists["INTERNAL_HEADERS"] + lists["C_HEADERS"]
    text = HEAD
    for name, part in read_parts(targets, installed).items():
        for what in ("sources", "headers", "parts", "absl"):
            items = sorted(getattr(part, what))
            if items:
                text += f"\nset(hclvm_{name}_{what.upper()}\n" + "".join(f"  {item}\n" for item in items) + ")\n"
    for target in targets.values():
        if target.copts and not target.testonly and target.kind == "cc_library":
            options = ";".join(target.copts)
            text += "\n# The compiler's options for these files.\nset_source_files_properties(\n"
            text += "".join(f"  {file}\n" for file in sorted(target.sources) if file.endswith(".cc"))
            text += f'  PROPERTIES COMPILE_OPTIONS "{options}"\n)\n'
    return text


def used_programs(parts):
    """Programs whose own sources another part needs: a program is linked of its own and of what is shared."""
    return [
        f"{FILE}: {name} needs sources of {used}; make a part of what both need"
        for name, part in parts.items()
        for used in sorted(part.parts)
        if used.endswith("_program")
    ]


def check(top):
    faults = used_programs(read_parts(build_files.read_packages(top)[0], []))
    path = os.path.join(top, FILE)
    if not os.path.exists(path) or cpp_sources.read(top, FILE) != made(top):
        faults.append(f"{FILE}: is not what the BUILD files say; run tests/build_check/cmake_sources.py . --write")
    version = re.search(r'^    version = "(.*)",$', cpp_sources.read(top, "MODULE.bazel"), re.MULTILINE).group(1)
    for file, pattern in VERSIONS.items():
        if not os.path.exists(os.path.join(top, file)):
            continue
        found = re.findall(pattern, cpp_sources.read(top, file), re.MULTILINE)
        if found != [version]:
            faults.append(f"{file}: states the version {found}, MODULE.bazel states {version}")
    return faults


def main():
    if "--write" in sys.argv[2:]:
        text = made(sys.argv[1])
        with open(os.path.join(sys.argv[1], FILE), "w", encoding="utf-8") as file:
            file.write(text)
    faults = check(sys.argv[1])
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
