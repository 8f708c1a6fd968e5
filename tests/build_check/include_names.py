#!/usr/bin/env -S python3 -B
"""Checks that files include what they use: include_names.py ROOT.

Prints one line per fault in the tree below ROOT, and exits with 1 if there is any: a file uses a name of the standard
library, of Abseil or of ours, and includes no header that declares it. So each file keeps compiling when a header that
it does not name drops an include.

- A .cc gets what the headers include that declare what it defines: that of the same name, and those of the classes
  whose members are in it. Code in an .inc counts as part of the file that includes it; a .def has no types.
- A header that holds nothing but includes stands for what they name.
- Of ours, classes, structs and enums are looked at that one header alone declares, outside of any class. A forward
  declaration does instead of the header.
- Of others, what names.txt has.

Besides, no source of the library includes a hash table of Abseil's: base/hash_table.h has those that stay whole where
memory is refused.

Tested by include_names_test.py.
"""

import os
import re

import cpp_sources

_QUALIFIED = re.compile(r"(?<![\w:])(?:::)?((?:std|absl)::\w+)")
# Not a member, nor a part of another scope than our own.
_WORD = re.compile(r"(?<![\w.:])(?<!->)(?:(?:::)?hcl::(?:internal::)?)?([A-Za-z_]\w*)")
_DECLARED = re.compile(
    r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
    r"(?:(?:alignas\s*\([^)]*\)|\[\[[^]]*\]\]|[A-Z][A-Z_]+)\s+)*"
    r"(?P<name>[A-Za-z_]\w*)\s*(?:final\b)?\s*(?::(?!:)[^;{}()]*)?(?P<end>[;{])"
)
# What a header for C declares and does not define.
_OPAQUE = re.compile(r"\btypedef\s+struct\s+(\w+)\s+\w+\s*;")
# A macro that gets names only, as TEST does, makes other names of them.
_MACRO_WITH_NAMES = re.compile(r"\b([A-Z][A-Z0-9_]+)\s*\(\s*\w+\s*(?:,\s*\w+\s*)?\)")
_ALIAS = re.compile(r"\b(?:using\s+([A-Za-z_]\w*)\s*=|(?:typename|class)\s*(?:\.\.\.)?\s*([A-Za-z_]\w*)\s*[,>=])")
# A function of that name: what stands before it can be a type.
_FUNCTION = re.compile(
    r"(?<!\breturn)(?<!\belse)(?<!\bnew)(?<!\bcase)(?<!\bthrow)"
    r"[\w>&*]\s+[&*]*(?:\w+::)*([A-Z]\w*)\s*\("
)
_MEMBER = re.compile(r"(?<![\w.>])(?:hcl::(?:internal::)?)?([A-Z]\w*)::(?:~?\w+|operator\W+)\s*\(")
_BRACE = re.compile(r"[{}]|\bnamespace\b[^{};()]*\{|\bextern\s*\"\"\s*\{")


def read_names():
    """Reads names.txt: "std::move" -> headers, the usual one first."""
    names = {}
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "names.txt"), encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE)
    for space, header, listed in re.findall(r"^(\S+) (\S+): (.*(?:\n +.*)*)", text, re.MULTILINE):
        for name in listed.split():
            names.setdefault(name if space == "-" else f"{space}::{name}", []).append(header)
    return names


NAMES = read_names()


class File:
    """What is in one file: its includes, the types that it defines or declares, and its code."""

    def __init__(self, text):
        self.includes = set(cpp_sources.includes(text))
        self.only_includes = cpp_sources.only_includes(text)
        self.code = _MACRO_WITH_NAMES.sub(r"\1 ", cpp_sources.code(text))
        self.defined = set()  # at namespace scope
        self.local = set()  # within classes or functions; aliases and parameters of templates, wherever they are
        self.forward = set()
        self.opaque = set()
        self.functions = set(_FUNCTION.findall(cpp_sources.without_directives(self.code)))
        self._find_types(cpp_sources.without_directives(self.code))

    def _find_types(self, seen):
        braces = iter(_BRACE.finditer(seen))
        brace = next(braces, None)
        nesting = []
        for match in _DECLARED.finditer(seen):
            # The declaration's own brace belongs to what follows.
            while brace is not None and brace.start() < match.start():
                if brace.group() == "}":
                    nesting[-1:] = []
                else:
                    nesting.append(brace.group() != "{")
                brace = next(braces, None)
            name = match.group("name")
            if match.group("end") == ";":
                self.forward.add(name)
            elif all(nesting):
                self.defined.add(name)
            else:
                self.local.add(name)
        self.opaque = set(_OPAQUE.findall(seen))
        self.defined -= self.opaque
        self.forward |= self.opaque
        for match in _ALIAS.finditer(seen):
            self.local.add(match.group(1) or match.group(2))


