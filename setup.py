# SPDX-License-Identifier: Apache-2.0
"""Builds the program, with the libraries that `make setup` installs, and puts it into the package: see pyproject.toml."""

import os
import shutil
import subprocess
import sys
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

TOP = os.path.dirname(os.path.abspath(__file__))


class Build(build_py):
    def run(self):
        super().run()
        package = os.path.join(self.build_lib, "regild")
        with tempfile.TemporaryDirectory() as installed:
            subprocess.run(["make", f"-j{os.cpu_count()}", "install", f"DESTDIR={installed}", "PREFIX=/usr"], cwd=TOP, check=True)
            os.makedirs(os.path.join(package, "bin"), exist_ok=True)
            shutil.copy(os.path.join(installed, "usr/bin/regild"), os.path.join(package, "bin/regild"))
            schema = os.path.join(installed, "usr/share/regild/schema/compare.json")
            with open(os.path.join(package, "types.py"), "wb") as types:
                subprocess.run([sys.executable, os.path.join(TOP, "python/schema_types.py"), schema], stdout=types, check=True)


class Binary(Distribution):
    def has_ext_modules(self):
        return True  # the program is for this kind of machine


os.makedirs(os.path.join(TOP, "build"), exist_ok=True)
setup(packages=["regild"], package_dir={"": "python"}, cmdclass={"build_py": Build}, distclass=Binary,
      options={"egg_info": {"egg_base": "build"}})
