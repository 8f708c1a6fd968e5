"""Debian's Abseil under the labels of upstream's BUILD files.

Debian installs a pkg-config file per library, absl_NAME.pc, with its direct requirements. Each of
them becomes a target //:absl_NAME; a table gives the public ones their upstream labels, so that
BUILD files are the same with upstream's sources.
"""

load(":debian_library.bzl", "BUILD_HEADER", "find_library_folder", "library_target", "missing")

# Package below absl/ -> names of its targets; a target is NAME or "NAME=LIBRARY" when its pkg-config
# file is not absl_NAME.
_PACKAGES = {
    "algorithm": ["algorithm", "container=algorithm_container"],
    "base": ["base", "config", "core_headers", "dynamic_annotations", "endian"],
    "cleanup": ["cleanup"],
    "container": [
        "btree",
        "fixed_array",
        "flat_hash_map",
        "flat_hash_set",
        "inlined_vector",
        "node_hash_map",
        "node_hash_set",
    ],
    "debugging": ["failure_signal_handler", "leak_check", "stacktrace", "symbolize"],
    "flags": [
        "commandlineflag=flags_commandlineflag",
        "config=flags_config",
        "flag=flags",
        "marshalling=flags_marshalling",
        "parse=flags_parse",
        "reflection=flags_reflection",
        "usage=flags_usage",
    ],
    "functional": ["any_invocable", "bind_front", "function_ref"],
    "hash": ["hash"],
    "memory": ["memory"],
    "meta": ["type_traits"],
    "numeric": ["bits", "int128"],
    "random": ["distributions=random_distributions", "random=random_random"],
    "status": ["status", "statusor"],
    "strings": ["cord", "str_format", "strings"],
    "synchronization": ["synchronization"],
    "time": ["civil_time", "time"],
    "types": ["any", "compare", "optional", "span", "variant"],
    "utility": ["utility"],
}

def _parse(text):
    """Returns (direct requirements, library name or "") of a pkg-config file."""
    requires, library = [], ""
    for line in text.splitlines():
        if line.startswith("Requires:"):
            for entry in line[len("Requires:"):].split(","):
                words = entry.split(" ")
                requires += [word for word in words if word.startswith("absl_")]
        elif line.startswith("Libs:"):
            for word in line.split(" "):
                if word.startswith("-labsl_"):
                    library = word[len("-l"):]
    return requires, library

def _debian_abseil_impl(ctx):
    folder = find_library_folder(ctx, "pkgconfig/absl_base.pc")
    if folder == None:
        missing("libabsl-dev")
    text = BUILD_HEADER
    for file in ctx.path(folder + "/pkgconfig").readdir():
        if not file.basename.startswith("absl_"):
            continue
        requires, library = _parse(ctx.read(file))
        name = file.basename[:-len(".pc")]

        # Newer releases name a library among its own requirements.
        text += library_target(ctx, name, library, [":" + other for other in requires if other != name])
    ctx.file("BUILD.bazel", text)

    for package, targets in _PACKAGES.items():
        text = 'package(default_visibility = ["//visibility:public"])\n'
        for target in targets:
            name, _, library = target.partition("=")
            text += '\nalias(\n    name = "{}",\n    actual = "//:absl_{}",\n)\n'.format(name, library or name)
        ctx.file("absl/{}/BUILD.bazel".format(package), text)

debian_abseil = repository_rule(
    implementation = _debian_abseil_impl,
    doc = "The repository abseil-cpp, made of Debian's libabsl-dev.",
    local = True,
)
