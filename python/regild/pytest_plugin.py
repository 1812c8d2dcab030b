# SPDX-License-Identifier: Apache-2.0
"""Goldens of tests that have none yet: the fixture `golden`.

    def test_loss(golden):
        golden.check("loss", {1: 10.9, 2: 10.4}, rtol=1e-3)

compares with the golden beside the test, goldens/MODULE/TEST.json, which the program regild reads as it reads any
golden: it is a step map, {"loss": {"1": 10.9, "2": 10.4}}.
"""

import functools
import json
import math
import os
import re
import tempfile

import pytest

from . import compare


def pytest_addoption(parser):
    group = parser.getgroup("regild")
    group.addoption("--golden-out", metavar="DIR",
                    help="write what golden.check got to DIR, as an artifact that `regild refresh` takes")
    group.addoption("--golden-update", action="store_true",
                    help="write what golden.check got over the goldens, and compare nothing; not in CI")


def pytest_configure(config):
    if config.getoption("golden_update") and os.environ.get("CI"):
        raise pytest.UsageError("--golden-update writes goldens in place, and CI is set: take --golden-out DIR, "
                                "and `regild refresh` where a person looks at it")


@pytest.fixture
def golden(request):
    """The test's golden: golden.check(NAME, VALUES, rtol=, atol=)."""
    found = Golden(request)
    test = request.node.obj

    @functools.wraps(test)
    def checked(*args, **kwargs):
        try:
            done = test(*args, **kwargs)
        except BaseException:
            found.failures.clear()
            raise
        found.finish()
        return done

    request.node.obj = checked
    yield found
    found.write()
    found.finish()


class Golden:
    def __init__(self, request):
        self.config = request.config
        module = os.path.splitext(os.path.basename(str(request.fspath)))[0]
        # A parameter may have any character in it.
        name = re.sub(r"[^\w.=+-]", "_", request.node.name)
        self.path = os.path.join(os.path.dirname(str(request.fspath)), "goldens", module, name + ".json")
        self.got = {}
        self.failures = []

    def check(self, name, values, rtol=0.0, atol=0.0):
        """Fails the test, when it has come to its end, unless values are those of the golden.

        values: {step: value}, a list from step 0 on, or one number.
        rtol:   how far each value may be from the golden's, as a share of the golden's.
        atol:   or how far each may be at all.
        """
        series = _series(values)
        if name in self.got:
            raise ValueError(f"golden.check({name!r}) was called twice in one test")
        self.got[name] = series
        if self.config.getoption("golden_update"):
            return
        wanted = _read(self.path).get(name)
        if wanted is None:
            self.failures.append(f"{name}: no golden in {self._shown()} yet: --golden-update writes it, and so does "
                                 "--golden-out DIR in CI with `regild refresh`")
            return
        why = difference(name, wanted, series, rtol, atol)
        if why:
            self.failures.append(f"{name}: {why}; the golden is {self._shown()}")

    def finish(self):
        """All that differs, at once: what a test got is whole by then."""
        failures, self.failures = self.failures, []
        if failures:
            pytest.fail("\n".join(failures), pytrace=False)

    def write(self):
        """What a run got, as a whole, where it is asked for."""
        if not self.got:
            return
        if self.config.getoption("golden_update"):
            _write(self.path, self.got)
        out = self.config.getoption("golden_out")
        if out:
            _write(os.path.join(out, self._shown()), self.got)

    def _shown(self):
        return os.path.relpath(self.path, str(self.config.rootdir))


def difference(name, old, new, rtol, atol):
    """Why two step maps differ, in words; None where they do not. The figures are the program's."""
    if old.keys() != new.keys():
        return f"{len(old.keys() - new.keys())} steps of the golden are missing, {len(new.keys() - old.keys())} are new"
    for step in old:
        if repr(old[step]) != repr(new[step]) and not (math.isfinite(old[step]) and math.isfinite(new[step])):
            return f"not finite at step {step}: {new[step]}, in the golden {old[step]}"
    if not any(math.isfinite(value) for value in old.values()):
        return None
    with tempfile.TemporaryDirectory() as folder:
        sides = [os.path.join(folder, side + ".json") for side in ("golden", "run")]
        for side, series in zip(sides, (old, new)):
            _write(side, {name: series})
        row = compare(*sides, directory=folder).rows[0]
    if row.identical or row.max_abs <= atol:
        return None
    if row.near_zero:
        return f"{row.near_zero} values of the golden are 0 or nearly, and the largest difference is {row.max_abs:g}: atol {atol:g}"
    if row.max_abs_rel <= rtol:
        return None
    return f"the largest difference is {row.max_abs_rel:.4g} of the golden, at step {row.max_abs_rel_step:g}: rtol {rtol:g}"


def _series(values):
    if hasattr(values, "items"):
        pairs = values.items()
    elif hasattr(values, "__len__"):
        pairs = enumerate(values)
    else:
        pairs = [(0, values)]
    series = {str(int(step)): float(value) for step, value in pairs}
    if not series:
        raise ValueError("there is no value to check")
    return series


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def _write(path, metrics):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # As a whole or not at all.
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=os.path.dirname(path), delete=False) as file:
        json.dump(metrics, file, indent=1)
        file.write("\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
