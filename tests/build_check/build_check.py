#!/usr/bin/env -S python3 -B
"""Checks the BUILD files: build_check.py ROOT.

Prints one line per fault in the tree below ROOT, and exits with 1 if there is any:

- A target's file includes what neither the target nor a direct dependency of it provides. A target that has nothing of
  its own but includes, an umbrella, provides what its dependencies do.
- A library outside of tests/, bench/, cmd/ and examples/ depends on an umbrella.
- A library depends directly on what none of its files includes.
- A file includes a header that is among the `srcs` of a target in another package.
- A C++ source belongs to no target.
- No `unit_tests` behind a `unit_test` takes it up, so that nothing would run it.

Tested by build_check_test.py.
"""

import os
import re

import build_files
import cpp_sources

# Headers of other people -> their target. Others of Abseil have the name of their file, but for strings.
EXTERNAL = [
    (r"absl/base/(attributes|macros|optimization|thread_annotations)\.h", "@abseil-cpp//absl/base:core_headers"),
    (r"absl/hash/hash\.h", "@abseil-cpp//absl/hash:hash"),
    (r"absl/strings/(cord|str_format)\.h", r"@abseil-cpp//absl/strings:\1"),
    (r"absl/strings/.*", "@abseil-cpp//absl/strings:strings"),
    (r"absl/synchronization/.*", "@abseil-cpp//absl/synchronization:synchronization"),
    (r"absl/time/.*", "@abseil-cpp//absl/time:time"),
    (r"absl/(.*)/(.*)\.h", r"@abseil-cpp//absl/\1:\2"),
    (r"benchmark/.*", "@google_benchmark//:benchmark"),
    (r"(archive|archive_entry)\.h", "@libarchive//libarchive:libarchive"),
    (r"boost/asio/.*", "@boost.asio//:boost.asio"),
    (r"boost/beast/.*", "@boost.beast//:boost.beast"),
    (r"boost/crc\.hpp", "@boost.crc//:boost.crc"),
    (r"boost/.*", "@boost.multiprecision//:boost.multiprecision"),
    (r"(gmock|gtest)/.*", "@googletest//:gtest"),
    (r"google/protobuf/.*", "@protobuf//:protobuf"),
    (r"grpcpp/ext/proto_server_reflection_plugin\.h", "@grpc//:grpc++_reflection"),
    (r"(grpc|grpcpp)/.*", "@grpc//:grpc++"),
    (r"nlohmann/.*", "@nlohmann_json//:json"),
    (r"openssl/ssl\.h", "@openssl//:ssl"),
    (r"openssl/.*", "@openssl//:crypto"),
    (r"re2/.*", "@re2//:re2"),
    (r"simdjson\.h", "@simdjson//:simdjson"),
    (r"utf8proc\.h", "@utf8proc//:utf8proc"),
    (r"yaml\.h", "@libyaml//:libyaml"),
    (r"zlib\.h", "@zlib//:zlib"),
]
# What comes with a target of other people.
WITH = {
    "@google_benchmark//:benchmark_main": "@google_benchmark//:benchmark",
    "@googletest//:gtest_main": "@googletest//:gtest",
}
# Who may depend on umbrellas.
OUTER = ("tests", "bench", "bindings", "cmd", "examples", "workbench")


def external_target(included):
    for pattern, label in EXTERNAL:
        match = re.fullmatch(pattern, included)
        if match:
            return match.expand(label)
    return None


class Checker:
    """Checks the tree below `top`, once; what is wrong is in `faults`."""

    def __init__(self, top):
        self.top = top
        self.targets, self.others = build_files.read_packages(top)
        self.sources = {path: cpp_sources.read(top, path) for path in cpp_sources.paths(top)}
        self.public = {}  # header -> labels of the targets that provide it
        self.private = {}
        self.faults = []
        for target in self.targets.values():
            for table, files in ((self.public, target.headers), (self.private, target.sources)):
                for path in files:
                    table.setdefault(path, set()).add(target.label)

    def run(self):
        for target in self.targets.values():
            self.check_target(target)
        for path in self.sources:
            if path not in self.public and path not in self.private and path not in self.others:
                self.faults.append(f"{path}: belongs to no target")
        return sorted(self.faults)

    def is_umbrella(self, label):
        target = self.targets.get(label)
        if target is None or target.kind == "proto_files":
            return False
        return all(cpp_sources.only_includes(self.sources.get(path, "")) for path in target.files())

    def provided(self, label):
        """The labels whose headers a target may include that depends on `label`."""
        labels = {label, WITH.get(label, label)}
        if self.is_umbrella(label):
            for dep in self.targets[label].deps:
                labels |= self.provided(dep)
        return labels

    def providers(self, target, path, included):
        """The targets that give `included` to `path`, any of which will do; none: nothing is needed."""
        if not included.startswith("hclvm/"):
            label = external_target(included)
            return {label} if label else set()
        header = included[len("hclvm/") :]
        if header in target.files():
            return set()
        if header in self.public:
            return self.public[header]
        labels = self.private.get(header, set())
        if not labels:
            self.faults.append(f"{path}: includes {header}, which is in no target")
        elif target.package != os.path.dirname(header):
            self.faults.append(f"{path}: includes {header}, which is private to {' '.join(sorted(labels))}")
        return labels

    def check_target(self, target):
        is_umbrella = self.is_umbrella(target.label)
        deps = {dep: self.provided(dep) for dep in target.deps}
        direct = {target.label}.union(*deps.values())
        used = set()
        if target.suite:
            self.faults.append(f"{target.label}: no unit_tests named {target.suite} comes after it")
        for path in target.files():
            for included in cpp_sources.includes(self.sources.get(path, "")):
                labels = self.providers(target, path, included)
                used |= labels
                if labels and not labels & direct:
                    wanted = " or ".join(sorted(labels))
                    self.faults.append(f"{target.label}: {path} includes {included}: depend on {wanted}")
        if target.kind != "cc_library" or is_umbrella:
            return
        for dep, labels in deps.items():
            if not labels & used:
                self.faults.append(f"{target.label}: none of its files includes anything of {dep}")
            elif self.is_umbrella(dep) and target.package.split("/")[0] not in OUTER and not target.testonly:
                self.faults.append(f"{target.label}: depends on {dep}, which only names others: name those")


def check(top):
    return Checker(top).run()


if __name__ == "__main__":
    cpp_sources.report(check)
