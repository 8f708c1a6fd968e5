"""Interpreters beside the main one, which pybind11 does not serve."""

import subprocess
import sys

import pytest

interpreters = pytest.importorskip("_xxsubinterpreters")

CODE = """
import _xxsubinterpreters as interpreters, sys
import sys
if "first" in sys.argv:
    import hclvm
    assert hclvm.compile("1 + 1", kind="expression").run({}) == 2
other = interpreters.create()
interpreters.run_string(other, f'''
import sys
sys.path[:] = {sys.path!r}
try:
    import hclvm
except ImportError as error:
    print("refused:", error)
''')
import hclvm
print("still", hclvm.compile("2 + 2", kind="expression").run({}))
"""


@pytest.mark.parametrize("order", ["first", "last"])
def test_import_in_a_subinterpreter_is_an_error(order):
    """Whether the main interpreter has imported the package before or not."""
    done = subprocess.run([sys.executable, "-c", CODE, order], capture_output=True, text=True, timeout=60)
    assert "refused: hclvm works in the main interpreter of a process only" in done.stdout, done.stderr
    assert "still 4" in done.stdout
