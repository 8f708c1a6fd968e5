"""Measures evaluations on a Dask cluster on this machine: cluster_measure.py INPUTS HCLVM [MILLIONS]. bench/cluster runs it.

INPUTS is the folder of bench:inputs, HCLVM the program. Prints tables.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import dask.bag
import dask.dataframe
import distributed
import pandas

import hclvm
import hclvm.dask

# Partitions of 16 MB and, to show what the engine takes for each of them, of 3 MB.
LINES_IN_PART = 250_000
LINES_IN_SMALL_PART = 50_000


def part_of(lines, count):
    """Lines of requests, as a worker reads them from somewhere."""
    size = lines.count(b"\n")
    return [lines * (count // size)]


def size_of(answers):
    return [sum(len(answer) for answer in answers)]


def run_command(hclvm_program, text, lines, parts):
    """Seconds that `hclvm run` takes for as many lines, from a file and into one."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "policy.hcl").write_text(f"value = {text}\n")
        part = part_of(lines, LINES_IN_PART)[0]
        with open(folder / "lines", "wb") as file:
            for _ in range(parts):
                file.write(part)
        command = [hclvm_program, "run", folder / "policy.hcl", "--scopes", folder / "lines", "--entry", "value", "--quiet"]
        with open(folder / "answers", "wb") as file:
            begin = time.perf_counter()
            subprocess.run(command, stdout=file, check=True)
            return time.perf_counter() - begin


def on_cluster(workers, work):
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        client.run(lambda: __import__("hclvm.dask"))
        begin = time.perf_counter()
        result = work()
        return time.perf_counter() - begin, result


def main():
    inputs, hclvm_program = map(pathlib.Path, sys.argv[1:3])
    parts = int(float(sys.argv[3] if len(sys.argv) > 3 else 10) * 1_000_000) // LINES_IN_PART
    text = json.loads((inputs / "workloads.json").read_text())["W9"]
    lines = (inputs / "W9.ndjson").read_bytes()
    policy = hclvm.compile(text=f"value = {text}")
    total = len(part_of(lines, LINES_IN_PART)[0].splitlines()) * parts

    def bytes_made_in_workers(lines_in_part):
        made = [dask.delayed(part_of)(lines, lines_in_part) for _ in range(total // lines_in_part)]
        answers = hclvm.dask.evaluate(dask.bag.from_delayed(made), policy, entry="value")
        return sum(answers.map_partitions(size_of).compute())

    command = run_command(hclvm_program, text, lines, parts)
    print(f"{total:,} requests (W9):")
    print()
    print("| | seconds | requests a second | beside `hclvm run` |")
    print("|---|---:|---:|---:|")

    def row(name, seconds, count):
        share = seconds / count / (command / total)
        print(f"| {name} | {seconds:.2f} | {count / seconds:,.0f} | {share:.2f} |")

    row("`hclvm run`, one thread", command, total)
    times = {}
    wanted = len(policy.run_ndjson(lines, "value")) * (total // lines.count(b"\n"))
    for workers, lines_in_part in ((1, LINES_IN_PART), (1, LINES_IN_SMALL_PART), (2, LINES_IN_PART)):
        seconds, size = on_cluster(workers, lambda: bytes_made_in_workers(lines_in_part))
        assert size == wanted, (size, wanted)
        times.setdefault(workers, seconds)
        row(f"parts of {lines_in_part:,} lines made in {workers} worker{'s' * (workers > 1)}", seconds, total)
    few = 200_000
    scopes = [json.loads(line) for line in lines.splitlines()]
    rows = scopes * (few // len(scopes))
    seconds, values = on_cluster(
        2, lambda: hclvm.dask.evaluate(dask.bag.from_sequence(rows, npartitions=20), policy, entry="value").compute()
    )
    assert len(values) == len(rows)
    row("a bag of dicts, sent to 2 workers and back", seconds, len(rows))
    columns = hclvm.compile(text="value = age >= 18 && name != \"ann\"")
    frame = pandas.DataFrame({"age": range(few), "name": ["ann", "bob"] * (few // 2)})
    seconds, values = on_cluster(
        2,
        lambda: hclvm.dask.evaluate(dask.dataframe.from_pandas(frame, npartitions=20), columns, entry="value").compute(),
    )
    assert len(values) == few
    row("a DataFrame of 2 columns, sent to 2 workers and back", seconds, few)
    print()
    print(f"Two workers are {times[1] / times[2]:.2f} times as fast as one.")


if __name__ == "__main__":
    main()
