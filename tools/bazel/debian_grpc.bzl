"""Debian's protobuf and gRPC under the labels of the registry's modules.

Archives, as of everything that has them: Debian's gRPC uses Abseil too, and a shared one would be a second copy of it
in a program that holds ours. The compilers are what the packages have installed.
"""

load(":debian_library.bzl", "BUILD_HEADER", "NEEDED", "library_target", "require")

_PROTOS = "/usr/include/google/protobuf"
_WELL_KNOWN = ["any", "duration", "empty", "struct", "timestamp", "wrappers"]

def _tool(name):
    return '\nexports_files(["{}"])\n'.format(name)

def _debian_protobuf_impl(ctx):
    require(ctx)
    ctx.symlink("/usr/bin/protoc", "protoc")
    protos = []
    for name in _WELL_KNOWN:
        path = "src/google/protobuf/{}.proto".format(name)
        ctx.symlink("{}/{}.proto".format(_PROTOS, name), path)
        protos.append(path)
    ctx.file("BUILD.bazel", BUILD_HEADER + _tool("protoc") + library_target(ctx, "protobuf", "protobuf", []) + """
filegroup(
    name = "well_known_type_protos",
    srcs = {},
)
""".format(protos))

debian_protobuf = repository_rule(
    implementation = _debian_protobuf_impl,
    doc = "The repository protobuf: the library, protoc and the messages that everybody knows.",
    attrs = {"needed": NEEDED},
    local = True,
)

# Library -> others of the package that it needs. All need what is outside of it, below.
_LIBRARIES = {
    "address_sorting": [],
    "cares": [],
    "gpr": [],
    "grpc": ["address_sorting", "cares", "gpr", "upb"],
    "grpc++": ["grpc"],
    "grpc++_reflection": ["grpc++"],
    "upb": [],
}

_OUTSIDE = [
    "@abseil-cpp//absl/container:flat_hash_map",
    "@abseil-cpp//absl/container:flat_hash_set",
    "@abseil-cpp//absl/container:inlined_vector",
    "@abseil-cpp//absl/functional:any_invocable",
    "@abseil-cpp//absl/functional:bind_front",
    "@abseil-cpp//absl/hash",
    "@abseil-cpp//absl/random",
    "@abseil-cpp//absl/status",
    "@abseil-cpp//absl/status:statusor",
    "@abseil-cpp//absl/strings",
    "@abseil-cpp//absl/strings:cord",
    "@abseil-cpp//absl/strings:str_format",
    "@abseil-cpp//absl/synchronization",
    "@abseil-cpp//absl/time",
    "@abseil-cpp//absl/types:optional",
    "@abseil-cpp//absl/types:variant",
    "@openssl//:ssl",
    "@protobuf//:protobuf",
    "@re2//:re2",
    "@zlib//:zlib",
]

def _debian_grpc_impl(ctx):
    require(ctx)
    text = BUILD_HEADER
    for library, deps in _LIBRARIES.items():
        text += library_target(ctx, library, library, [":" + dep for dep in deps] + _OUTSIDE)
    ctx.file("BUILD.bazel", text)
    ctx.symlink("/usr/bin/grpc_cpp_plugin", "src/compiler/grpc_cpp_plugin")
    ctx.file("src/compiler/BUILD.bazel", 'package(default_visibility = ["//visibility:public"])\n' +
                                         _tool("grpc_cpp_plugin"))

debian_grpc = repository_rule(
    implementation = _debian_grpc_impl,
    doc = "The repository grpc: the C++ library, its reflection service and its plugin for protoc.",
    attrs = {"needed": NEEDED},
    local = True,
)
