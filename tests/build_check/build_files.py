"""Reads BUILD files: the C++ targets of a source tree, with their files and dependencies.

BUILD files are run as Python, which they nearly are; rules and globs are functions that take notes. Rules that are not
about C++ are ignored, but for the files that they name.
"""

import builtins
import glob as globbing
import os
import types

import cpp_sources


class Target:
    """A C++ target as written: labels are absolute, files are paths below the top of the tree."""

    def __init__(self, package, kind, name, sources, headers, deps, testonly, copts=()):
        self.kind = kind
        self.package = package
        self.label = absolute(package, ":" + name)
        self.sources = _own_files(package, sources)  # with headers that only they may include
        self.headers = _own_files(package, headers)  # for dependents
        self.deps = [absolute(package, dep) for dep in deps]
        self.testonly = testonly or kind == "cc_test"
        self.copts = list(copts)
        self.suite = None  # of a unit_test that no `unit_tests` has taken up: the name of the one that should

    def files(self):
        return self.sources + self.headers


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


def read_packages(top):
    """Returns the Target of each label below the folder `top`, and the files that other rules name."""
    targets = {}
    others = set()
    for folder, files in cpp_sources.folders(top):
        if "BUILD.bazel" in files:
            _read_package(top, folder, targets, others)
    return targets, others


def _own_files(package, labels):
    return [os.path.join(package, label.lstrip(":")) for label in labels if not label.startswith(("/", "@"))]


def _read_package(top, package, targets, others):
    def cc_rule(kind):
        def rule(name, srcs=(), hdrs=(), textual_hdrs=(), deps=(), testonly=False, copts=(), **_):
            target = Target(package, kind, name, srcs, list(hdrs) + list(textual_hdrs), deps, testonly, copts)
            targets[target.label] = target
            return target

        return rule

    def unit_test(suite="unit_tests", **attributes):
        cc_rule("cc_test")(**attributes).suite = suite

    def unit_tests(name="unit_tests", **_):
        for target in targets.values():
            if target.package == package and target.suite == name:
                target.suite = None

    def proto_files(name, protos, grpc=False, deps=(), **_):
        # What is generated has no source here.
        endings = (".grpc.pb.cc", ".grpc.pb.h") if grpc else (".pb.cc", ".pb.h")
        made = [[proto[: -len(".proto")] + ending for proto in protos] for ending in endings]
        target = Target(package, "proto_files", name, made[0], made[1], deps, False)
        targets[target.label] = target

    def glob(include, exclude=(), **_):
        return sorted(_matches(top, package, include) - _matches(top, package, exclude))

    def other_rule(*positional, srcs=(), **_):
        for files in (srcs, *positional):
            if isinstance(files, (list, tuple)):
                others.update(_own_files(package, files))

    def load(label, *symbols, **_):
        # Lists in a file of the package's own; the rules are known anyway.
        if label.startswith(":"):
            loaded = {}
            with open(os.path.join(top, package, label[1:]), encoding="utf-8") as file:
                exec(compile(file.read(), label, "exec"), loaded)  # pylint: disable=exec-used
            names.update({symbol: loaded[symbol] for symbol in symbols})

    path = os.path.join(top, package, "BUILD.bazel")
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    names = {name: other_rule for name in _names(code) if not hasattr(builtins, name)}
    names.update({kind: cc_rule(kind) for kind in ("cc_library", "cc_binary", "cc_test")})
    names["unit_test"] = unit_test
    names["unit_tests"] = unit_tests
    names["proto_files"] = proto_files
    names["glob"] = glob
    names["select"] = lambda choices: choices["//conditions:default"]
    names["load"] = load
    exec(code, names)  # pylint: disable=exec-used


def _names(code):
    """The names that compiled code uses, also in the loops within."""
    names = set(code.co_names)
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            names |= _names(part)
    return names


def _matches(top, package, patterns):
    folder = os.path.join(top, package)
    found = [path for pattern in patterns for path in globbing.glob(os.path.join(folder, pattern), recursive=True)]
    return {os.path.relpath(path, folder) for path in found if os.path.isfile(path)}
