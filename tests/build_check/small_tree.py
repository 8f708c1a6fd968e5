"""What the tests of the checks share: checks of small trees, and of this one."""

import os
import tempfile
import unittest

TOP = os.path.realpath(__file__)[: -len("/tests/build_check/small_tree.py")]


class TreeTest(unittest.TestCase):
    """A test of a function that returns the faults in the tree below a folder."""

    maxDiff = None

    def expect(self, check, files, faults):
        """Checks a tree of these files, path -> text, and wants these faults."""
        with tempfile.TemporaryDirectory() as top:
            for path, text in files.items():
                os.makedirs(os.path.join(top, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(top, path), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(check(top), faults)

    def expect_this_tree_passes(self, check):
        self.assertEqual(check(TOP), [])
