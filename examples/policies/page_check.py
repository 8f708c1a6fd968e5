"""Checks that a page and examples show the same: page_check.py PAGE FILE...

Each FILE is EXAMPLE/policy.hcl, EXAMPLE/variables.hcl, EXAMPLE/requests.ndjson or EXAMPLE/want.ndjson. A block of HCL in the
page (```hcl) is one of the files as a whole, and each policy.hcl is on the page. A block of JSON (```json) is a request and
its answer: one line of a requests.ndjson, and that line of the want.ndjson beside it. Each request has an answer, and the
page links to each example. Prints what is not so, and exits with 1 if there is anything.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from page_blocks import blocks, read  # noqa: E402


def check(path, page, files):
    """Yields a line for each thing that is not as it should be."""
    shown = dict(blocks(page, "hcl"))
    code = [text for name, text in files.items() if name.endswith(".hcl")]
    for line, text in shown.items():
        if text not in code:
            yield f"{path}:{line}: in no example:\n{text}\n"
    answers = set()
    for name, text in files.items():
        folder, base = os.path.split(name)
        if base == "policy.hcl" and text not in shown.values():
            yield f"{path}: does not show {name}"
        if base == "policy.hcl" and f"(../examples/policies/{os.path.basename(folder)})" not in page:
            yield f"{path}: does not link to {folder}"
        if base == "requests.ndjson":
            requests, wants = text.splitlines(), files[os.path.join(folder, "want.ndjson")].splitlines()
            if len(requests) != len(wants):
                yield f"{name}: {len(requests)} requests, {len(wants)} answers"
            answers.update(f"{request}\n{want}" for request, want in zip(requests, wants))
    for line, text in blocks(page, "json"):
        if text not in answers:
            yield f"{path}:{line}: no request with its answer:\n{text}\n"


def main():
    wrong = list(check(sys.argv[1], read(sys.argv[1]), {path: read(path) for path in sys.argv[2:]}))
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
