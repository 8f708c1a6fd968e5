"""What Bazel 4 to 6 load before they build any C++, and would otherwise download.

Debian's own package of rules_cc is too new for its Bazel 4.2, where the rules are built in: repositories of a few
lines give them the names that newer rules have.
"""

_CC_RULES = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "objc_import",
    "objc_library",
]

_SH_RULES = ["sh_binary", "sh_library", "sh_test"]

def _exports(rules):
    return "".join(["{name} = native.{name}\n".format(name = rule) for rule in rules])

def _rules_cc_impl(ctx):
    ctx.file("cc/BUILD.bazel")
    ctx.file("cc/defs.bzl", _exports(_CC_RULES))

rules_cc = repository_rule(
    implementation = _rules_cc_impl,
    doc = "The built-in rules for C++ as @rules_cc.",
)

def _rules_shell_impl(ctx):
    ctx.file("shell/BUILD.bazel")
    for rule in _SH_RULES:
        ctx.file("shell/{}.bzl".format(rule), _exports([rule]))

rules_shell = repository_rule(
    implementation = _rules_shell_impl,
    doc = "The built-in rules for shell scripts as @rules_shell.",
)

def _remote_coverage_tools_impl(ctx):
    # Every test depends on this target, also when no coverage is asked for.
    ctx.file("BUILD.bazel", """\
filegroup(
    name = "coverage_report_generator",
    visibility = ["//visibility:public"],
)
""")

remote_coverage_tools = repository_rule(
    implementation = _remote_coverage_tools_impl,
    doc = "An empty @remote_coverage_tools.",
)
