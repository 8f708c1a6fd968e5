"""C++ of .proto files, by protoc: not by Bazel's rules for them, which older Bazels fetch and newer ones have moved.

A file is imported and included as hclvm/FOLDER/FILE, as everything of ours is.
"""

load(":cc.bzl", "cc_library")

def proto_files(name, protos, imports = [], grpc = False, deps = []):
    """A library of the messages in `protos`, or of the services.

    Args:
      name: the target's name.
      protos: files of this package.
      imports: others of it that they import.
      grpc: the services and their clients, instead of the messages.
      deps: libraries; with grpc, the one with the messages.
    """
    package = native.package_name()
    kind = "grpc.pb" if grpc else "pb"
    stems = [proto[:-len(".proto")] for proto in protos]
    outs = ["{}.{}.{}".format(stem, kind, ending) for stem in stems for ending in ["cc", "h"]]
    tools = ["@protobuf//:protoc"]
    flags = "--cpp_out=$$made"
    if grpc:
        tools.append("@grpc//src/compiler:grpc_cpp_plugin")
        flags = "--grpc_out=$$made --plugin=protoc-gen-grpc=$(execpath @grpc//src/compiler:grpc_cpp_plugin)"
    native.genrule(
        name = name + "_sources",
        srcs = protos + imports + ["@protobuf//:well_known_type_protos"],
        outs = outs,
        cmd = """
            set -e
            known=$$(echo $(execpaths @protobuf//:well_known_type_protos) | cut -d' ' -f1)
            made=$(RULEDIR)/{name}_made
            mkdir -p $$made
            $(execpath @protobuf//:protoc) -Ihclvm/{package}={package} -I$$(dirname $$known)/../.. {flags} {files}
            mv $$made/hclvm/{package}/* $(RULEDIR)/
            rm -r $$made
        """.format(
            name = name,
            package = package,
            flags = flags,
            files = " ".join(["hclvm/{}/{}".format(package, proto) for proto in protos]),
        ),
        tools = tools,
    )
    cc_library(
        name = name,
        srcs = [out for out in outs if out.endswith(".cc")],
        hdrs = [out for out in outs if out.endswith(".h")],
        # Nobody here wrote them.
        copts = ["-w"],
        linkstatic = True,
        deps = deps + (["@grpc//:grpc++"] if grpc else ["@protobuf//:protobuf"]),
    )
