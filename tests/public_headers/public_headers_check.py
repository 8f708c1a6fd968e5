"""Checks the public headers of a source tree: public_headers_check.py ROOT.

Prints one line per fault and exits with 1 if there is any:

- a header that can be reached from a public one, and is neither public nor in the list of internal ones;
- a header in a list that is not there, or stands below internal/ and in no list;
- a public header that docs/embedding.md does not name, or one that it names and is not public;
- a header for C that some compiler for C or C++ does not take alone, or that includes one of ours;
- a public header that an older C++ meets with more than a few lines of errors (needs a compiler: $CXX or c++).
"""

import os
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]hclvm/([^">]+)[">]', re.M)
# The #error, the header that is not there, what compilers print around the two, and as much of a newer Abseil, which
# may be included before and has a message of its own. Errors in templates would be hundreds of lines.
MOST_LINES = 24


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def reachable(header, seen):
    """Adds `header` and all of ours that it includes to `seen`: header -> who included it first."""
    for included in INCLUDE.findall(read(header)):
        if included not in seen:
            seen[included] = header
            reachable(included, seen)


def check_lists(public, internal):
    faults = [f"{header}: in the list, and not there" for header in public + internal if not os.path.exists(header)]
    if faults:
        return faults
    for name in sorted(os.listdir("internal")):
        if name.endswith(".h") and f"internal/{name}" not in internal:
            faults.append(f"internal/{name}: in no list")
    seen = {}
    for header in public:
        seen.setdefault(header, header)
        reachable(header, seen)
    for header, includer in sorted(seen.items()):
        if header not in public and header not in internal:
            faults.append(f"{header}: internal, and {includer} includes it")
    return faults


def check_c_headers(headers):
    """Headers for C, which are nobody else's: old standards of both languages take them, without a warning."""
    faults = []
    compiler = os.environ.get("CC", "cc")
    for header in headers:
        if INCLUDE.findall(read(header)):
            faults.append(f"{header}: for C, and includes headers of ours")
        for language in ("-xc -std=c99", "-xc -std=c11", "-xc++ -std=c++11", "-xc++ -std=c++17"):
            options = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
            command = [compiler, *language.split(), *options, "-include", header, "-"]
            run = subprocess.run(command, input="", stderr=subprocess.PIPE, check=False, text=True)
            if run.returncode != 0:
                faults.append(f"{header}: {language} does not take it: {run.stderr}")
    return faults


def check_documentation(public):
    named = set(re.findall(r"`hclvm/([\w/]+\.h)`", read("docs/embedding.md")))
    faults = [f"{header}: public, and docs/embedding.md does not name it" for header in public if header not in named]
    return faults + [f"{header}: docs/embedding.md names it, and it is not public" for header in named - set(public)]


def check_old_standard(public):
    compiler = os.environ.get("CXX", "c++")
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.getcwd(), os.path.join(folder, "hclvm"))
        for header in public:
            source = os.path.join(folder, "old.cc")
            with open(source, "w", encoding="utf-8") as file:
                file.write(f'#include "hclvm/{header}"\n')
            command = [compiler, "-std=c++14", "-fsyntax-only", "-I" + folder, source]
            run = subprocess.run(command, stderr=subprocess.PIPE, check=False, text=True)
            lines = run.stderr.splitlines()
            if run.returncode == 0 or not any("hclvm needs C++17 or later: compile with" in line for line in lines):
                faults.append(f"{header}: C++14 gets no message that C++17 is needed")
            elif len(lines) > MOST_LINES:
                faults.append(f"{header}: C++14 gets {len(lines)} lines of errors")
    return faults


def main():
    os.chdir(sys.argv[1])
    lists = {}
    exec(read("tests/public_headers/public_headers.bzl"), lists)  # pylint: disable=exec-used
    public, internal, for_c = lists["PUBLIC_HEADERS"], lists["INTERNAL_HEADERS"], lists["C_HEADERS"]
    faults = check_lists(public, internal)
    if not faults:
        faults += check_documentation(public + for_c)
        if subprocess.run([os.environ.get("CXX", "c++"), "--version"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
            faults += check_old_standard(public) + check_c_headers(for_c)
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
