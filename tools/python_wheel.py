#!/usr/bin/env python3
"""Writes the wheel of the Python package: python_wheel.py CHECKOUT MODULE FOLDER. Prints its path.

MODULE is the built _hclvm.so. A wheel is a ZIP file with the package, and beside it what is known of it (PEP 427). Equal
inputs give equal wheels.
"""

import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: hclvm
Version: {version}
Summary: HCL, compiled once and evaluated again and again
License-File: LICENSE
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: python_wheel
Root-Is-Purelib: false
Tag: {tag}
"""

EARLIEST = (1980, 1, 1, 0, 0, 0)


def main():
    checkout, module, folder = map(pathlib.Path, sys.argv[1:])
    package = checkout / "bindings/python"
    version = re.search(r'^    version = "(.*)",$', (checkout / "MODULE.bazel").read_text(), re.MULTILINE)[1]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    info = f"hclvm-{version}.dist-info"

    files = {f"hclvm/{path.name}": path.read_bytes() for path in sorted((package / "hclvm").iterdir()) if path.is_file()}
    files["hclvm/" + module.name] = module.read_bytes()
    files[f"{info}/LICENSE"] = (checkout / "LICENSE").read_bytes()
    readme = (package / "README.md").read_text()
    files[f"{info}/METADATA"] = METADATA.format(version=version, readme=readme).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join(record) + f"\n{info}/RECORD,,\n").encode()

    wheel = folder / f"hclvm-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    print(wheel)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
