# SPDX-License-Identifier: Apache-2.0
import math
import pathlib
import re
import subprocess
import sys

import pytest

import regild


def test_compare_gives_rows_and_curves(repository):
    repository.golden("a", loss=[10.5, 10.0])
    found = regild.compare(directory=repository.path)
    assert [(row.file, row.metric, row.n_steps) for row in found.rows] == [("goldens/a.json", "loss", 2)]
    assert found.rows[0].max_abs_rel == pytest.approx(0.25 / 10.25)
    assert list(found.curves[0].new.values) == [10.5, 10.0]
    assert found.gate is None


def test_a_broken_gate_is_in_the_comparison(repository):
    repository.golden("a", loss=[10.5, 9.0])
    found = regild.compare(directory=repository.path, fail_above=["loss=1e-3"])
    assert found.gate.exit == 1
    assert found.gate.conditions[0].metric == "loss"


def test_what_is_not_finite_is_a_number(repository):
    repository.golden("a", loss=[10.5, math.inf])
    found = regild.compare(directory=repository.path)
    assert found.rows[0].new_nonfinite == 1
    assert math.isnan(found.curves[0].new.values[1])


def test_curves_are_arrays_and_rows_a_frame(repository):
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("pandas")
    repository.golden("a", loss=[10.5, 10.0])
    found = regild.compare(directory=repository.path)
    assert isinstance(found.curves[0].old.values, numpy.ndarray)
    assert list(found.to_frame()["metric"]) == ["loss"]


def test_without_numpy_curves_are_lists(repository):
    repository.golden("a", loss=[10.5, 10.0])
    code = ("import sys; sys.modules['numpy'] = None; import regild\n"
            "assert regild.compare().curves[0].new.values == [10.5, 10.0]")
    subprocess.run([sys.executable, "-c", code], cwd=repository.path, check=True)


def test_check_finds_what_no_golden_should_have(repository):
    assert regild.check(directory=repository.path) == []
    repository.golden("a, 100%: b", loss=[1.0, math.nan])
    assert regild.check(directory=repository.path) == [
        regild.Finding("goldens/a, 100%: b.json", "loss: nan at 1 (1 of 2 steps)")]


def test_refresh_updates(repository, tmp_path_factory):
    artifacts = tmp_path_factory.mktemp("artifacts")
    (artifacts / "goldens").mkdir()
    (artifacts / "goldens" / "a.json").write_text('{"loss": {"0": 10.5, "1": 9.5}}')
    found = regild.refresh(directory=repository.path, from_=artifacts, all=True)
    assert found.refresh.updated == 1
    assert "9.5" in (repository.path / "goldens" / "a.json").read_text()


def test_an_error_has_message_and_exit_code(repository):
    with pytest.raises(regild.Error, match="nowhere") as raised:
        regild.compare("nowhere", directory=repository.path)
    assert raised.value.exit_code in (2, 3)
    with pytest.raises(regild.Error, match="--no-such-option") as raised:
        regild.check(directory=repository.path, no_such_option=True)
    assert raised.value.exit_code == 2


def test_the_command_is_the_program():
    for command in ["regild"], [sys.executable, "-m", "regild"]:
        assert subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout.startswith("regild ")


def test_the_readme_says_what_works(repository, monkeypatch):
    """Its first block; the run that it names is another repository's."""
    readme = (pathlib.Path(__file__).parents[1] / "README.md").read_text()
    repository.git("checkout", "-q", "-b", "change")
    repository.golden("a", loss=[10.5, 10.0])
    repository.git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-a", "-m", "change")
    refreshed = []
    monkeypatch.chdir(repository.path)
    monkeypatch.setattr(regild, "refresh", lambda **options: refreshed.append(options))
    exec(re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1], {})
    assert refreshed == [{"run": 22651183945, "only_failing": True}]
