#!/usr/bin/env python3
"""Writes Bazel modules over the system's libraries, for a Bazel 7 without a registry.

Use: system_modules.py CHECKOUT ROOT FOLDER [REGISTRY], on a Debian with Bazel 7 and the packages of docs/dependencies.md. ROOT
is the folder where Bazel will run: CHECKOUT itself, or a module that depends on it. With REGISTRY, a folder, such a module gets
CHECKOUT's version from there.

Every module that ROOT and Bazel's own tools depend on, and that Debian's Bazel does not bring along, becomes a folder
below FOLDER. FOLDER/bazelrc overrides the registry with them.

WORKSPACE and tools/bazel/*.bzl say already which library stands behind which label. They are Python as much as they are
Starlark, so they are run here with stand-ins for Bazel's own functions, and are the only place that says it.
"""

import pathlib
import re
import sys
import types

EMBEDDED_TOOLS = pathlib.Path("/usr/share/bazel/embedded_tools")
SYSTEM_MODULES = [pathlib.Path("/usr/share/bazel/rules"), pathlib.Path("/usr/share/bazel/tools")]
SYSTEM_BAZELRC = pathlib.Path("/etc/bazel/bazelrc")


class SystemPath:
    """What repository_ctx.path() returns: a file or folder of the system."""

    def __init__(self, path):
        self._path = pathlib.Path(str(path))
        self.basename = self._path.name

    def __str__(self):
        return str(self._path)

    @property
    def exists(self):
        # Where Debian has a library in both forms, the archive is hidden: archives need to be told which others they
        # need, and that changes between Debian's releases, while a shared object knows it.
        return self._path.exists() and not (self._path.suffix == ".a" and self._path.with_suffix(".so").exists())

    def readdir(self):
        return [SystemPath(child) for child in sorted(self._path.iterdir())]


class RepositoryContext:
    """The part of Bazel's repository_ctx that tools/bazel/*.bzl use; `folder` becomes the repository."""

    path = SystemPath

    def __init__(self, name, attributes, folder):
        self.name = name
        self.attr = types.SimpleNamespace(**attributes)
        self._folder = folder

    def read(self, path):
        return pathlib.Path(str(path)).read_text()

    def file(self, name, text):
        write(self._folder / name, text)

    def symlink(self, target, name):
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self._folder / name).symlink_to(str(target))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def stop(message):
    sys.exit("system_modules.py: " + message)


def load_rules(checkout, folder, module_names):
    """Returns the functions of tools/bazel/*.bzl, whose repository rules write below `folder` when called."""

    def repository_rule(implementation, attrs=None, **_):
        # The attributes have Starlark's defaults.
        defaults = {name: make() for name, make in (attrs or {}).items()}

        def rule(name, **attributes):
            if name in module_names:
                implementation(RepositoryContext(name, {**defaults, **attributes}, folder / name))

        return rule

    attr = types.SimpleNamespace(
        label=lambda **_: str,
        string=lambda **_: str,
        string_dict=lambda **_: dict,
        string_list=lambda **_: list,
        string_list_dict=lambda **_: dict,
    )
    native = types.SimpleNamespace(existing_rule=lambda _: None)
    names = {"attr": attr, "fail": stop, "load": lambda *_: None, "native": native, "repository_rule": repository_rule}
    files = ["debian_library.bzl", "debian_abseil.bzl", "debian_grpc.bzl", "debian_pybind11.bzl", "debian_rules.bzl"]
    for file in [*files, "deps.bzl"]:
        path = checkout / "tools/bazel" / file
        exec(compile(path.read_text(), str(path), "exec"), names)
    return names


def dependencies(folder, root=False):
    """Returns the names of the modules that MODULE.bazel in `folder` asks for, a root's for development included."""
    path = folder / "MODULE.bazel"
    calls = re.findall(r"^bazel_dep\((.*?)\)", path.read_text() if path.exists() else "", re.MULTILINE | re.DOTALL)
    return [
        re.search(r'\bname = "([^"]+)"', call)[1]
        for call in calls
        if root or not re.search(r"\bdev_dependency = True", call)
    ]


def module_name(folder):
    """Returns the name of the module in `folder`."""
    text = (folder / "MODULE.bazel").read_text()
    return re.search(r'^module\(\s*name = "([^"]+)"', text, re.MULTILINE)[1]


def present_modules(checkout):
    """Returns the modules that are there already, name to folder: those of Debian's Bazel, and the checkout."""
    files = [path for parent in SYSTEM_MODULES for path in parent.glob("*/MODULE.bazel")]
    return {module_name(folder): folder for folder in [path.parent for path in files] + [checkout]}


def needed_modules(root, present):
    """Returns the names of all modules that a build in `root` resolves, but its own."""
    needed, waiting = set(), dependencies(root, root=True) + dependencies(EMBEDDED_TOOLS)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += dependencies(present[name]) if name in present else []
    return needed


def main():
    if len(sys.argv) not in (4, 5):
        stop("use: system_modules.py CHECKOUT ROOT FOLDER [REGISTRY]")
    checkout, root, folder, *registry = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
    present = present_modules(checkout)
    needed = needed_modules(root, present)
    absent = needed - present.keys()

    # Running WORKSPACE writes the repositories of the libraries.
    names = load_rules(checkout, folder, absent)
    names["workspace"] = lambda **_: None
    exec(compile((checkout / "WORKSPACE").read_text(), "WORKSPACE", "exec"), names)

    for name in absent:
        module = f'module(name = "{name}")\n'
        if (folder / name / "BUILD.bazel").exists():
            module += 'bazel_dep(name = "rules_cc", version = "0")\n'
        elif name in dependencies(checkout, root=True):
            stop("WORKSPACE has no repository for the module " + name)
        else:
            # Only Bazel's own tools ask for it, and for no C++ build: an empty module will do.
            write(folder / name / "BUILD.bazel", "")
        write(folder / name / "MODULE.bazel", module)

    # An override of a module that nothing asks for is an error; Debian's own bazelrc has some of the others.
    overridden = re.findall(r"--override_module=([^=\s]+)=", SYSTEM_BAZELRC.read_text())
    folders = {name: present.get(name, folder / name) for name in needed - set(overridden)}
    if registry:
        del folders[module_name(checkout)]
    lines = [f"common --override_module={name}={path}" for name, path in sorted(folders.items())]
    # Nothing is left for the lock file to hold, and WORKSPACE is for older Bazels.
    lines += ["common --lockfile_mode=off", "common --noenable_workspace"]
    lines += [f"common --registry=file://{path}" for path in registry]
    write(folder / "bazelrc", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
