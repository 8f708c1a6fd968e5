#!/usr/bin/env python3
"""What tools/ports.py writes for registries: ports_test.py PORTS MODULE_BAZEL.

Its JSON, and its Python as far as that can be read without Conan; no registry is asked.
"""

import ast
import base64
import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

PORTS, MODULE = (os.path.abspath(path) for path in sys.argv[1:])
URL = "https://example.com/releases/hclvm-0.1.0.tar.gz"


class PortsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.archive = os.path.join(self.folder, "hclvm-0.1.0.tar.gz")
        with tarfile.open(self.archive, "w:gz") as tar:
            tar.add(os.path.realpath(MODULE), "hclvm-0.1.0/MODULE.bazel")
        command = [sys.executable, PORTS, self.archive, URL, "https://example.com", self.folder]
        subprocess.run(command, check=True)

    def read(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            return file.read()

    def test_bazel(self):
        metadata = json.loads(self.read("bazel/modules/hclvm/metadata.json"))
        self.assertEqual(metadata["versions"], ["0.1.0"])
        source = json.loads(self.read("bazel/modules/hclvm/0.1.0/source.json"))
        with open(self.archive, "rb") as file:
            digest = base64.b64encode(hashlib.sha256(file.read()).digest()).decode()
        self.assertEqual(source, {"url": URL, "integrity": "sha256-" + digest, "strip_prefix": "hclvm-0.1.0"})
        with open(MODULE, encoding="utf-8") as file:
            self.assertEqual(self.read("bazel/modules/hclvm/0.1.0/MODULE.bazel"), file.read())
        self.assertIn("verify_targets:", self.read("bazel/modules/hclvm/0.1.0/presubmit.yml"))

    def test_vcpkg(self):
        self.assertEqual(json.loads(self.read("vcpkg/ports/hclvm/vcpkg.json"))["version-semver"], "0.1.0")
        port = self.read("vcpkg/ports/hclvm/portfile.cmake")
        self.assertIn(f'URLS "{URL}"', port)
        self.assertNotIn("{{", port)

    def test_conan(self):
        recipe = self.read("conan/recipes/hclvm/all/conanfile.py")
        names = [node.name for node in ast.parse(recipe).body if isinstance(node, ast.ClassDef)]
        self.assertEqual(names, ["HclvmConan"])
        self.assertIn(URL, self.read("conan/recipes/hclvm/all/conandata.yml"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
