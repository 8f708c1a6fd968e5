#!/usr/bin/env python3
"""Manual pages as the tools of manuals see them, and the helps: manual_test.py HCLVM GOLDEN.

`bazel run //tests:manual_test -- --update` writes GOLDEN anew: the help of each command.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HCLVM = os.path.abspath(sys.argv[1])
PROGRAMS = [os.path.abspath(path) for path in sys.argv[3:] if not path.startswith("--")]
GOLDEN = sys.argv[2]
UPDATE = "--update" in sys.argv
failures = []


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def pages(folder):
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            yield os.path.join(path, name)


def test_pages(folder):
    if run(HCLVM, "manual", "--into", folder).returncode != 0:
        failures.append("hclvm manual --into failed")
    names = [os.path.basename(path) for path in pages(folder)]
    for name in ["hclvm.1", "hclvm-run.1", "hclvm-check.1", "hclvm-bundle-build.1", "hcldec.1", "hclvm-serve.8", "hclvm-serve-replay.8",
                 "hclvm-envoy.8"]:
        if name not in names:
            failures.append(f"there is no page {name} among {names}")
    for path in pages(folder):
        if shutil.which("man"):
            got = run("man", "--warnings", "-l", path, env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            if got.returncode != 0 or got.stderr or "EXIT STATUS" not in got.stdout:
                failures.append(f"man {path}: {got.stderr}{got.stdout[:300]}")
        if shutil.which("mandoc"):
            got = run("mandoc", "-T", "lint", "-W", "warning", path)
            # A date would make the pages of one version differ.
            told = [line for line in got.stdout.split("\n") if line and "missing date" not in line]
            if told:
                failures.append(f"mandoc {path}: {told}")
        one = run(HCLVM, "manual", os.path.basename(path)[:-2])
        with open(path, encoding="utf-8") as file:
            if one.stdout != file.read():
                failures.append(f"hclvm manual prints another {path}")


def helps():
    """The help of each command of each program, as one text."""
    out = ""
    for program in PROGRAMS:
        name = os.path.basename(program)
        commands = [[]]
        if name == "hclvm":
            listed = run(program, "--help").stdout.split("commands:\n")[1].split("\n\n")[0]
            commands += [[line.split()[0]] for line in listed.split("\n")]
            commands += [["bundle", word] for word in ["build", "keygen", "sign", "verify", "inspect", "diff"]]
        if name == "hclvm-serve":
            commands += [["health"], ["replay"]]
        for command in commands:
            got = run(program, *command, "--help")
            wanted = 2 if name == "hcldec" else 0  # as the reference's program
            if got.returncode != wanted:
                failures.append(f"{name} {command} --help: status {got.returncode}: {got.stderr}")
            out += f"$ {' '.join([name] + command + ['--help'])}\n{got.stdout}{got.stderr}\n"
    return out


def test_helps():
    got = helps()
    if UPDATE:
        with open(os.path.realpath(GOLDEN), "w", encoding="utf-8") as file:
            file.write(got)
        return
    with open(GOLDEN, encoding="utf-8") as file:
        if got != file.read():
            failures.append("a help differs from the golden file: bazel run //tests:manual_test -- --update")


def main():
    with tempfile.TemporaryDirectory() as folder:
        test_pages(folder)
    test_helps()
    for failure in failures:
        print("FAIL", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
