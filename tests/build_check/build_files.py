"""Reads BUILD files: the C++ targets of a source tree, with their files and dependencies.

BUILD files are run as Python, which they nearly are; rules and globs are functions that take notes. Used by
build_check.py.
"""

import glob as globbing
import os


class Target:
    """A C++ target as written: labels are absolute, files are paths below the top of the tree."""

    def __init__(self, package, kind, name, srcs, hdrs, deps):
        self.kind = kind
        self.package = package
        self.label = absolute(package, ":" + name)
        self.files = [os.path.join(package, file) for file in srcs + hdrs if not file.startswith((":", "/"))]
        self.deps = [absolute(package, dep) for dep in deps]

    def is_umbrella(self):
        """True if the target has nothing of its own: whoever depends on it depends on what it names."""
        return not self.files


def absolute(package, label):
    """The full form of a label that `package` uses: "//a:b" or "@repository//a:b"."""
    if label.startswith(":"):
        return "//" + package + label
    repository, slashes, rest = label.partition("//")
    if not slashes:
        return repository + "//:" + repository.lstrip("@")
    if ":" not in rest:
        rest += ":" + (rest.rsplit("/", 1)[-1] or repository.lstrip("@"))
    return repository + "//" + rest


def read_targets(top):
    """Returns the Target of each label in the packages below the folder `top`, and the files of each package."""
    targets = {}
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in ("out", ".git") and not name.startswith("bazel-"))
        if "WORKSPACE" in files and folder != top:
            folders[:] = []
        elif "BUILD.bazel" in files:
            _read_package(top, os.path.relpath(folder, top), targets)
    return targets


def _read_package(top, package, targets):
    package = "" if package == "." else package

    def note(kind):
        def rule(name, srcs=(), hdrs=(), textual_hdrs=(), deps=(), **_):
            target = Target(package, kind, name, list(srcs), list(hdrs) + list(textual_hdrs), list(deps))
            targets[target.label] = target

        return rule

    def glob(patterns, **_):
        folder = os.path.join(top, package)
        found = [path for pattern in patterns for path in globbing.glob(os.path.join(folder, pattern), recursive=True)]
        return sorted(os.path.relpath(path, folder) for path in found if os.path.isfile(path))

    def nothing(*_, **__):
        return None

    def load(label, *symbols, **_):
        # Lists in a file of the package's own; rules are known anyway.
        if label.startswith(":"):
            loaded = {}
            with open(os.path.join(top, package, label[1:]), encoding="utf-8") as file:
                exec(compile(file.read(), label, "exec"), loaded)  # pylint: disable=exec-used
            names.update({symbol: loaded[symbol] for symbol in symbols})

    names = {name: nothing for name in ("package", "exports_files", "filegroup", "genrule", "sh_test", "sh_binary")}
    names.update({kind: note(kind) for kind in ("cc_library", "cc_binary", "cc_test")})
    names["glob"] = glob
    names["load"] = load
    path = os.path.join(top, package, "BUILD.bazel")
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), names)  # pylint: disable=exec-used
