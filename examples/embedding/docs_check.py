"""Checks that a page shows programs as they are compiled: docs_check.py PAGE SOURCE...

Every block of C++ in the page (```cpp) stands, line by line, in one of the sources, at any indentation. Prints the blocks
that do not, and exits with 1 if there is any.
"""

import os
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from page_blocks import blocks, read  # noqa: E402


def shows(source, block):
    """Whether the block is a run of lines of the source."""
    want = block.splitlines()
    lines = source.splitlines()
    for at in range(len(lines) - len(want) + 1):
        if lines[at].strip() == want[0].strip():
            part = textwrap.dedent("\n".join(line.rstrip() for line in lines[at : at + len(want)]))
            if part == textwrap.dedent(block):
                return True
    return False


def main():
    page = read(sys.argv[1])
    sources = [read(path) for path in sys.argv[2:]]
    wrong = [(line, text) for line, text in blocks(page, "cpp") if not any(shows(source, text) for source in sources)]
    for line, text in wrong:
        print(f"{sys.argv[1]}:{line}: in no example:\n{text}\n")
    sys.exit(1 if wrong else 0)


main()
