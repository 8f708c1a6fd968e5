#!/usr/bin/env python3
"""Holds a page and the example that it shows together: page_test.py HCLVM PAGE FILE...

The files are all of one folder in examples/. A block of HCL on the page (```hcl) is a part of one of them. A block that begins
with "$ hclvm test", "$ hclvm explain" or "$ hclvm coverage" shows what the program prints, but for the times. A comment before it changes the files for this run:

    <!-- change FILE: BEFORE => AFTER -->
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HCLVM, PAGE, *FILES = (os.path.abspath(path) for path in sys.argv[1:])
EXAMPLE = re.search(r"examples/[^/]+", FILES[0]).group()
CHANGE = re.compile(r"<!-- change (\S+): (.*) => (.*) -->")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_times(text):
    return re.sub(r'\(\d+\.\d+ s\)|"seconds":[\d.]+', "TIME", text)


class PageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name
        self.write_files()

    def write_files(self):
        for path in FILES:
            name = path[path.rindex(EXAMPLE):]
            os.makedirs(os.path.dirname(os.path.join(self.top, name)), exist_ok=True)
            shutil.copyfile(path, os.path.join(self.top, name))

    def change(self, name, before, after):
        path = os.path.join(self.top, EXAMPLE, name)
        text = read(path)
        self.assertIn(before, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after, 1))

    def test_code(self):
        files = [read(path) for path in FILES if path.endswith(".hcl")]
        blocks = re.findall(r"^```hcl\n(.*?)^```$", read(PAGE), re.M | re.S)
        self.assertGreater(len(blocks), 0)
        for block in blocks:
            self.assertTrue(any(block in text for text in files), block)

    def test_listings(self):
        listings = re.findall(r"^(<!-- change [^\n]*-->\n)?```\n\$ hclvm ((?:test|explain|coverage) [^\n]*)\n(.*?)^```$", read(PAGE), re.M | re.S)
        self.assertGreater(len(listings), 3)
        for change, command, wanted in listings:
            self.write_files()
            if change:
                self.change(*CHANGE.match(change).groups())
            got = subprocess.run(f'"{HCLVM}" {command}', shell=True, cwd=self.top, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, check=False).stdout
            self.assertEqual(without_times(wanted), without_times(got))


unittest.main(argv=sys.argv[:1])
