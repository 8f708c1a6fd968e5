"""Debian's pybind11 and Python as the repository pybind11_bazel, with the rule of the registry's module."""

load(":debian_library.bzl", "NEEDED", "require")

_RULES = """\
load("@rules_cc//cc:defs.bzl", "cc_binary")

def pybind_extension(name, copts = [], linkopts = [], deps = [], **kwargs):
    # The shared object NAME.so, a module of Python.
    cc_binary(
        name = name + ".so",
        copts = copts + ["-fexceptions", "-fvisibility=hidden", "-isystem", "{headers}"],
        linkopts = linkopts + ["-Wl,-Bsymbolic"],
        linkshared = True,
        deps = deps,
        **kwargs
    )
"""

def _python_headers(ctx):
    folders = [str(folder) for folder in ctx.path("/usr/include").readdir() if folder.basename.startswith("python3.")]
    found = [folder for folder in folders if ctx.path(folder + "/Python.h").exists]
    if len(found) != 1:
        fail("hclvm's bindings for Python need the headers of one Python: apt-get install python3-dev")
    return found[0]

def _debian_pybind11_impl(ctx):
    require(ctx)
    ctx.file("BUILD.bazel", "")
    ctx.file("build_defs.bzl", _RULES.format(headers = _python_headers(ctx)))

debian_pybind11 = repository_rule(
    implementation = _debian_pybind11_impl,
    doc = "The repository pybind11_bazel: pybind_extension(), which builds a module for the system's Python.",
    attrs = {"needed": NEEDED},
    local = True,
)
