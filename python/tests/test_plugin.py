# SPDX-License-Identifier: Apache-2.0
import json

import pytest

TEST = """
    def test_loss(golden):
        golden.check("loss", {values}, {limits})
"""


@pytest.fixture
def run(pytester, monkeypatch):
    """run VALUES, with limits: a test of one check."""
    monkeypatch.delenv("CI", raising=False)

    def run(values, *options, limits=""):
        pytester.makepyfile(test_a=TEST.format(values=values, limits=limits))
        return pytester.runpytest(*options)

    return run


def passes(result):
    result.assert_outcomes(passed=1)


def fails(result, why):
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*" + why + "*"])


def test_a_golden_is_written_and_compared(run, pytester):
    fails(run("{1: 10.9, 2: 10.4}"), "loss: no golden in goldens/test_a/test_loss.json yet")
    passes(run("{1: 10.9, 2: 10.4}", "--golden-update"))
    assert json.loads((pytester.path / "goldens/test_a/test_loss.json").read_text()) == {"loss": {"1": 10.9, "2": 10.4}}
    passes(run("{1: 10.9, 2: 10.4}"))
    fails(run("{1: 10.9, 2: 10.5}"), "the largest difference is 0.009615 of the golden, at step 2: rtol 0")
    fails(run("{1: 10.9, 2: 10.5}", limits="rtol=9e-3"), "rtol 0.009")
    passes(run("{1: 10.9, 2: 10.5}", limits="rtol=1e-2"))
    passes(run("{1: 10.9, 2: 10.5}", limits="atol=0.2"))


def test_steps_and_values_that_are_not_finite_count(run):
    passes(run("{1: 10.9, 2: float('nan')}", "--golden-update"))
    passes(run("{1: 10.9, 2: float('nan')}"))
    fails(run("{1: float('nan'), 2: 10.9}", limits="rtol=9"), "not finite at step")
    fails(run("{1: 10.9, 2: 5.0}", limits="rtol=9"), "not finite at step")
    fails(run("{1: float('inf'), 2: float('nan')}", limits="rtol=9"), "not finite at step")
    fails(run("{1: 10.9}", limits="rtol=9"), "1 steps of the golden are missing, 0 are new")
    fails(run("{1: 10.9, 2: float('nan'), 3: 1}", limits="rtol=9"), "0 steps of the golden are missing, 1 are new")


def test_zeros_need_atol(run):
    passes(run("[0.0, 1.0]", "--golden-update"))
    fails(run("[1e-9, 1.0]", limits="rtol=1e-3"), "are 0 or nearly")
    passes(run("[1e-9, 1.0]", limits="rtol=1e-3, atol=1e-8"))


def test_one_number(run):
    passes(run("7", "--golden-update"))
    passes(run("7"))
    fails(run("8"), "at step 0: rtol 0")


def test_in_ci_nothing_is_written_in_place(run, pytester, monkeypatch):
    monkeypatch.setenv("CI", "true")
    result = run("7", "--golden-update")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--golden-update writes goldens in place, and CI is set*"])
    fails(run("7", "--golden-out", "out"), "no golden")
    assert json.loads((pytester.path / "out/goldens/test_a/test_loss.json").read_text()) == {"loss": {"0": 7.0}}
    assert not (pytester.path / "goldens").exists()


def test_parameters_have_goldens_of_their_own(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(test_p="""
        import pytest

        @pytest.mark.parametrize("which", ["a/b", "c"])
        def test_each(golden, which):
            golden.check("length", len(which))
    """)
    pytester.runpytest("--golden-update").assert_outcomes(passed=2)
    found = sorted(path.name for path in (pytester.path / "goldens/test_p").iterdir())
    assert found == ["test_each[a_b].json", "test_each[c].json"] or found == ["test_each_a_b_.json", "test_each_c_.json"]
    pytester.runpytest().assert_outcomes(passed=2)


def test_all_that_differs_is_told_and_kept(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(test_b="""
        def test_two(golden):
            golden.check("loss", 1)
            golden.check("slope", 2)
    """)
    result = pytester.runpytest("--golden-out", "out")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*loss: no golden*", "*slope: no golden*"])
    assert set(json.loads((pytester.path / "out/goldens/test_b/test_two.json").read_text())) == {"loss", "slope"}


def test_what_a_test_raises_comes_first(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(test_c="""
        def test_bad(golden):
            golden.check("loss", 1)
            assert False, "itself"
    """)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*itself*"])
