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


def test_zeros_alone_need_atol(run):
    passes(run("0", "--golden-update"))
    passes(run("0"))
    fails(run("1"), "all values of the golden are 0 or nearly, and the largest difference is 1: atol 0")
    passes(run("1", limits="atol=1"))


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


def goldens_of(pytester):
    root = pytester.path / "goldens"
    return {str(path.relative_to(root)): json.loads(path.read_text()) for path in root.rglob("*.json")}


def test_a_class_and_parameters_have_goldens_of_their_own(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(test_p="""
        import pytest

        class TestOne:
            def test_loss(self, golden):
                golden.check("loss", 1)

            class TestInner:
                def test_loss(self, golden):
                    golden.check("loss", 2)

        class TestTwo:
            def test_loss(self, golden):
                golden.check("loss", 3)

        def test_loss(golden):
            golden.check("loss", 4)

        NAMES = ["a/b", "a_b", "a%2Fb", "a b", "..", "x" * 300, "x" * 299 + "y", "[", "a@b", "\\u00e9", "~"]

        @pytest.mark.parametrize("which", NAMES, ids=NAMES)
        def test_each(golden, which):
            golden.check("place", NAMES.index(which))
    """)
    pytester.runpytest("--golden-update").assert_outcomes(passed=15)
    found = goldens_of(pytester)
    assert len(found) == 15 and all(len(path) < 180 for path in found)
    assert found["test_p/TestOne/test_loss.json"] == {"loss": {"0": 1.0}}
    assert found["test_p/TestOne/TestInner/test_loss.json"] == {"loss": {"0": 2.0}}
    assert found["test_p/TestTwo/test_loss.json"] == {"loss": {"0": 3.0}}
    assert found["test_p/test_loss.json"] == {"loss": {"0": 4.0}}
    assert found["test_p/test_each@a_b.json"] == {"place": {"0": 1.0}}
    pytester.runpytest().assert_outcomes(passed=15)


def test_each_name_has_a_place_of_its_own():
    from regild.pytest_plugin import PATH_MAX, place_of

    parts = ["", "a", "A", "[", "]", "[]", "@", "~", "%", "%40", "/", ".", "..", "\u00e9", "\ud800", "e\u0301", "a" * 200]
    names = {first + middle + last for first in parts for middle in parts for last in ["", "[]", "[a]", "]"]}
    tests = [(tuple(classes), name) for classes in ([], ["A"], ["A", "B"], ["A~B"], ["A/B"], ["C" * 170]) for name in names]
    places = {place_of(classes, name) for classes, name in tests}
    assert len(places) == len(tests)
    assert all(len(place) <= PATH_MAX for place in places)
    assert not any(part in (".", "..") or part.startswith(".") for place in places for part in place.split("/"))


def test_a_second_writer_is_an_error(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    for folder in ("one", "two"):
        pytester.mkdir(folder)
        (pytester.path / folder / "test_m.py").write_text(f"def test_loss(golden):\n    golden.check('loss', {len(folder)})\n")
    (pytester.path / "one/goldens").mkdir()
    (pytester.path / "two/goldens").symlink_to(pytester.path / "one/goldens")
    result = pytester.runpytest("--golden-update", "--import-mode=importlib")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*is the golden of one/test_m.py::test_loss already*"])


@pytest.mark.parametrize("where", ["--golden-update", "--golden-out=out"])
def test_only_a_test_that_passed_writes(pytester, monkeypatch, where):
    monkeypatch.delenv("CI", raising=False)
    source = """
        import pytest

        @pytest.fixture
        def late():
            yield
            assert {good}, "torn down"

        def test_body(golden):
            golden.check("loss", 1)
            assert {good}
            golden.check("slope", 2)

        def test_teardown(late, golden):
            golden.check("loss", 1)

        def test_skipped(golden):
            golden.check("loss", 1)
            if not {good}:
                pytest.skip("in the middle")
            golden.check("slope", 2)

        @pytest.mark.xfail(strict=True)
        def test_strict(golden):
            golden.check("loss", 1)
            assert not {good}
    """
    pytester.makepyfile(test_a=source.format(good=False))
    pytester.runpytest(where)
    out = pytester.path / ("out/goldens" if "out" in where else "goldens")
    assert not out.exists()
    pytester.makepyfile(test_a=source.format(good=True))
    pytester.runpytest(where)
    assert sorted(path.name for path in out.rglob("*.json")) == ["test_body.json", "test_skipped.json", "test_teardown.json"]
    before = {path: path.read_text() for path in out.rglob("*.json")}
    pytester.makepyfile(test_a=source.format(good=False).replace("1)", "9)"))
    pytester.runpytest(where)
    assert before == {path: path.read_text() for path in out.rglob("*.json")}
