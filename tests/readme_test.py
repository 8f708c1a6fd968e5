#!/usr/bin/env python3
"""Runs the commands of README.md as its reader would: readme_test.py README HCLVM TOOLS_HCLVM COMMON CI_RUN ACCESS_FILE...

What `tools/hclvm` builds is built already. `tools/test`, `tools/install` and the benchmarks run elsewhere: in CI, in
tests/consumers/install.sh, and by hand.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

README, HCLVM, TOOLS_HCLVM, COMMON, *FILES = (os.path.abspath(path) for path in sys.argv[1:])
ELSEWHERE = {"tools/test", "tools/install --prefix P", "bench/sizes", "bench/peers/run"}
# What is shown of a mistake is compared by tests/check_listings_test.sh.
COMPARED = {"tools/hclvm check policies"}
BAZEL = """#!/bin/sh
[ "$1" != info ] || echo "$HCLVM_TEST_TOP/bazel-bin"
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name
        for path in ["tools", "bin", "bazel-bin/cmd/hclvm", "examples/access"]:
            os.makedirs(os.path.join(self.top, path))
        for path, to in [(TOOLS_HCLVM, "tools"), (COMMON, "tools"), (HCLVM, "bazel-bin/cmd/hclvm"), (HCLVM, "bin"),
                         *((path, "examples/access") for path in FILES)]:
            shutil.copy(path, os.path.join(self.top, to))
        for path, text in [("tools/setup", "#!/bin/sh\n"), ("bin/bazel", BAZEL)]:
            with open(os.path.join(self.top, path), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(os.path.join(self.top, path), 0o755)
        self.environment = {**os.environ, "PATH": f"{self.top}/bin:{os.environ['PATH']}", "HCLVM_TEST_TOP": self.top}

    def run_command(self, command):
        return subprocess.run(["bash", "-c", command], cwd=self.top, env=self.environment, capture_output=True, text=True,
                              check=False)

    def test_short(self):
        lines = read(README).splitlines()
        self.assertLessEqual(len(lines), 90)
        self.assertIn("compiler", lines[0])
        self.assertLess(lines.index('{"allow":true}'), 15)

    def test_example(self):
        listing = re.search(r"```console\n(.*?)```", read(README), re.DOTALL)[1].splitlines()
        shown = []
        for n, line in enumerate(listing):
            if not line.startswith("$ "):
                continue
            wanted = []
            for other in listing[n + 1:]:
                if other.startswith("$ "):
                    break
                wanted.append(other)
            got = self.run_command(line[2:])
            self.assertEqual((got.returncode, got.stdout.splitlines()), (0, wanted), line + got.stderr)
            shown += wanted
        self.assertTrue(shown)

    def test_commands(self):
        readme = read(README)
        commands = re.findall(r"`((?:tools|bench)/[^`]*)`", readme)
        commands += [line for block in re.findall(r"```sh\n(.*?)```", readme, re.DOTALL) for line in block.splitlines()]
        commands += [line[2:] for line in readme.splitlines() if line.startswith("$ tools/")]
        self.assertTrue(ELSEWHERE | COMPARED <= set(commands), commands)
        for command in sorted(set(commands) - ELSEWHERE - COMPARED):
            got = self.run_command(command)
            self.assertEqual(got.returncode, 3 if "range(999)" in command else 0, command + got.stdout + got.stderr)

    def test_figures(self):
        readme = read(README)
        functions = self.run_command("tools/hclvm functions").stdout
        count = len(re.findall(r"^  [a-z0-9_]+\(", functions, re.MULTILINE))
        self.assertIn(f"and {count} functions", readme)
        codes = read(os.path.join(os.path.dirname(README), "docs", "diagnostics.md")).count("\n## HCL")
        self.assertIn(f"each of {codes} messages", readme)
        limit = self.run_command(re.search(r"`(tools/hclvm eval -e '.*?')`", readme)[1])
        steps = re.search(r"after ([0-9,]+) steps", readme)[1].replace(",", "")
        self.assertIn(f"the allowed {steps} steps", limit.stderr)
        shown = self.run_command("tools/hclvm").stdout
        self.assertRegex(shown, r"[0-9,]+ decisions a second, on one thread")

    def test_links(self):
        top = os.path.dirname(os.path.realpath(README))
        for path in re.findall(r"\]\(([^)#]+)\)", read(README)):
            self.assertTrue(os.path.exists(os.path.join(top, path)), path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
