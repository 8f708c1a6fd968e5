"""The repositories that hclvm needs, for a WORKSPACE (Bazel 4 to 6; Bazel 7 and later read MODULE.bazel).

    load("@hclvm//tools/bazel:deps.bzl", "hclvm_deps")

    hclvm_deps()

Everything comes from Debian's -dev packages and nothing is downloaded; docs/dependencies.md lists the packages. What is
missing is said in one line. A repository that the WORKSPACE has defined before is left alone, so that a workspace can
bring its own Abseil or its own rules.
"""

load(":debian_abseil.bzl", "debian_abseil")
load(":debian_grpc.bzl", "debian_grpc", "debian_protobuf")
load(":debian_library.bzl", "debian_folder", "debian_library", "debian_packages", "debian_trimmed_library")
load(":debian_pybind11.bzl", "debian_pybind11")
load(":debian_rules.bzl", "remote_coverage_tools", "rules_cc", "rules_shell")

def _unless_there(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

# File that proves a package is there -> the package.
_LIBRARY_PACKAGES = {
    "/usr/include/absl/base/config.h": "libabsl-dev",
    "/usr/include/archive.h": "libarchive-dev",
    "/usr/include/boost/crc.hpp": "libboost-dev",
    "/usr/include/nlohmann/json.hpp": "nlohmann-json3-dev",
    "/usr/include/openssl/evp.h": "libssl-dev",
    "/usr/include/re2/re2.h": "libre2-dev",
    "/usr/include/utf8proc.h": "libutf8proc-dev",
    "/usr/include/yaml.h": "libyaml-dev",
    "/usr/include/zlib.h": "zlib1g-dev",
    "/usr/share/bazel/rules/java/WORKSPACE": "bazel-rules-java",
    "/usr/share/bazel/rules/proto/WORKSPACE": "bazel-rules-proto",
    "/usr/share/bazel/tools/skylib/WORKSPACE": "bazel-skylib",
}

_DEV_PACKAGES = {
    "/usr/include/benchmark/benchmark.h": "libbenchmark-dev",
    "/usr/bin/grpc_cpp_plugin": "protobuf-compiler-grpc",
    "/usr/bin/protoc": "protobuf-compiler",
    "/usr/include/gmock/gmock.h": "libgmock-dev",
    "/usr/include/google/protobuf/struct.proto": "libprotobuf-dev",
    "/usr/include/grpcpp/grpcpp.h": "libgrpc++-dev",
    "/usr/include/gtest/gtest.h": "libgtest-dev",
    "/usr/include/pybind11/pybind11.h": "pybind11-dev",
    "/usr/include/simdjson.h": "libsimdjson-dev",
}

def hclvm_deps():
    """Defines the repositories that the library and its programs need."""

    # Whichever repository is looked at first names all packages that are missing.
    debian_packages(name = "hclvm_packages", packages = _LIBRARY_PACKAGES)
    needed = "@hclvm_packages//:all_there"

    _unless_there(debian_abseil, "abseil-cpp", needed = needed)
    _unless_there(debian_library, "boost.crc", needed = needed)
    _unless_there(debian_library, "boost.multiprecision", needed = needed)
    _unless_there(debian_trimmed_library, "libarchive", package = "libarchive", library = "archive", needed = needed)
    _unless_there(debian_library, "libyaml", libraries = {"yaml": []}, needed = needed)
    _unless_there(debian_library, "nlohmann_json", headers = ["json"], needed = needed)
    _unless_there(debian_library, "openssl", libraries = {"crypto": [], "ssl": ["crypto"]}, needed = needed)
    _unless_there(debian_library, "re2", libraries = {"re2": []}, needed = needed)
    _unless_there(debian_library, "utf8proc", libraries = {"utf8proc": []}, needed = needed)
    _unless_there(debian_library, "zlib", libraries = {"z": []}, needed = needed)

    _unless_there(rules_cc, "rules_cc")
    _unless_there(rules_shell, "rules_shell")
    _unless_there(remote_coverage_tools, "remote_coverage_tools")
    _unless_there(debian_folder, "rules_java", path = "/usr/share/bazel/rules/java", needed = needed)
    _unless_there(debian_folder, "rules_proto", path = "/usr/share/bazel/rules/proto", needed = needed)
    _unless_there(debian_folder, "bazel_skylib", path = "/usr/share/bazel/tools/skylib", needed = needed)

def hclvm_dev_deps():
    """Defines the repositories that only the service, the tests and the benchmarks of hclvm itself need."""
    debian_packages(name = "hclvm_dev_packages", packages = _DEV_PACKAGES)
    needed = "@hclvm_dev_packages//:all_there"

    # Headers alone.
    _unless_there(debian_library, "boost.asio", needed = needed)
    _unless_there(debian_library, "boost.beast", needed = needed)

    _unless_there(debian_protobuf, "protobuf", needed = needed)
    _unless_there(debian_grpc, "grpc", needed = needed)

    _unless_there(
        debian_library,
        "google_benchmark",
        libraries = {
            "benchmark": [],
            "benchmark_main": ["benchmark"],
        },
        needed = needed,
    )
    _unless_there(
        debian_library,
        "googletest",
        # As upstream, gtest contains gmock, and gtest_main initialises both.
        libraries = {
            "gmock": [],
            "gmock_main": [],
            "gtest": ["gmock"],
            "gtest_main": [
                "gmock_main",
                "gtest",
            ],
        },
        needed = needed,
    )
    _unless_there(debian_pybind11, "pybind11_bazel", needed = needed)
    _unless_there(
        debian_library,
        "simdjson",
        defines = ["SIMDJSON_THREADS_ENABLED=1"],
        libraries = {"simdjson": []},
        needed = needed,
    )
