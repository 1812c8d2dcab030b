# SPDX-License-Identifier: Apache-2.0
"""Finds the program and runs it."""

import os
import shutil
import subprocess
import sys

# The program's exit codes, besides 2, a wrong call, and 3, what could not be done.
DONE, FAILED, PARTIAL = 0, 1, 4


class Error(Exception):
    """What the program said, with its exit code."""

    def __init__(self, message, exit_code):
        message = message.strip()
        super().__init__(message[len("regild: "):] if message.startswith("regild: ") else message)
        self.exit_code = exit_code


def path():
    """Where the program is: in this package, else in PATH."""
    bundled = os.path.join(os.path.dirname(__file__), "bin", "regild")
    found = bundled if os.path.exists(bundled) else shutil.which("regild")
    if not found:
        raise Error("the program regild is neither in this package nor in PATH", 3)
    return found


def run(*arguments, directory=None):
    """Runs the program in a directory: a subprocess.CompletedProcess with what it printed."""
    return subprocess.run([path(), *map(str, arguments)], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8", errors="surrogateescape", check=False)


def main():
    """The command `regild`."""
    program = path()
    os.execv(program, ["regild", *sys.argv[1:]])
