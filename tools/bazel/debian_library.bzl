"""Repositories made of what Debian's packages have installed.

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

def library_target(ctx, name, library, deps, defines = []):
    """Returns the text of a cc_library, after linking its archive into the repository.

    Args:
      ctx: the repository context.
      name: the target's name.
      library: the X of libX.a or libX.so; "" if the target has headers only.
      deps: labels of other targets.
      defines: preprocessor symbols for dependents.
    """
    srcs = []
    linkopts = ["-pthread"] if library else []
    if library:
        archive = "lib{}.a".format(library)
        folder = find_library_folder(ctx, archive)
        if folder != None:
            ctx.symlink(folder + "/" + archive, archive)
            srcs.append(archive)

            # What Bazel takes in place of the archive for shared objects: a linker script.
            ctx.file("lib{}.pic.a".format(library), "INPUT(-l{})\n".format(library))
            srcs.append("lib{}.pic.a".format(library))
        else:
            linkopts.append("-l" + library)
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

def _debian_packages_impl(ctx):
    missing = [package for file, package in ctx.attr.packages.items() if not ctx.path(file).exists]
    if missing:
        fail("hclvm needs Debian packages that are not installed: apt-get install {} (or use Bazel 7.6 or later, which fetches them)".format(" ".join(missing)))
    ctx.file("BUILD.bazel", 'exports_files(["all_there"])\n')
    ctx.file("all_there")

debian_packages = repository_rule(
    implementation = _debian_packages_impl,
    doc = "Fails with one line that names the packages which are missing; who needs them depends on its file all_there.",
    attrs = {
        "packages": attr.string_dict(doc = "File that proves a package is there -> the package."),
    },
    local = True,
)

NEEDED = attr.label(mandatory = True, doc = "The file all_there of debian_packages.")

def require(ctx):
    """Stops unless the packages are there that the rule's attribute `needed` is about."""
    ctx.path(ctx.attr.needed)

def _debian_library_impl(ctx):
    require(ctx)
    text = BUILD_HEADER
    for library, deps in ctx.attr.libraries.items():
        text += library_target(ctx, library, library, [":" + dep for dep in deps], ctx.attr.defines)
    for name in ctx.attr.headers:
        text += library_target(ctx, name, "", [])
    if ctx.name not in ctx.attr.libraries:
        first = [":" + library for library in ctx.attr.libraries]
        text += library_target(ctx, ctx.name, "", first)
    ctx.file("BUILD.bazel", text)

debian_library = repository_rule(
    implementation = _debian_library_impl,
    doc = "Targets for the libraries of one Debian package, and one named as the repository for all of them.",
    attrs = {
        "defines": attr.string_list(doc = "Preprocessor symbols for dependents."),
        "headers": attr.string_list(doc = "Names of targets that are headers alone, as the registry's module has them."),
        "libraries": attr.string_list_dict(doc = "Library name to the names of others that it needs."),
        "needed": NEEDED,
    },
    local = True,
)

def _debian_trimmed_library_impl(ctx):
    require(ctx)
    ctx.file("BUILD.bazel", "")
    archive = "lib{}.a".format(ctx.attr.library)
    folder = find_library_folder(ctx, archive)
    package = ctx.attr.package
    if folder != None:
        ctx.symlink(folder + "/" + archive, package + "/" + archive)
        source = 'srcs = ["{}"], linkopts = ["-Wl,--gc-sections"]'.format(archive)
    else:
        source = 'linkopts = ["-l{}"]'.format(ctx.attr.library)
    ctx.file(package + "/BUILD.bazel", BUILD_HEADER + """
cc_library(name = "{}", {})
""".format(package, source))

debian_trimmed_library = repository_rule(
    implementation = _debian_trimmed_library_impl,
    doc = """A target //PACKAGE:PACKAGE for a library of which little is used: always its archive.

What a program does not reach of the archive goes, with the other libraries that only this needs. Shared, all of them
would be loaded whenever the program begins.""",
    attrs = {
        "library": attr.string(mandatory = True, doc = "The X of libX.a."),
        "needed": NEEDED,
        "package": attr.string(mandatory = True, doc = "The folder, as the registry's module has it."),
    },
    local = True,
)

def _debian_folder_impl(ctx):
    require(ctx)
    for entry in ctx.path(ctx.attr.path).readdir():
        ctx.symlink(entry, entry.basename)

debian_folder = repository_rule(
    implementation = _debian_folder_impl,
    doc = "A folder of rules that a Debian package has installed, as a repository.",
    attrs = {
        "needed": NEEDED,
        "path": attr.string(mandatory = True, doc = "The folder."),
    },
    local = True,
)
