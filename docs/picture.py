#!/usr/bin/env python3
"""Makes docs/how.svg, the picture of README.md: docs/picture.py HCLVM [--write].

Prints a line, and exits with 1, if the file is not what is made; with --write, writes it. What the picture shows as answers are
those of the program.
"""

import json
import os
import subprocess
import sys
import tempfile

FILE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "how.svg")
POLICY = """\
allow = (user.admin ||
  contains(owners, user.name))
"""
REQUESTS = [
    {"user": {"name": "ann", "admin": False}, "owners": ["ann"]},
    {"user": {"name": "bo", "admin": False}, "owners": ["ann"]},
    {"user": {"name": "cy", "admin": True}, "owners": []},
]
WIDTH, HEIGHT = 800, 232
INK, PALE, LINE, ONCE, OFTEN = "#1c2733", "#5b6875", "#9aa7b4", "#e8eff7", "#eaf5ea"


def answers(hclvm):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "policy.hcl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(POLICY)
        lines = "".join(json.dumps(request) + "\n" for request in REQUESTS)
        command = [hclvm, "run", path, "--scopes", "-", "--entry", "allow", "--output", "text", "--quiet"]
        return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.split()


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def text(x, y, words, size=13, color=INK, family="sans-serif", weight="normal", anchor="start"):
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" font-family="{family}" font-weight="{weight}" '
            f'text-anchor="{anchor}" xml:space="preserve">{escaped(words)}</text>')


def box(x, y, width, height, fill):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{LINE}"/>'


def arrow(x, y, to):
    return f'<path d="M{x} {y}H{to - 7}m0 -4l7 4l-7 4z" fill="{LINE}" stroke="{LINE}" stroke-width="1.5"/>'


def picture(hclvm):
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'role="img" aria-label="A text is compiled once into a program, which is run for each request and gives an answer">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    # The four steps: where each begins, how wide it is, its title, what is below that.
    for x, width, title, below in [(16, 240, "text", "what people write"), (284, 140, "compile", "once"),
                                   (452, 216, "run", "for each request"), (696, 88, "answer", "a value")]:
        out.append(text(x, 26, title, 16, weight="bold"))
        out.append(text(x, 45, below, color=PALE))
        out.append(box(x, 58, width, 158, ONCE if x < 452 else OFTEN))
    for x, to in [(256, 284), (424, 452), (668, 696)]:
        out.append(arrow(x, 137, to))
    for n, line in enumerate(POLICY.splitlines()):
        out.append(text(26, 130 + 18 * n, line, 12, family="monospace"))
    for n, line in enumerate(["names and types", "constants", "faster forms", "bytecode, verified"]):
        out.append(text(296, 110 + 20 * n, line, 12.5))
    for n, (request, answer) in enumerate(zip(REQUESTS, answers(hclvm))):
        y = 88 + 46 * n
        user = request["user"]
        out.append(text(462, y, f'name = "{user["name"]}", admin = {str(user["admin"]).lower()}', 12, family="monospace"))
        out.append(text(462, y + 17, f"owners = {json.dumps(request['owners'])}", 12, PALE, "monospace"))
        out.append(text(740, y + 9, answer, 14, family="monospace", weight="bold", anchor="middle"))
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    made = picture(os.path.abspath(sys.argv[1]))
    if "--write" in sys.argv[2:]:
        with open(FILE, "w", encoding="utf-8") as file:
            file.write(made)
    with open(FILE, encoding="utf-8") as file:
        if file.read() != made:
            print("docs/how.svg is not what is made; run docs/picture.py HCLVM --write")
            sys.exit(1)


if __name__ == "__main__":
    main()
