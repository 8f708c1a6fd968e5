"""Blocks of code in pages of Markdown, for the scripts that check pages against files."""


def read(path):
    """The text of a file, without the line ends at its end."""
    with open(path, encoding="utf-8") as file:
        return file.read().rstrip("\n")


def blocks(page, language):
    """Yields (line number, text) for each block of that language."""
    begin, lines = 0, []
    for number, line in enumerate(page.splitlines(), 1):
        if line == "```" + language:
            begin, lines = number, []
        elif line == "```" and begin:
            yield begin, "\n".join(lines)
            begin = 0
        elif begin:
            lines.append(line)
