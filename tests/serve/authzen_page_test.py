#!/usr/bin/env -S python3 -B
"""Runs the commands of docs/authzen.md, and compares what they print: authzen_page_test.py HCLVM_SERVE PAGE BUNDLE_FILE...."""

import pathlib
import re
import subprocess
import sys

import serving


def commands(page):
    """Yields (line number, command, what it prints) of each block of the console."""
    for block in re.finditer(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        number = page.count("\n", 0, block.start(1)) + 1
        for part in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]:
            # A command goes on in the next line while a quote is open.
            lines = part.splitlines()
            size = next(n for n in range(1, len(lines) + 1) if "\n".join(lines[:n]).count("'") % 2 == 0)
            while lines[size - 1].endswith("\\"):
                size += 1
            yield number, "\n".join(lines[:size]), "\n".join(lines[size:]).strip()


def plain(text):
    """Without what is another one each time."""
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text.replace("\r", ""))
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    text = re.sub(r"^date: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'"decision_ns":\d+', '"decision_ns":N', text)
    return text.strip()


def main(program, page_path, *bundle_files):
    page = pathlib.Path(page_path).read_text()
    service_hcl = next(path for path in bundle_files if path.endswith("/service.hcl"))
    bundle = pathlib.Path(service_hcl).parent
    shown = re.search(r"^```hcl\n(authzen .*?)^```$", page, re.DOTALL | re.MULTILINE)[1]
    assert shown in pathlib.Path(service_hcl).read_text(), "the page shows another block than the bundle has"
    log = pathlib.Path("decisions.log")
    log.unlink(missing_ok=True)
    count = failures = 0
    with serving.Service(program, bundle, "--timeout=60000", "--explain", f"--decision-log={log}") as service:
        for number, command, want in commands(page):
            if not command.startswith(("curl", "tail")):
                continue
            count += 1
            here = command.replace("127.0.0.1:8181", f"127.0.0.1:{service.port()}")
            if command.startswith("tail"):
                serving.eventually(lambda: log.exists() and log.read_text().count("\n") >= count - 1)
            out = subprocess.run(["bash", "-c", here], capture_output=True, text=True).stdout
            got = plain(out).replace(f"127.0.0.1:{service.port()}", "127.0.0.1:8181")
            if got != plain(want):
                failures += 1
                print(f"{page_path}:{number}: {command}\nprints\n{got}\nand not\n{plain(want)}\n")
    assert count >= 8, f"only {count} commands were found"
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
