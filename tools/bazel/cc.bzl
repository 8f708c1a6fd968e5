"""The rules for our C++: native ones, with headers that everybody includes as hclvm/FOLDER/FILE.

Bazel makes the folder hclvm/ for each library (`include_prefix`), so that an include means the same in this
repository, in one that depends on it, and in an installed tree, and never meets a file of somebody else.
"""

load("@rules_cc//cc:defs.bzl", _cc_binary = "cc_binary", _cc_library = "cc_library", _cc_test = "cc_test")

_HEADERS = (".h", ".inc", ".def")

def _is_header(label):
    return label.endswith(_HEADERS)

def _prefix():
    package = native.package_name()
    return "hclvm/" + package if package else "hclvm"

# Bazel asks for a register that holds the frame everywhere; without it, compiling takes a twenty-fifth less.
COPTS = select({
    "//tools/bazel:frame_pointers": [],
    "//conditions:default": ["-fomit-frame-pointer"],
})

# precompiled.bzl says what this is about.
def _precompiled(name):
    return select({
        "//tools/bazel:precompiled_headers": ["-include", "tools/bazel/precompiled/{}.h".format(name)],
        "//conditions:default": [],
    })

def _precompiled_deps(name):
    return select({
        "//tools/bazel:precompiled_headers": ["//tools/bazel/precompiled:" + name],
        "//conditions:default": [],
    })

def cc_library(name, srcs = [], hdrs = [], textual_hdrs = [], copts = [], deps = [], **kwargs):
    """A library. Headers among `srcs` are not for dependents, but have the prefix as well.

    Args:
      name: the target's name.
      srcs: sources, and headers that only they include.
      hdrs: headers for dependents.
      textual_hdrs: tables and the like, which dependents include in the middle of something.
      copts: options for the compiler, behind ours.
      deps: libraries.
      **kwargs: as for the native rule.
    """
    private = [file for file in srcs if _is_header(file)]
    _cc_library(
        name = name,
        srcs = [file for file in srcs if not _is_header(file)],
        # Bazel gives the prefix to these only.
        hdrs = hdrs + textual_hdrs + private,
        include_prefix = _prefix() if hdrs or textual_hdrs or private else None,
        copts = COPTS + _precompiled("common") + copts,
        deps = deps + _precompiled_deps("common"),
        **kwargs
    )

def _with_headers(rule, name, srcs, deps, testonly, precompiled, kwargs):
    """A binary or test whose own headers, which Bazel gives no prefix, are a library beside it."""
    headers = [file for file in srcs if _is_header(file)]
    if headers:
        cc_library(
            name = name + "_headers",
            testonly = testonly,
            hdrs = headers,
            visibility = ["//visibility:private"],
            deps = deps,
        )
        deps = deps + [":" + name + "_headers"]

    # What is precompiled is C++.
    is_cpp = not [file for file in srcs if file.endswith(".c")]
    rule(
        name = name,
        srcs = [file for file in srcs if not _is_header(file)],
        deps = deps + (_precompiled_deps(precompiled) if is_cpp else []),
        testonly = testonly,
        copts = COPTS + (_precompiled(precompiled) if is_cpp else []) + kwargs.pop("copts", []),
        **kwargs
    )

def cc_binary(name, srcs = [], deps = [], testonly = False, **kwargs):
    """A program; see cc_library about headers.

    Args:
      name: the target's name.
      srcs: sources and headers.
      deps: libraries.
      testonly: whether only tests may use it.
      **kwargs: as for the native rule.
    """
    _with_headers(_cc_binary, name, srcs, deps, testonly, "common", kwargs)

def cc_test(name, srcs = [], deps = [], **kwargs):
    """A test; see cc_library about headers.

    Args:
      name: the target's name.
      srcs: sources and headers.
      deps: libraries.
      **kwargs: as for the native rule.
    """
    _with_headers(_cc_test, name, srcs, deps, True, "tests", kwargs)

# Marks the cases of a suite.
_SUITE_TAG = "suite="

def unit_test(name, suite = "unit_tests", size = "small", srcs = [], deps = []):
    """A test that shares a program with others of its package: most of what a test of its own costs is its linking and start.

    The target that has this name runs this test alone. It is for those who ask for it, and for nobody else (tag "manual").
    The `unit_tests` behind it in the BUILD file runs it among the others; build_check sees to that. A test that needs a process
    of its own is a cc_test: one with arguments, files, an operator new, or anything that the whole process notices.

    Args:
      name: the target's name.
      suite: the name of the `unit_tests`.
      size: of the test alone.
      srcs: sources and headers. Names that more than one file of a suite has are in anonymous namespaces.
      deps: libraries, among them that with GoogleTest's main function.
    """
    headers = [file for file in srcs if _is_header(file)]
    _cc_library(
        name = name + "_cases",
        testonly = True,
        srcs = [file for file in srcs if not _is_header(file)],
        hdrs = headers,
        include_prefix = _prefix() if headers else None,
        copts = COPTS + _precompiled("tests"),
        deps = deps + _precompiled_deps("tests"),
        # Nothing refers to what is in it.
        alwayslink = True,
        tags = ["manual", _SUITE_TAG + suite],
        visibility = ["//visibility:private"],
    )
    _cc_test(
        name = name,
        size = size,
        deps = [":" + name + "_cases"],
        tags = ["manual"],
    )

def unit_tests(name = "unit_tests", size = "small", **kwargs):
    """The tests of the package that say `unit_test`, have this suite, and come before this, as one program.

    Args:
      name: the target's name.
      size: of all of them.
      **kwargs: as for the native cc_test: shard_count, tags.
    """
    tag = _SUITE_TAG + name
    cases = [
        ":" + rule
        for rule, attributes in native.existing_rules().items()
        if tag in attributes.get("tags", [])
    ]
    if not cases:
        fail("no unit_test comes before the suite " + name)
    _cc_test(
        name = name,
        size = size,
        deps = sorted(cases),
        **kwargs
    )
