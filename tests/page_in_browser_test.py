#!/usr/bin/env python3
"""Looks at the pages of hclvm coverage and hclvm explain in a browser without a window: page_in_browser_test.py HCLVM.

Needs Chromium, and is skipped without it. HCLVM_CHROMIUM names the program where it is not found by its usual names.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HCLVM = os.path.abspath(sys.argv[1])
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("HCLVM_CHROMIUM") or next((found for found in map(shutil.which, NAMES) if found), None)
MODULE = """variable "x" { type = object({ a = bool, b = bool }) }
table = [
  for r in [
    { id = "</pre><script>document.title = 'bad'</script>", when = x.a && x.b },
    { id = "b", when = x.b },
  ] : r.id if r.when
]
"""


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True).stdout


@unittest.skipUnless(CHROMIUM, "no Chromium is installed, which this test looks at pages with")
class PageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name
        os.mkdir(os.path.join(self.top, "m"))
        self.write("m/policy.hcl", MODULE)
        self.requests = self.write("requests", '{"x": {"a": true, "b": false}}\n{"x": {"a": false, "b": true}}\n')

    def write(self, name, text):
        path = os.path.join(self.top, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def in_browser(self, command):
        """What the browser has made of the page: its tree, as text."""
        page = run(HCLVM, command, os.path.join(self.top, "m"), "--scopes", self.requests, "--format", "html")
        self.assertNotRegex(page, r"(?:src|href)=")
        path = self.write("page.html", page)
        return run(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.top}/profile",
                   "--dump-dom", f"file://{path}")

    def test_coverage(self):
        tree = self.in_browser("coverage")
        self.assertIn("<title>Coverage</title>", tree)
        self.assertRegex(tree, r'id="total">75\.0 %, 6 of 8 outcomes<')
        self.assertRegex(tree, r'<mark class="all" title="true 1, false 1">')
        # Each line of the source is one element, and marks are in each other as decisions are.
        lines = re.findall(r"^(<span>.*</span>)$", tree, re.M)
        self.assertGreaterEqual(len(lines), MODULE.count("\n"))
        for line in lines:
            self.assertEqual(line.count("<mark"), line.count("</mark>"), line)
        self.assertRegex(tree, r'<ul id="rules">\s*<li>[^<]*policy\.hcl:4 <code>')
        self.assertNotIn("<script>", tree)

    def test_explanation(self):
        tree = self.in_browser("explain")
        self.assertIn('<li class="passed_over">', tree)
        self.assertIn("x.b is false", tree)
        self.assertNotIn("<script>", tree)


unittest.main(argv=sys.argv[:1], verbosity=2)
