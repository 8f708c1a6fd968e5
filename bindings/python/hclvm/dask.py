"""Evaluations on a cluster: a program over the partitions of a Dask bag or DataFrame.

    import dask.bag, hclvm, hclvm.dask

    policy = hclvm.compile(path="policy.hcl")
    decisions = hclvm.dask.evaluate(dask.bag.from_sequence(requests), policy, entry="allow", data=["users.json"])
    decisions.compute()

The scheduler that is in use computes them, such as that of dask.distributed. Each worker process compiles the program
once and reads the data once, whatever number of partitions it gets; the text of the program goes with the tasks. A
partition runs without the GIL but for making values of objects.
"""

import collections
import hashlib
import pickle
import threading

import hclvm

_MOST_PROGRAMS = 64
_lock = threading.Lock()
_programs = collections.OrderedDict()


class _Shared:
    """A program that is made once in each process, however often it is unpickled."""

    def __init__(self, program, data=None, files=(), replaceable=()):
        self._made = (program, data, tuple(files), tuple(replaceable))
        self._key = None

    def __getstate__(self):
        state = pickle.dumps(self._made)
        return hashlib.sha256(state).digest(), state

    def __setstate__(self, state):
        self._key, self._made = state

    def __dask_tokenize__(self):
        return self.__getstate__()[0].hex()

    def get(self):
        """The program, in this process."""
        with _lock:
            if self._key is None:
                self._key, self._made = self.__getstate__()
            program = _programs.get(self._key)
            if program is None:
                program, data, files, replaceable = pickle.loads(self._made)
                if data is not None or files:
                    program = hclvm.with_data(program, data, files=files, replaceable=replaceable)
                _programs[self._key] = program
                if len(_programs) > _MOST_PROGRAMS:
                    _programs.popitem(last=False)
            _programs.move_to_end(self._key)
            return program


def evaluate(collection, program, *, entry=None, data=None, replaceable=(), errors="return", threads=1):
    """The values of `program`, or of its attribute `entry`, over `collection`, in its order and partitions.

    | collection | gives |
    |---|---|
    | a Dask bag of dicts, the variables | a bag of values |
    | a Dask bag of bytes, each of many lines of JSON objects | a bag of bytes, each the lines of answers |
    | a Dask DataFrame, whose columns are the variables | a Series of values, with the index of the rows |
    | a pandas DataFrame | the same of pandas, at once |

    What is missing in a column (NaN, NaT, NA) is null. Where `errors` is "return", the exception of a row stands in the
    place of its value; with "raise" it fails the partition. Lines of answers have their diagnostics in any case. `data` is what
    all rows have besides: a dict, or a list of files that the workers can read, as of hclvm.with_data(); rows may give those
    that are named in `replaceable` as well. `threads` work on each partition.
    """
    if errors not in ("raise", "return"):
        raise ValueError('errors is "raise" or "return"')
    is_dict = data is None or isinstance(data, dict)
    shared = _Shared(program, data if is_dict else None, () if is_dict else map(str, data), replaceable)
    how = {"shared": shared, "entry": entry, "errors": errors, "threads": threads}
    if hasattr(collection, "to_textfiles"):
        return collection.map_partitions(_of_partition, **how)
    if hasattr(collection, "map_partitions"):
        return collection.map_partitions(_of_frame, **how, meta=(entry or "value", object))
    if hasattr(collection, "columns"):
        return _of_frame(collection, **how)
    raise TypeError(f"a Dask bag or DataFrame is expected, not {type(collection).__name__}")


def _of_partition(rows, shared, entry, errors, threads):
    """The values of dicts, or the answers to bytes, in a partition."""
    program = shared.get()
    results, scopes = [], []

    def run_scopes():
        results.extend(program.run_many(scopes, entry, threads=threads, errors=errors))
        scopes.clear()

    for row in rows:
        if isinstance(row, (bytes, bytearray, memoryview)):
            run_scopes()
            results.append(program.run_ndjson(row, entry, threads=threads))
        else:
            scopes.append(row)
    run_scopes()
    return results


def _of_frame(frame, shared, entry, errors, threads):
    import pandas

    program = shared.get()
    names = [name for name in frame.columns if name in set(program.variables)]
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in names]
    rows = (dict(zip(names, row)) for row in zip(*columns)) if names else ({} for _ in range(len(frame)))
    values = program.run_many(rows, entry, threads=threads, errors=errors)
    series = pandas.Series([None] * len(values), index=frame.index, name=entry or "value", dtype=object)
    # One by one: pandas takes lists and dicts apart otherwise.
    for position, value in enumerate(values):
        series.iat[position] = value
    return series
