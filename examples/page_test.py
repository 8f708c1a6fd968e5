#!/usr/bin/env python3
"""Holds a page of docs/ and the files of an example together: page_test.py [--listings] HCLVM PAGE FILE...

The files are all of one folder in examples/. A block of HCL on the page (```hcl) is a part of one of them, unless --listings is
given. A block that begins with "$ hclvm" shows what the program prints, but for times. Comments before it change the files for
this run, where FILE may be one of that folder:

    <!-- copy FOLDER FOLDER -->
    <!-- change FILE: BEFORE => AFTER -->

`bazel run //examples:diff_page_test -- --update` writes what is printed into the page.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

UPDATES = "--update" in sys.argv
ARGUMENTS = [argument for argument in sys.argv[1:] if argument != "--update"]
LISTINGS_ALONE = ARGUMENTS[0] == "--listings"
HCLVM, PAGE, *FILES = (os.path.abspath(path) for path in ARGUMENTS[LISTINGS_ALONE:])
EXAMPLE = re.search(r"examples/[^/]+", FILES[0]).group()
COPY = re.compile(r"<!-- copy (\S+) (\S+) -->")
CHANGE = re.compile(r"<!-- change (\S+): (.*) => (.*) -->")
LISTING = re.compile(r"^((?:<!-- (?:change|copy) [^\n]*-->\n)*)```\n\$ hclvm ([^\n]*)\n(.*?)^```$", re.M | re.S)
TIMES = re.compile(r'\(\d+\.\d+ s\)|"(?:seconds|ns)":[^,}]+|(?:time )?[\d.,]+ -> [\d.,]+ ns(?: \([-+][\d.]+ %\))?'
                   r'|(?<=%) +\d+\.\d%(?=  )|\d+\.\d% of the time| +\d+(?= +\d+  line )')


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_times(text):
    return TIMES.sub("TIME", text)


class PageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name

    def write_files(self):
        for path in FILES:
            to = os.path.join(self.top, path[path.rindex("examples/"):])
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copyfile(path, to)

    def copy(self, source, target):
        shutil.rmtree(os.path.join(self.top, target), ignore_errors=True)
        shutil.copytree(os.path.join(self.top, source), os.path.join(self.top, target))

    def change(self, name, before, after):
        path = os.path.join(self.top, name)
        if not os.path.exists(path):
            path = os.path.join(self.top, EXAMPLE, name)
        text = read(path)
        self.assertIn(before, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after, 1))

    @unittest.skipIf(LISTINGS_ALONE, "other tests look at its code")
    def test_code(self):
        files = [read(path) for path in FILES if path.endswith(".hcl")]
        blocks = re.findall(r"^```hcl\n(.*?)^```$", read(PAGE), re.M | re.S)
        self.assertGreater(len(blocks), 0)
        for block in blocks:
            self.assertTrue(any(block in text for text in files), block)

    def test_listings(self):
        listings = LISTING.findall(read(PAGE))
        self.assertEqual(len(listings), read(PAGE).count("\n$ hclvm "))
        self.assertTrue(listings)
        for comments, command, wanted in listings:
            self.write_files()
            for comment in comments.splitlines():
                if COPY.match(comment):
                    self.copy(*COPY.match(comment).groups())
                else:
                    self.change(*CHANGE.match(comment).groups())
            got = subprocess.run(f'"{HCLVM}" {command}', shell=True, cwd=self.top, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, check=False).stdout
            if not UPDATES:
                self.assertEqual(without_times(wanted), without_times(got))
            elif without_times(wanted) != without_times(got):
                path = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], "docs", os.path.basename(PAGE))
                text = read(path).replace(wanted, got)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)


unittest.main(argv=sys.argv[:1])
