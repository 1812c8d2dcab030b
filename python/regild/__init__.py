# SPDX-License-Identifier: Apache-2.0
"""Golden values, compared, checked and refreshed by the program regild.

Each function calls the program. Its options are keyword arguments: fail_on="lost" is --fail-on lost, only=["a", "b"]
is --only a --only b, all=True is --all. What it prints is what `types` describes.
"""

import json
import re
from dataclasses import dataclass

from . import types
from ._program import DONE, FAILED, PARTIAL, Error, path, run
from ._frame import to_frame

__all__ = ["Error", "Finding", "check", "compare", "path", "refresh", "run", "to_frame", "types"]


@dataclass(frozen=True)
class Finding:
    """What no golden should have: where, and what it is."""

    file: str
    text: str


def _arguments(options):
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            yield option
        elif value is not None and value is not False:
            for each in value if isinstance(value, (list, tuple)) else [value]:
                yield f"{option}={each}"


def _document(arguments, directory):
    done = run(*arguments, "--json=-", directory=directory)
    if done.returncode not in (DONE, FAILED, PARTIAL) or not done.stdout:
        raise Error(done.stderr, done.returncode)
    return types.Comparison.from_json(json.loads(done.stdout))


def compare(*sides, directory=None, **options):
    """What differs between two sides, by default HEAD and the working tree: a types.Comparison.

    A gate that breaks is no error: it is in the comparison's gate, with the exit code.
    """
    return _document(["compare", *_arguments(options), *map(str, sides)], directory)


def refresh(*paths, directory=None, **options):
    """Fetches the goldens of a run, puts them into the working tree and compares them with HEAD.

    What is missing is no error: it is in the comparison's goldens.
    """
    return _document(["refresh", *_arguments(options), *map(str, paths)], directory)


def check(*files, directory=None, **options):
    """Findings of goldens that are broken in themselves, a list."""
    done = run("check", "-v", "--github", *_arguments(options), *map(str, files), directory=directory)
    if done.returncode not in (DONE, FAILED):
        raise Error(done.stderr, done.returncode)
    found = re.findall(r"^::error file=([^,:]*),title=regild check::(.*)$", done.stdout, re.MULTILINE)
    return [Finding(_plain(file), _plain(text)) for file, text in found]


def _plain(text):
    for escaped, plain in ("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%"):
        text = text.replace(escaped, plain)
    return text
