#!/usr/bin/env python3
"""What people see at a terminal: terminal_test.py HCLVM."""

import os
import pty
import select
import subprocess
import sys
import tempfile
import unittest

HCLVM = os.path.abspath(sys.argv.pop(1))


def at_terminal(*arguments, folder, **environment):
    """What the program writes to a terminal that has both streams, with its exit status."""
    usual = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CLICOLOR_FORCE")}
    pid, file = pty.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            os.execve(HCLVM, [HCLVM, *arguments], {**usual, "TERM": "xterm", **environment})
        finally:
            os._exit(127)
    text = b""
    while select.select([file], [], [], 60)[0]:
        try:
            got = os.read(file, 65536)
        except OSError:  # the other side is gone
            break
        if not got:
            break
        text += got
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(file)
    return status, text.decode().replace("\r\n", "\n")


class TerminalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def see(self, *arguments, **environment):
        return at_terminal(*arguments, folder=self.folder, **environment)

    def test_colors(self):
        self.assertIn("\x1b[31m", self.see("eval", "-e", "nosuch")[1])
        self.assertNotIn("\x1b[", self.see("eval", "-e", "nosuch", NO_COLOR="1")[1])
        self.assertNotIn("\x1b[", self.see("eval", "-e", "nosuch", TERM="dumb")[1])
        self.write("a.hcl", "a = nosuch(1)\n")
        self.assertIn("\x1b[31m", self.see("check", "a.hcl")[1])
        for environment, is_colored in [({}, False), ({"CLICOLOR_FORCE": "1"}, True)]:
            got = subprocess.run([HCLVM, "eval", "-e", "nosuch"], capture_output=True, text=True, check=False,
                                 env={**os.environ, **environment})
            self.assertEqual("\x1b[31m" in got.stderr, is_colored)
            self.assertNotIn("hclvm explain", got.stderr)

    def test_hints_once(self):
        self.write("a.hcl", "a = nosuch(1)\nb = nosuch(2)\n")
        for arguments in [["check", "a.hcl"], ["eval", "a.hcl"], ["eval", "-e", "nosuch(1)"]]:
            status, text = self.see(*arguments, NO_COLOR="1")
            self.assertEqual(status, 1)
            self.assertEqual(text.count("hclvm explain HCL"), 1, text)
            self.assertTrue(text.endswith(" says more.\n"), text)
        # Whatever else is to be said stands before it.
        self.write("b.ndjson", '{"n": 1}\n{}\n')
        self.write("b/variables.hcl", 'variable "n" { type = number }\n')
        self.write("b/rules.hcl", "a = n + 1\n")
        self.write("c/rules.hcl", "a = nosuch(1)\n")
        self.write("c/variables.hcl", 'variable "n" { type = number }\n')
        for arguments, other in [
            (["eval", "-e", "nosuch"], "No variables were given"),
            (["eval", "b/rules.hcl"], "the folder is a module"),
            (["check", "c/rules.hcl"], "the folder is a module"),
            (["run", "b/rules.hcl", "--scopes", "b.ndjson"], "the folder is a module"),
            (["run", "b/rules.hcl", "--scopes", "b.ndjson"], "2 lines, 1 with errors"),
        ]:
            text = self.see(*arguments, NO_COLOR="1")[1]
            self.assertIn(other, text, arguments)
            self.assertEqual(text.count("hclvm explain HCL"), 1, text)
            self.assertTrue(text.endswith(" says more.\n"), text)
        self.assertNotIn("hclvm explain", self.see("eval", "-e", "1")[1])
        self.assertNotIn("hclvm explain", self.see("eval", "-e", "nosuch", "--diagnostics=json")[1])

    def test_run_tells_an_error_once(self):
        self.write("a.hcl", "a = n + 1\n")
        self.write("a.ndjson", '{"n": 1}\n{"n": []}\n{"n": 3}\n')
        run = ["run", "a.hcl", "--scopes", "a.ndjson", "--entry", "a", "--quiet"]
        status, text = self.see(*run, NO_COLOR="1")
        self.assertEqual(status, 1)
        self.assertEqual(text.count("HCL4"), 2, text)  # the message, and where more is to be read
        self.assertNotIn('{"diagnostics"', text)
        self.assertIn('{"value":2}\n', text)
        self.assertIn('{"value":4}\n', text)
        # What was asked for is what comes.
        self.assertIn('{"diagnostics"', self.see(*run, "--output", "ndjson")[1])

    def test_tests_have_colors(self):
        self.write("a.hcl", "x = 1\n")
        self.write("a.test.hcl", 'test "t" { expect = { x = 2 } }\n')
        status, text = self.see("test", ".")
        self.assertEqual(status, 1)
        self.assertIn("\x1b[1;31mFAILED\x1b[0m t\n", text)
        self.assertNotIn("\x1b[1;", self.see("test", ".", NO_COLOR="1")[1])

    def test_run_counts_further_errors(self):
        self.write("a.hcl", "a = n + 1\n")
        self.write("a.ndjson", '{"n": []}\n' * 100)
        text = self.see("run", "a.hcl", "--scopes", "a.ndjson", "--entry", "a", NO_COLOR="1")[1]
        self.assertIn("\na.ndjson:100: error[HCL4", text)
        self.assertNotIn('{"diagnostics"', text)
        self.assertIn("100 lines, 100 with errors", text)


if __name__ == "__main__":
    unittest.main()
