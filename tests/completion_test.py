#!/usr/bin/env python3
"""The completions of shells, asked as a user's shell asks them: completion_test.py HCLVM.

Each case runs in bash, zsh and fish; a shell that is not installed is named and passed over.
"""

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

HCLVM = os.path.abspath(sys.argv[1])
failures = []

# A line up to the cursor, what must be among the offers, what must not.
CASES = [
    ("hclvm ", ["run", "eval", "check", "completion"], ["--scopes"]),
    ("hclvm ch", ["check"], ["run"]),
    ("hclvm run --sc", ["--scopes"], ["--entry"]),
    ("hclvm run --output ", ["ndjson", "json", "text"], ["spec"]),
    ("hclvm run -o t", ["text"], ["json"]),
    ("hclvm check --diagnostics s", ["sarif"], ["text"]),
    ("hclvm run pol", ["policy.hcl"], ["other.txt"]),
    ("hclvm run --scopes req", ["requests.ndjson"], ["policy.hcl"]),
    ("hclvm run --limit pol", [], ["policy.hcl"]),
    ("hclvm completion z", ["zsh"], ["bash"]),
    ("hclvm bundle ", ["build", "sign", "diff"], ["run"]),
    ("hclvm bundle bu", ["build"], ["sign"]),
    ("hclvm bundle build --rev", ["--revision"], ["--key"]),
    ("hclvm bundle inspect --format j", ["json"], ["text"]),
    ("hclvm bundle verify --key req", ["requests.ndjson"], ["policy.hcl"]),
    ("hclvm diff --for", ["--format"], ["--key"]),
    ("hcldec --keep", ["--keep-nulls"], ["--dynamic"]),
    ("hcldec pol", ["policy.hcl"], ["other.txt"]),
    ("hclvm-serve --fail-mode d", ["deny"], ["allow"]),
    ("hclvm-serve --adm", ["--admin-listen", "--admin-token-file"], ["--bundle"]),
    ("hclvm-serve rep", ["replay"], []),
    ("hclvm-serve replay --fa", ["--fail-on-change"], ["--fail-mode"]),
    ("hclvm-envoy --error-form r", ["response"], ["status"]),
]


def expect(shell, line, offers, wanted, unwanted):
    lacking = [word for word in wanted if word not in offers]
    wrong = [word for word in unwanted if word in offers]
    if lacking or wrong:
        failures.append(f"{shell}: {line!r} lacks {lacking}, has {wrong}; it offers {offers}")


def script(shell, program=None):
    command = [HCLVM, "completion", shell] + ([program] if program else [])
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_bash(folder):
    for line, wanted, unwanted in CASES + [("hclvm run --output=", ["ndjson"], []), ("hclvm run --output=te", ["text"], ["json"])]:
        words = line.replace("=", " = ").split(" ")
        if line.endswith("="):
            words.pop()
        program = "\n".join([
            script("bash"),
            "COMP_WORDS=(" + " ".join(f"'{word}'" for word in words) + f") COMP_CWORD={len(words) - 1}",
            f"_hclvm {words[0]} 2>/dev/null; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        ])
        got = subprocess.run(["bash", "--norc", "-c", program], cwd=folder, capture_output=True, text=True)
        if got.stderr:
            failures.append(f"bash: {line!r}: {got.stderr}")
        expect("bash", line, got.stdout.split("\n"), wanted, unwanted)
    # It registers itself for each program.
    listed = subprocess.run(["bash", "--norc", "-c", script("bash") + "\ncomplete -p"], capture_output=True, text=True)
    for program in ["hclvm", "hcldec", "hclvm-serve", "hclvm-envoy"]:
        if not listed.stdout.rstrip().endswith(program) and f" {program}\n" not in listed.stdout:
            failures.append(f"bash: no completion for {program}: {listed.stdout}{listed.stderr}")


def test_fish(folder):
    for line, wanted, unwanted in CASES:
        with open(os.path.join(folder, ".fish"), "w", encoding="utf-8") as file:
            file.write(script("fish"))
        got = subprocess.run(["fish", "--no-config", "-c", f"source .fish; complete -C '{line}'"], cwd=folder,
                             env={**os.environ, "HOME": folder}, capture_output=True, text=True)
        if got.stderr:
            failures.append(f"fish: {line!r}: {got.stderr}")
        expect("fish", line, [text.split("\t")[0] for text in got.stdout.split("\n")], wanted, unwanted)


class Terminal:
    """A zsh that a person seems to type to."""

    def __init__(self, folder):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(HOME=folder, ZDOTDIR=folder, TERM="dumb", COLUMNS="250", LINES="60")
            os.execvp("zsh", ["zsh", "-f", "-i"])

    def send(self, text):
        os.write(self.file, text.encode())

    def read_until(self, mark, seconds=20):
        text, end = "", time.time() + seconds
        while mark not in text and time.time() < end:
            if select.select([self.file], [], [], 0.1)[0]:
                text += os.read(self.file, 65536).decode(errors="replace")
        return text

    def close(self):
        self.send("\x15exit\n")
        os.close(self.file)
        os.waitpid(self.pid, 0)


def test_zsh(folder):
    """What zsh would offer: its function compadd is asked what it was given."""
    os.makedirs(os.path.join(folder, "functions"), exist_ok=True)
    with open(os.path.join(folder, "functions", "_hclvm"), "w", encoding="utf-8") as file:
        file.write(script("zsh"))
    terminal = Terminal(folder)
    # Each Tab lists what it offers in a file, one a line, and leaves the line as it is.
    terminal.send(
        "PS1=; unsetopt zle_bracketed_paste; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; "
        "compadd() { local -a got; builtin compadd -O got \"$@\"; print -rl -- $got >>offers; builtin compadd \"$@\" }; "
        "list() { : >offers; zle list-choices; print -r -- >>offers; BUFFER=; print -r -- LIST'ED' }; "
        "zle -N list; bindkey '^T' list; print REA'DY'\n")
    if "READY" not in terminal.read_until("READY"):
        failures.append("zsh did not start")
    for line, wanted, unwanted in CASES + [("hclvm run --output=", ["ndjson"], [])]:
        terminal.send(line + "\x14")
        text = terminal.read_until("LISTED")
        if "LISTED" not in text:
            failures.append(f"zsh: {line!r}: no answer, but {text!r}")
            continue
        with open(os.path.join(folder, "offers"), encoding="utf-8") as file:
            offers = [word.rstrip("=") for word in file.read().split("\n")]
        expect("zsh", line, offers, wanted, unwanted)
    terminal.close()


def main():
    for shell, test in [("bash", test_bash), ("fish", test_fish), ("zsh", test_zsh)]:
        if shutil.which(shell) is None:
            print(f"{shell} is not installed: not tried")
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name in ["policy.hcl", "requests.ndjson", "other.txt"]:
                open(os.path.join(folder, name), "w", encoding="utf-8").close()
            test(folder)
    for failure in failures:
        print("FAIL", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
