"""Headers that are compiled once for all of our sources: most of the work of a source is to read the headers of others.

GCC takes what is compiled in place of a header that a command includes first (-include), if it was compiled with the same options;
otherwise it reads the header itself, and the result is the same. Sources still include all that they use, which
tests/build_check sees to: neither CMake nor those who depend on this repository precompile anything.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load(":cc.bzl", "COPTS")

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]
    header = ctx.actions.declare_file(ctx.attr.header)
    ctx.actions.write(header, "".join(["#include {}\n".format(name) for name in ctx.attr.includes]))
    made = ctx.actions.declare_file(ctx.attr.header + ".gch")
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = header.path,
        output_file = made.path,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts + ["-x", "c++-header"],
        include_directories = depset(transitive = [context.includes for context in contexts]),
        quote_include_directories = depset(transitive = [context.quote_includes for context in contexts]),
        system_include_directories = depset(transitive = [context.system_includes for context in contexts]),
        use_pic = ctx.attr.pic,
    )
    action = "c++-compile"
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(feature_configuration = features, action_name = action),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = action,
            variables = variables,
        ),
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = action,
            variables = variables,
        ),
        inputs = depset(
            [header],
            transitive = [toolchain.all_files] + [context.headers for context in contexts],
        ),
        outputs = [made],
        mnemonic = "CppPrecompile",
        progress_message = "Compiling the header " + ctx.attr.header,
    )
    return [DefaultInfo(files = depset([header, made]))]

_precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "copts": attr.string_list(doc = "options behind those of the build"),
        "deps": attr.label_list(providers = [CcInfo]),
        "header": attr.string(mandatory = True, doc = "the name of the file that is made"),
        "includes": attr.string_list(doc = "what it includes, with brackets or quotes"),
        "pic": attr.bool(doc = "whether it is for code that may be anywhere in memory (-fPIC)"),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def precompiled_header(name, copts = [], **kwargs):
    """A header that includes others, and what GCC makes of it.

    Args:
      name: the target's name.
      copts: options behind those of the build and ours.
      **kwargs: as for the rule.
    """
    _precompiled_header(name = name, copts = COPTS + copts, **kwargs)
