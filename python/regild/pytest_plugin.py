# SPDX-License-Identifier: Apache-2.0
"""Goldens of tests that have none yet: the fixture `golden`.

    def test_loss(golden):
        golden.check("loss", {1: 10.9, 2: 10.4}, rtol=1e-3)

compares with the golden beside the test, goldens/MODULE/CLASS/TEST@PARAMETERS.json, which the program regild reads as it
reads any golden: it is a step map, {"loss": {"1": 10.9, "2": 10.4}}.
"""

import functools
import hashlib
import json
import math
import os
import re
import tempfile
from urllib.parse import quote

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
    config.golden_owners = {}  # which test has which golden


class Different(pytest.fail.Exception):
    """What a test got is not what its golden has."""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Writes what a test got when all of it, teardown included, has passed, but for what its golden says of it."""
    outcome = yield
    report = outcome.get_result()
    found = getattr(item, "regild_golden", None)
    if not found:
        return
    if not report.passed and not (report.failed and call.excinfo and call.excinfo.errisinstance(Different)):
        found.got.clear()
    if call.when == "teardown":
        try:
            found.write()
        except OSError as error:
            report.outcome, report.longrepr = "failed", f"the golden cannot be written: {error}"


@pytest.fixture
def golden(request):
    """The test's golden: golden.check(NAME, VALUES, rtol=, atol=)."""
    found = request.node.regild_golden = Golden(request)
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
    found.finish()


PATH_MAX = 160  # of what follows the module, without ".json"


def _encode(name):
    """A name of a file, another one for each name."""
    return re.sub(r"^\.", "%2E", quote(name, safe="=+", errors="surrogatepass").replace("~", "%7E"))


def place_of(classes, name):
    """Where a test's golden is, from its module on: another place for each test, within PATH_MAX characters."""
    test, bracket, parameters = name.partition("[")
    if bracket and parameters.endswith("]"):
        test, bracket, parameters = _encode(test), "@", _encode(parameters[:-1])
    else:
        test, bracket, parameters = _encode(name), "", ""
    place = "/".join([*map(_encode, classes), test + bracket + parameters])
    if len(place) <= PATH_MAX:
        return place
    return place.replace("/", "~")[:PATH_MAX - 41] + "~" + hashlib.sha256(place.encode()).hexdigest()[:40]


class Golden:
    def __init__(self, request):
        self.config = request.config
        self.test = request.node.nodeid
        module = os.path.splitext(os.path.basename(str(request.fspath)))[0]
        classes = [node.name for node in request.node.listchain() if isinstance(node, pytest.Class)]
        self.path = os.path.join(os.path.dirname(str(request.fspath)), "goldens", _encode(module),
                                 *place_of(classes, request.node.name).split("/")) + ".json"
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
        owner = self.config.golden_owners.setdefault(os.path.realpath(self.path), self.test)
        if owner != self.test:
            raise ValueError(f"{self._shown()} is the golden of {owner} already")
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
            raise Different("\n".join(failures), pytrace=False)

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
    if old == new or not any(math.isfinite(value) for value in old.values()):
        return None
    with tempfile.TemporaryDirectory() as folder:
        sides = [os.path.join(folder, side + ".json") for side in ("golden", "run")]
        for side, series in zip(sides, (old, new)):
            _write(side, {name: series})
        rows = compare(*sides, directory=folder).rows
    if not rows:  # all are 0 or nearly
        largest = max(abs(new[step] - old[step]) for step in old if math.isfinite(old[step]))
        return None if largest <= atol else f"all values of the golden are 0 or nearly, and the largest difference is {largest:g}: atol {atol:g}"
    row = rows[0]
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
