"""Measures evaluations on a Dask cluster on this machine: cluster_measure.py INPUTS HCLVM [MILLIONS]. bench/cluster runs it.

INPUTS is the folder of bench:inputs, HCLVM the program. Prints tables.
"""

import functools
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import dask
import dask.bag
import dask.dataframe
import distributed
import pandas

import hclvm
import hclvm.dask

# Partitions of 16 MB and, to show what the engine takes for each of them, of 3 MB.
LINES_IN_PART = 250_000
LINES_IN_SMALL_PART = 50_000

# As docs/scaling.md advises: workers keep memory for the next partition. Dask has it given back to the system each time.
KEPT_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": 32 << 20,
    "MALLOC_TRIM_THRESHOLD_": 256 << 20,
    "MALLOC_TOP_PAD_": 64 << 20,
}


def part_of(lines, count):
    """Lines of requests, as a worker reads them from somewhere."""
    size = lines.count(b"\n")
    return [lines * (count // size)]


def size_of(answers):
    return [sum(len(answer) for answer in answers)]


def run_command(hclvm_program, text, lines, parts):
    """Seconds, and those of the processor, that `hclvm run` takes for as many lines, from a file and into one."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "policy.hcl").write_text(f"value = {text}\n")
        part = part_of(lines, LINES_IN_PART)[0]
        with open(folder / "lines", "wb") as file:
            for _ in range(parts):
                file.write(part)
        command = [hclvm_program, "run", folder / "policy.hcl", "--scopes", folder / "lines", "--entry", "value", "--quiet"]
        with open(folder / "answers", "wb") as file:
            begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, stdout=file, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            return time.perf_counter() - begin, processor


def warm_up(policy, lines, count):
    """What a worker does once: it loads the package, compiles, and gets memory from the system."""
    import hclvm.dask

    for _ in range(3):
        size_of([policy.run_ndjson(part, "value") for part in part_of(lines, count)])


def on_cluster(workers, work, warm=None, kept_memory=KEPT_MEMORY):
    """The seconds of work() on so many workers, those of the workers' processors, those of the scheduler's and the client's,
    which are one process here, and what it gives."""
    with dask.config.set({"distributed.nanny.pre-spawn-environ": kept_memory}), distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        client.run(lambda: __import__("hclvm.dask"))
        if warm is not None:
            client.run(warm)
        before, own = sum(client.run(time.process_time).values()), time.process_time()
        begin = time.perf_counter()
        result = work()
        seconds, own = time.perf_counter() - begin, time.process_time() - own
        return seconds, sum(client.run(time.process_time).values()) - before, own, result


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

    command, alone = run_command(hclvm_program, text, lines, parts)
    print(f"{total:,} requests (W9):")
    print()
    print(
        "| | seconds | requests a second | beside `hclvm run` | processor time of the workers | beside `hclvm run`"
        " | of scheduler and client |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")

    def row(name, seconds, processor, own, count):
        shares = [each / count / (of / total) for each, of in ((seconds, command), (processor, alone))]
        print(
            f"| {name} | {seconds:.2f} | {count / seconds:,.0f} | {shares[0]:.2f} | {processor:.2f} | {shares[1]:.2f}"
            f" | {own:.2f} |"
        )

    row("`hclvm run`, one thread", command, alone, 0, total)
    times = {}
    wanted = len(policy.run_ndjson(lines, "value")) * (total // lines.count(b"\n"))
    for workers, lines_in_part, kept_memory in (
        (1, LINES_IN_PART, KEPT_MEMORY),
        (1, LINES_IN_SMALL_PART, KEPT_MEMORY),
        (1, LINES_IN_PART, {"MALLOC_TRIM_THRESHOLD_": 64 << 10}),
        (2, LINES_IN_PART, KEPT_MEMORY),
    ):
        warm = functools.partial(warm_up, policy, lines, lines_in_part)
        *measured, size = on_cluster(workers, lambda: bytes_made_in_workers(lines_in_part), warm, kept_memory)
        assert size == wanted, (size, wanted)
        times.setdefault(workers, measured)
        how = "" if kept_memory is KEPT_MEMORY else ", whose memory goes back each time"
        row(f"parts of {lines_in_part:,} lines made in {workers} worker{'s' * (workers > 1)}{how}", *measured, total)
    few = 200_000
    scopes = [json.loads(line) for line in lines.splitlines()]
    rows = scopes * (few // len(scopes))
    *measured, values = on_cluster(
        2, lambda: hclvm.dask.evaluate(dask.bag.from_sequence(rows, npartitions=20), policy, entry="value").compute()
    )
    assert len(values) == len(rows)
    row("a bag of dicts, sent to 2 workers and back", *measured, len(rows))
    columns = hclvm.compile(text="value = age >= 18 && name != \"ann\"")
    frame = pandas.DataFrame({"age": range(few), "name": ["ann", "bob"] * (few // 2)})
    *measured, values = on_cluster(
        2,
        lambda: hclvm.dask.evaluate(dask.dataframe.from_pandas(frame, npartitions=20), columns, entry="value").compute(),
    )
    assert len(values) == few
    row("a DataFrame of 2 columns, sent to 2 workers and back", *measured, few)
    (one, work_of_one, _), (two, work_of_two, own) = times[1], times[2]
    print()
    print(
        f"Two workers are {one / two:.2f} times as fast as one here. Where each has a processor, and the scheduler and the client"
        f" have one, they are {work_of_one / max(work_of_two / 2, own):.2f} times as fast by their processor time: each works"
        f" for {work_of_two / 2:.2f} s in place of {work_of_one:.2f} s."
    )


if __name__ == "__main__":
    main()
