"""The C++ sources of a tree: which files they are, what is in them apart from comments and strings, and how a check of
them ends."""

import os
import re
import sys

ENDINGS = (".cc", ".h", ".inc", ".def")

# Numbers come first, for the marks between their digits.
_TOKEN = re.compile(
    r"""(?P<number>\b[0-9][0-9a-zA-Z_.]*(?:'[0-9a-zA-Z_.]+)*)"""
    r"""|//(?:\\\n|[^\n])*|/\*.*?\*/"""
    r"""|(?:u8|[uUL])?R"(?P<mark>[^(\s"]*)\(.*?\)(?P=mark)\""""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_GUARD = re.compile(r"^[ \t]*#[ \t]*(?:ifndef[ \t]+\w+|define[ \t]+\w+|endif|pragma[ \t]+once)[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def folders(top):
    """Yields each folder of our tree, "" for `top`, and the names of its files: no outputs, no other repositories."""
    for folder, below, files in os.walk(top):
        if folder == top:
            below[:] = [name for name in below if name not in ("out", ".git") and not name.startswith("bazel-")]
        below.sort()
        path = os.path.relpath(folder, top)
        if path == ".":
            path = ""
        elif "WORKSPACE" in files:
            below[:] = []
            continue
        yield path, sorted(files)


def paths(top):
    """The paths of all C++ sources below the folder `top`."""
    return [os.path.join(folder, name) for folder, files in folders(top) for name in files if name.endswith(ENDINGS)]


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8") as file:
        return file.read()


def includes(text):
    """What `text` includes: "hclvm/base/arena.h", "vector"."""
    return _INCLUDE.findall(text)


def code(text):
    """`text` without comments, includes, and what is in literals."""
    return _TOKEN.sub(lambda match: match.group("number") or ' "" ', _INCLUDE.sub("", text))


def only_includes(text):
    """True if there is nothing but includes, and what guards them, as in a header that stands for others."""
    return _GUARD.sub("", code(text).replace('""', "")).strip() == ""


def without_directives(stripped):
    """Of what code() returned, what the compiler sees if it looks at no macro."""
    return _DIRECTIVE.sub("", stripped)


def report(check):
    """Runs `check` on the tree that the command line names, prints its faults, and exits with 1 if there are any."""
    faults = check(sys.argv[1])
    print("\n".join(faults))
    sys.exit(1 if faults else 0)
