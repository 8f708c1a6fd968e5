#!/usr/bin/env -S python3 -B
"""Checks the comments that say what tests a file: tested_by.py ROOT.

Prints one line for each file or folder that a sentence "Tested by A, B and C." (or "in", or "through") names and that
does not exist, neither from the top of the tree nor beside the comment, and exits with 1 if there is any. A name may
have stars.

Tested by tested_by_test.py.
"""

import glob
import os
import re

import cpp_sources

# To the end of the sentence: a full stop within a name has a letter behind it.
_SENTENCE = re.compile(
    r"\btested (?:by|in|through)\b(.*?)(?:\.(?!\w)|;|\n[ \t/#]*\n|\n[ \t]*[^ \t/#*]|\Z)", re.IGNORECASE | re.DOTALL
)
_NAME = re.compile(r"[\w.*-]*/[\w./*-]*\w|[\w*]+_test\.\w+|\w+\.(?:cc|sh|py)\b")
_SCRIPT = (".sh", ".py", ".bzl")


def named(text):
    """The files that sentences in `text` name."""
    for sentence in _SENTENCE.findall(text):
        # A comment goes on behind the marks at the start of a line.
        yield from _NAME.findall(re.sub(r"\n[ \t]*(?://|#|\*)?", " ", sentence))


def check(top):
    faults = []
    for folder, files in cpp_sources.folders(top):
        for file in files:
            if not file.endswith(cpp_sources.ENDINGS + _SCRIPT) and not (folder == "tools" and "." not in file):
                continue
            path = os.path.join(folder, file)
            for name in named(cpp_sources.read(top, path)):
                if not any(glob.glob(os.path.join(top, start, name)) for start in ("", folder)):
                    faults.append(f"{path}: tested by {name}, which does not exist")
    return faults


if __name__ == "__main__":
    cpp_sources.report(check)
