"""Checks that a page shows programs as they are compiled: docs_check.py PAGE SOURCE...

Every block of C++ in the page (```cpp) stands, line by line, in one of the sources, at any indentation. Prints the blocks
that do not, and exits with 1 if there is any.
"""

import sys
import textwrap


def blocks(page):
    """Yields (line number, text) for each block of C++."""
    begin, lines = 0, []
    for number, line in enumerate(page.splitlines(), 1):
        if line == "```cpp":
            begin, lines = number, []
        elif line == "```" and begin:
            yield begin, "\n".join(lines)
            begin = 0
        elif begin:
            lines.append(line)


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
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    sources = []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            sources.append(file.read())
    wrong = [(line, text) for line, text in blocks(page) if not any(shows(source, text) for source in sources)]
    for line, text in wrong:
        print(f"{sys.argv[1]}:{line}: in no example:\n{text}\n")
    sys.exit(1 if wrong else 0)


main()