class Checker:
    """Checks the tree below `top`, once."""

    def __init__(self, top):
        self.files = {path: File(cpp_sources.read(top, path)) for path in cpp_sources.paths(top)}
        declared = {}
        local = set()
        for path, file in self.files.items():
            if path.endswith(".h"):
                local |= file.local
                for name in file.defined | file.opaque:
                    declared.setdefault(name, set()).add(path)
        # Name -> the one header that defines it.
        self.ours = {
            name: min(headers) for name, headers in declared.items() if len(headers) == 1 and name not in local
        }

    def run(self):
        """Returns (file, name, header) for each name that is used without any of its headers."""
        faults = []
        for path, file in self.files.items():
            if path.endswith(".cc") or (path.endswith(".h") and not file.only_includes):
                faults += self.check_file(path, file)
        return sorted(set(faults))

    def own_headers(self, path, file, code):
        """The headers that declare what a .cc defines."""
        if not path.endswith(".cc"):
            return []
        headers = {path[: -len(".cc")] + ".h"} | {self.ours.get(name, "") for name in _MEMBER.findall(code)}
        return [header for header in headers if "hclvm/" + header in file.includes and header in self.files]

    def with_umbrellas(self, includes):
        # A header for C includes <stdint.h> where C++ has <cstdint>.
        given = set(includes) | {"c" + name[: -len(".h")] for name in includes if re.fullmatch(r"[a-z]+\.h", name)}
        for included in includes:
            file = self.files.get(included[len("hclvm/") :]) if included.startswith("hclvm/") else None
            if file is not None and file.only_includes:
                given |= self.with_umbrellas(file.includes)
        return given

    def check_file(self, path, file):
        parts = [file] + [self.files[name[len("hclvm/") :]] for name in file.includes if self.is_part(name)]
        code = "\n".join(part.code for part in parts)
        given = self.with_umbrellas(file.includes)
        known = set()
        for header in self.own_headers(path, file, code):
            given |= self.with_umbrellas(self.files[header].includes)
            known |= self.files[header].functions | self.files[header].forward
        for part in parts:
            known |= part.defined | part.local | part.forward | part.functions
        for name, headers in self.names_used(code, known):
            if not given.intersection(headers) and path not in (header[len("hclvm/") :] for header in headers):
                yield path, name, headers[0]

    def is_part(self, included):
        return included.endswith(".inc") and included[len("hclvm/") :] in self.files

    def names_used(self, code, known):
        """Yields the names in `code` that some header must declare, with the headers that do."""
        for name in set(_QUALIFIED.findall(code)) & NAMES.keys():
            yield name, NAMES[name]
        for name in set(_WORD.findall(code)) - known:
            if name in self.ours:
                yield name, ["hclvm/" + self.ours[name]]
            elif name in NAMES:
                yield name, NAMES[name]


_ABSEIL_TABLE = re.compile(r'^#include "(absl/container/(?:flat|node)_hash_\w+\.h)"', re.MULTILINE)


def _tables(top):
    for path in cpp_sources.paths(top):
        if path == "base/hash_table.h" or path.startswith(("bench/", "tests/")) or "_test" in path:
            continue
        for header in _ABSEIL_TABLE.findall(cpp_sources.read(top, path)):
            yield f"{path}: includes {header}; base/hash_table.h has what stays whole where memory is refused"


def check(top):
    return [f"{path}: uses {name} without {header}" for path, name, header in Checker(top).run()] + list(_tables(top))


if __name__ == "__main__":
    cpp_sources.report(check)
