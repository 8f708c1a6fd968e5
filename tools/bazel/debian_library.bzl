"""A repository whose libraries are those of a Debian -dev package.

Headers come from /usr/include, which the compiler treats as system headers, so that no warning of
theirs reaches us. An archive is preferred to a shared library: binaries then run on machines that
lack the package. Libraries for which Debian has only a shared object are linked by name.
"""

def find_library_folder(ctx, file):
    """Returns the folder /usr/lib/TRIPLET if it contains `file` (a relative path), or None."""
    if not ctx.path("/usr/lib").exists:
        return None
    for folder in ctx.path("/usr/lib").readdir():
        if folder.basename.find("-linux-") > 0 and ctx.path(str(folder) + "/" + file).exists:
            return str(folder)
    return None

def missing(package):
    """Stops with the one line that says what to do about a missing package."""
    fail("{} is not installed; run tools/setup (or use Bazel 7.6 or later, which fetches it)".format(package))

def library_target(ctx, name, library, deps, defines = [], package = None):
    """Returns the text of a cc_library, after linking its archive into the repository.

    Args:
      ctx: the repository context.
      name: the target's name.
      library: the X of libX.a or libX.so; "" if the target has headers only.
      deps: labels of other targets.
      defines: preprocessor symbols for dependents.
      package: the Debian package to name if the library is absent; None if `library` is known to exist.
    """
    srcs = []
    linkopts = ["-pthread"] if library else []
    if library:
        archive = "lib{}.a".format(library)
        folder = find_library_folder(ctx, archive)
        if folder != None:
            ctx.symlink(folder + "/" + archive, archive)
            srcs.append(archive)
        elif package == None or find_library_folder(ctx, "lib{}.so".format(library)) != None:
            linkopts.append("-l" + library)
        else:
            missing(package)
    return """
cc_library(
    name = "{name}",
    srcs = {srcs},
    defines = {defines},
    linkopts = {linkopts},
    deps = {deps},
)
""".format(name = name, srcs = srcs, defines = defines, linkopts = linkopts, deps = deps)

BUILD_HEADER = """\
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])
"""

def _debian_library_impl(ctx):
    for header in ctx.attr.headers:
        if not ctx.path("/usr/include/" + header).exists:
            missing(ctx.attr.package)
    text = BUILD_HEADER
    for library, deps in ctx.attr.libraries.items():
        text += library_target(ctx, library, library, [":" + dep for dep in deps], ctx.attr.defines, ctx.attr.package)
    if ctx.name not in ctx.attr.libraries:
        first = [":" + library for library in ctx.attr.libraries]
        text += library_target(ctx, ctx.name, "", first)
    ctx.file("BUILD.bazel", text)

debian_library = repository_rule(
    implementation = _debian_library_impl,
    doc = "Targets for the libraries of one Debian package, and one named as the repository for all of them.",
    attrs = {
        "defines": attr.string_list(doc = "Preprocessor symbols for dependents."),
        "headers": attr.string_list(doc = "Headers below /usr/include that prove the package is there."),
        "libraries": attr.string_list_dict(doc = "Library name to the names of others that it needs."),
        "package": attr.string(mandatory = True, doc = "The Debian package, for the message when it is missing."),
    },
    local = True,
)
