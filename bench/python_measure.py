"""Measures the Python package: python_measure.py INPUTS REQUESTS MODULE. bench/python runs it.

INPUTS is the folder of bench:inputs, REQUESTS a file of lines for the module in the directory MODULE. Prints a table.
"""

import json
import pathlib
import sys
import time

import ujson

import hclvm

SECONDS_A_TURN = 0.15
TURNS = 12


def seconds(*works):
    """The least time of a call of each of `works`, which take turns, so that what else runs meets them alike."""
    least = [float("inf")] * len(works)
    for _ in range(TURNS):
        for n, work in enumerate(works):
            end = time.perf_counter() + SECONDS_A_TURN
            while (begin := time.perf_counter()) < end:
                work()
                least[n] = min(least[n], time.perf_counter() - begin)
    return least


def access(scope):
    """The policy of W1 and W9 as one writes it in Python."""
    request = scope["request"]
    ip, path, token = request["ip"], request["path"], request["token"]
    if ip in ("10.0.1.4", "10.0.1.5", "10.0.1.6"):
        return False
    if path.startswith("v1") and token in ("v1", "v2", "admin"):
        return True
    if path.startswith("v2") and token in ("v2", "admin"):
        return True
    return path.startswith("/admin") and token == "admin" and ip in ("10.0.1.1", "10.0.1.2", "10.0.1.3")


def adults(scope):
    """W4."""
    return [user["name"] for user in scope["users"] if user["age"] >= 18]


def lines_row(name, lines, program, entry):
    count = len(lines.splitlines())
    each = lines.splitlines()

    def loads(read):
        for line in each:
            read(line)

    def whole(read, write):
        return b"".join(write({"value": program.run(read(line), entry)}).encode() + b"\n" for line in each)

    assert [json.loads(line) for line in whole(json.loads, json.dumps).splitlines()] == [
        json.loads(line) for line in program.run_ndjson(lines, entry).splitlines()
    ]
    times = seconds(
        lambda: program.run_ndjson(lines, entry), lambda: loads(json.loads), lambda: loads(ujson.loads)
    )
    shown = " | ".join(f"{each_time / count * 1e9:,.0f}" for each_time in times)
    print(f"| {name} | {shown} | {times[1] / times[0]:.2f} | {times[2] / times[0]:.2f} |")


def run_row(name, scopes, program, by_hand, entry=None):
    assert [program.run(scope, entry) for scope in scopes] == [by_hand(scope) for scope in scopes]

    def run():
        for scope in scopes:
            program.run(scope, entry)

    def hand():
        for scope in scopes:
            by_hand(scope)

    times = seconds(run, lambda: program.run_many(scopes, entry), hand)
    print(f"| {name} | " + " | ".join(f"{each / len(scopes) * 1e9:,.0f}" for each in times) + " |")


def main():
    inputs, requests, module = map(pathlib.Path, sys.argv[1:])
    texts = json.loads((inputs / "workloads.json").read_text())
    programs = {name: hclvm.compile(text, kind="expression") for name, text in texts.items()}
    lines = {name: (inputs / f"{name}.ndjson").read_bytes() for name in texts}

    print(f"Python {sys.version.split()[0]}, one thread; nanoseconds a line:")
    print()
    print("| lines | `run_ndjson` | `json.loads` alone | `ujson.loads` alone | `json` / `run_ndjson` | `ujson` / `run_ndjson` |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, what in [("W9", "small requests (W9)"), ("W4", "100 objects a line (W4)")]:
        lines_row(what, lines[name] * 200, programs[name], None)
    lines_row("requests of examples/access", requests.read_bytes(), hclvm.compile_module(module), "policy.access.decision")
    print()
    print("Nanoseconds for a dict that is there, and for the policy as one writes it in Python:")
    print()
    print("| | `run` | `run_many` | Python |")
    print("|---|---:|---:|---:|")
    for name, what, by_hand in [("W9", "access policy (W9)", access), ("W4", "filter over 100 objects (W4)", adults)]:
        run_row(what, [json.loads(line) for line in lines[name].splitlines()], programs[name], by_hand)
    config = (inputs / "parse.hcl").read_bytes()
    print()
    print(f"`loads` of {len(config):,} bytes, 5,000 blocks: {len(config) / seconds(lambda: hclvm.loads(config))[0] / 1e6:.1f} MB/s.")


if __name__ == "__main__":
    main()
