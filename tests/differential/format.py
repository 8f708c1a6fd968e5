#!/usr/bin/env python3
"""Compares `hclvm fmt` with the reference's formatter: format.py HCLVM ORACLE COUNT, in the top folder.

Texts are the files *.hcl and *.hcldec that git knows, and COUNT of them with random blanks and comments
(HCLVM_TEST_SEED). Those that do not parse are left out: hclvm keeps what is wrong, and the reference formats tokens.
Prints the first differences, and exits with 1 when more than one in a hundred texts differs.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOKENS = re.compile(r"[A-Za-z_][\w-]*|\d+|\s+|.", re.S)
LINES = ["", " ", "    ", "\t", "\n", "  # c\n", "/* x */ "]
BLANKS = [" ", "  ", "\t", " /* c */ ", "", "     "]


def with_other_blanks(text, source):
    share = source.choice([0.05, 0.2, 0.5])
    changed = []
    for token in TOKENS.findall(text):
        if token.isspace() and source.random() < share:
            token = token + source.choice(LINES) if "\n" in token else source.choice(BLANKS)
        elif not token[0].isalnum() and source.random() < share / 3:
            token = source.choice([" " + token, token + " ", "  " + token + "  "])
        changed.append(token)
    return "".join(changed)


def by_reference(oracle, texts):
    requests = "".join(json.dumps({"kind": "format", "source": text}) + "\n" for text in texts) + "\n"
    command = [oracle, "tests/conformance/variables.json"]
    answers = subprocess.run(command, input=requests.encode(), stdout=subprocess.PIPE, check=True).stdout.splitlines()
    return [json.loads(answer)["text"] for answer in answers[1:]]


def by_hclvm(hclvm, texts):
    """None for texts that do not parse."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, f"{number}.hcl") for number in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_bytes(text.encode())
        command = [hclvm, "fmt", "--write", "--diagnostics=json", folder]
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stderr.decode().splitlines()
        wrong = {(json.loads(line).get("subject") or {}).get("filename") for line in found}
        return [None if str(path) in wrong else path.read_bytes().decode() for path in paths]


def without_end(text):
    """Blanks after the last line end go here and stay there."""
    return text.rstrip(" \t")


def main():
    hclvm, oracle, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(os.environ.get("HCLVM_TEST_SEED", "57"))
    print("seed", seed)
    source = random.Random(seed)
    names = subprocess.run(["git", "ls-files", "*.hcl", "*.hcldec"], stdout=subprocess.PIPE, check=True).stdout.split()
    texts = [pathlib.Path(os.fsdecode(name)).read_bytes().decode("utf-8", "replace") for name in names]
    texts += [with_other_blanks(source.choice(texts), source) for _ in range(count)]
    compared = 0
    different = 0
    for text, ours, theirs in zip(texts, by_hclvm(hclvm, texts), by_reference(oracle, texts)):
        if ours is None:
            continue
        compared += 1
        if without_end(ours) == without_end(theirs):
            continue
        different += 1
        lines = zip(theirs.splitlines(), ours.splitlines())
        first = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
        if different <= 10:
            print(f"reference: {first[0]}\nhclvm:     {first[1]}")
    print(f"{compared} texts compared, {different} differ; {len(texts) - compared} do not parse")
    return 1 if different * 100 > compared else 0


if __name__ == "__main__":
    sys.exit(main())
