"""The rule for tests of modules (docs/testing.md).

    load("@hclvm//tools/bazel:hcl_test.bzl", "hcl_test")

    hcl_test(
        name = "policy_test",
        srcs = glob(["policies/**"]),
        module = "policies",
    )
"""

_SCRIPT = """\
#!/bin/sh
set -- "$@" {arguments}
if [ -n "${{TEST_TOTAL_SHARDS:-}}" ] && [ "$TEST_TOTAL_SHARDS" -gt 0 ]; then
  [ -z "${{TEST_SHARD_STATUS_FILE:-}}" ] || : >"$TEST_SHARD_STATUS_FILE"
  set -- "$@" --shard "$TEST_SHARD_INDEX/$TEST_TOTAL_SHARDS"
fi
[ -z "${{TESTBRIDGE_TEST_ONLY:-}}" ] || set -- "$@" --run "$TESTBRIDGE_TEST_ONLY"
[ -z "${{XML_OUTPUT_FILE:-}}" ] || set -- "$@" --junit "$XML_OUTPUT_FILE"
exec {program} test {module} "$@"
"""

def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"

def _hcl_test_impl(ctx):
    # Tests run in the folder of the main repository, beside which the others are.
    root = ctx.label.workspace_root
    parts = [".." + root[len("external"):] if root else "", ctx.label.package, ctx.attr.module]
    module = "/".join([part for part in parts if part]) or "."
    arguments = []
    runfiles = list(ctx.files.srcs)
    if ctx.file.functions:
        arguments = ["--functions", _quoted(ctx.file.functions.short_path)]
        runfiles.append(ctx.file.functions)
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, _SCRIPT.format(
        arguments = " ".join(arguments),
        module = _quoted(module),
        program = _quoted("./" + ctx.executable._hclvm.short_path),
    ), is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(files = runfiles).merge(ctx.attr._hclvm[DefaultInfo].default_runfiles),
    )]

hcl_test = rule(
    implementation = _hcl_test_impl,
    attrs = {
        "functions": attr.label(
            allow_single_file = [".json"],
            doc = "describes the functions of the host, as hclvm check --functions reads it",
        ),
        "module": attr.string(
            doc = "the folder of the module, or of several modules, from the package; the package's own by default",
        ),
        "srcs": attr.label_list(
            allow_files = True,
            doc = "the files of the module, its tests (*.test.hcl), and the files that these read",
            mandatory = True,
        ),
        "_hclvm": attr.label(
            cfg = "target",
            default = Label("//cmd/hclvm"),
            executable = True,
        ),
    },
    doc = "Runs the tests of a module. With shard_count, each shard runs a part of the cases.",
    test = True,
)
