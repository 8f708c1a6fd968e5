#!/usr/bin/env python3
"""Writes what registries of packages want of a release: tools/ports.py ARCHIVE URL HOMEPAGE FOLDER.

ARCHIVE is what tools/package makes of the sources, URL is where it can be had. FOLDER gets

  bazel/   modules/hclvm/... for the Bazel Central Registry
  vcpkg/   a port, ports/hclvm
  conan/   a recipe, recipes/hclvm

Tested by tests/ports_test.py.
"""

import base64
import hashlib
import json
import os
import re
import sys
import tarfile

SUMMARY = "HCL, HashiCorp's configuration language, compiled once and evaluated many times"
LICENSE = "Apache-2.0"

PRESUBMIT = """\
matrix:
  platform: ["debian11", "ubuntu2204"]
  bazel: ["7.x", "8.x"]
tasks:
  verify_targets:
    name: "Build the library"
    platform: ${{ platform }}
    bazel: ${{ bazel }}
    build_flags: ["--cxxopt=-std=c++17"]
    build_targets: ["@hclvm//:hclvm", "@hclvm//:hclvm_core", "@hclvm//bindings/c:hclvm_c"]
bcr_test_module:
  module_path: "examples/bazel_consumer"
  matrix:
    platform: ["debian11", "ubuntu2204"]
    bazel: ["7.x", "8.x"]
  tasks:
    run_tests:
      name: "Build and run a program that depends on it"
      platform: ${{ platform }}
      bazel: ${{ bazel }}
      build_targets: ["//..."]
"""

PORTFILE = """\
vcpkg_download_distfile(ARCHIVE URLS "{url}" FILENAME "hclvm-{version}.tar.gz" SHA512 {sha512})
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${{ARCHIVE}}")
vcpkg_cmake_configure(SOURCE_PATH "${{SOURCE_PATH}}" OPTIONS -DHCLVM_PROGRAMS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME hclvm CONFIG_PATH lib/cmake/hclvm)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${{CURRENT_PACKAGES_DIR}}/debug/include")
vcpkg_install_copyright(FILE_LIST "${{SOURCE_PATH}}/LICENSE")
"""

CONANFILE = '''\
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class HclvmConan(ConanFile):
    name = "hclvm"
    description = "{summary}"
    license = "{license}"
    homepage = "{homepage}"
    topics = ("hcl", "configuration", "policy", "bytecode")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {{"fPIC": [True, False]}}
    default_options = {{"fPIC": True}}

    def requirements(self):
        self.requires("abseil/[>=20220623.0]", transitive_headers=True)
        self.requires("boost/[>=1.74.0]", headers=True, libs=False, transitive_headers=True)
        self.requires("libyaml/0.2.5")
        self.requires("openssl/[>=1.1 <4]")
        self.requires("re2/[>=20211101]")
        self.requires("utf8proc/[>=2.8.0]")
        self.requires("zlib/[>=1.2.11 <2]")

    def validate(self):
        check_min_cppstd(self, 17)

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["HCLVM_PROGRAMS"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["hclvm"]
        self.cpp_info.set_property("cmake_file_name", "hclvm")
        self.cpp_info.set_property("cmake_target_name", "hclvm::hclvm")
        self.cpp_info.system_libs = ["m", "pthread"]
'''


def member(archive, name):
    with tarfile.open(archive) as tar:
        top = tar.next().name.split("/")[0]
        return tar.extractfile(f"{top}/{name}").read().decode(), top


def pretty(value):
    return json.dumps(value, indent=4) + "\n"


def files(archive, url, homepage):
    """Path below the folder -> text."""
    module, top = member(archive, "MODULE.bazel")
    version = re.search(r'^    version = "(.*)",$', module, re.MULTILINE)[1]
    with open(archive, "rb") as file:
        data = file.read()
    sha256 = hashlib.sha256(data)
    sha512 = hashlib.sha512(data).hexdigest()
    modules = f"bazel/modules/hclvm/{version}"
    return {
        "bazel/modules/hclvm/metadata.json": pretty({
            "homepage": homepage, "maintainers": [], "repository": [url.rsplit("/", 1)[0] + "/"],
            "versions": [version], "yanked_versions": {},
        }),
        f"{modules}/MODULE.bazel": module,
        f"{modules}/source.json": pretty({
            "url": url, "integrity": "sha256-" + base64.b64encode(sha256.digest()).decode(), "strip_prefix": top,
        }),
        f"{modules}/presubmit.yml": PRESUBMIT,
        "vcpkg/ports/hclvm/portfile.cmake": PORTFILE.format(url=url, version=version, sha512=sha512),
        "vcpkg/ports/hclvm/vcpkg.json": pretty({
            "name": "hclvm", "version-semver": version, "description": SUMMARY, "homepage": homepage, "license": LICENSE,
            "supports": "linux | osx",
            "dependencies": ["abseil", "boost-crc", "boost-multiprecision", "libyaml", "openssl", "re2", "utf8proc",
                             {"name": "vcpkg-cmake", "host": True}, {"name": "vcpkg-cmake-config", "host": True}, "zlib"],
        }),
        "conan/recipes/hclvm/config.yml": f'versions:\n  "{version}":\n    folder: all\n',
        "conan/recipes/hclvm/all/conandata.yml":
            f'sources:\n  "{version}":\n    url: "{url}"\n    sha256: "{sha256.hexdigest()}"\n',
        "conan/recipes/hclvm/all/conanfile.py": CONANFILE.format(summary=SUMMARY, license=LICENSE, homepage=homepage),
    }


def main():
    archive, url, homepage, folder = sys.argv[1:]
    for path, text in files(archive, url, homepage).items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
