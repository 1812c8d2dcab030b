# SPDX-License-Identifier: Apache-2.0
"""Writes a wheel of the package with a static program in it: no compiler, no library is needed to install it.

usage: python3 python/wheel.py VERSION ARCH PROGRAM SCHEMA.json DIR     DIR, where it goes, has NOTICE and LICENCES
"""

import base64
import hashlib
import os
import subprocess
import sys
import time
import zipfile

TOP = os.path.dirname(os.path.abspath(__file__))
# A static program needs no C library, so both names are true from the oldest of each on.
TAGS = [f"py3-none-{libc}_{{arch}}" for libc in ("manylinux2014", "manylinux_2_17", "musllinux_1_1")]

version, arch, program, schema, directory = sys.argv[1:]
tags = [tag.format(arch=arch) for tag in TAGS]
info = f"regild-{version}.dist-info"
when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


files = {}
for name in sorted(os.listdir(os.path.join(TOP, "regild"))):
    if name.endswith(".py"):
        files["regild/" + name] = read(TOP, "regild", name)
files["regild/types.py"] = subprocess.run([sys.executable, os.path.join(TOP, "schema_types.py"), schema],
                                          check=True, stdout=subprocess.PIPE).stdout
files["regild/bin/regild"] = read(program)
files[f"{info}/METADATA"] = f"""Metadata-Version: 2.1
Name: regild
Version: {version}
Summary: Refreshes the golden values that numerical projects keep in git
License: Apache-2.0
License-File: LICENSE
License-File: NOTICE
License-File: LICENCES
Requires-Python: >=3.8
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/markdown

""".encode() + read(TOP, "README.md")
files[f"{info}/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: regild\nRoot-Is-Purelib: false\n"
                          + "".join(f"Tag: {tag}\n" for tag in tags)).encode()
files[f"{info}/entry_points.txt"] = (b"[console_scripts]\nregild = regild._program:main\n\n"
                                     b"[pytest11]\nregild = regild.pytest_plugin\n")
files[f"{info}/LICENSE"] = read(TOP, "..", "LICENSE")
files[f"{info}/NOTICE"] = read(directory, "NOTICE")
files[f"{info}/LICENCES"] = read(directory, "LICENCES")


def recorded(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


record = f"{info}/RECORD"
files[record] = ("".join(recorded(*file) for file in files.items()) + f"{record},,\n").encode()
wheel = f"regild-{version}-py3-none-{'.'.join(tag.split('-')[2] for tag in tags)}.whl"
with zipfile.ZipFile(os.path.join(directory, wheel), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for name, data in files.items():
        member = zipfile.ZipInfo(name, when)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = (0o100755 if name == "regild/bin/regild" else 0o100644) << 16
        archive.writestr(member, data)
print(wheel)
