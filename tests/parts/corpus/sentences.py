#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the findings of a comparison, and what it says that moved, with the goldens, apart from regild; and what is
printed of them with the rules of words (tests/parts/corpus/story.py).

usage: sentences.py REGILD SCRATCH CORPUS [SEEDS [CALLS]]

CORPUS has refreshes, NAME/base and NAME/new. Each is read forwards, backwards, and in SEEDS made variants:
losses that jitter beside one that moved, values that are no longer finite or are again, steps and metrics
that came or went, values at and near zero, new goldens that are broken. Each is compared, taken by a refresh, and
taken by one that may take everything; with CALLS=1 one of the three, in turn, so that each refresh of CORPUS
sees all of them. Ends with "N passed, N failed, N skipped".
"""
import fcntl
import json
import math
import os
import pathlib
import pty
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import termios

import story as report

NEAR_ZERO = 1e-12
LEVEL = 1e-3
WIDTH = 100


# --- goldens, and what is so of them ---

def number(value):
    try:
        return float(value) if isinstance(value, (bool, int, float, str)) else None
    except ValueError:
        return None


def as_list(block):
    return block if isinstance(block, list) else [block]


def series_of(golden):
    """{metric: {step: value}} of the metrics that are objects with "values" by step."""
    out = {}
    for metric, block in golden.items() if isinstance(golden, dict) else []:
        if isinstance(block, dict) and isinstance(block.get("values"), dict):
            values = {int(k): number(v) for k, v in block["values"].items()}
            out[metric] = {k: v for k, v in values.items() if v is not None}
        if isinstance(block, dict) and isinstance(block.get("values"), list):
            start, interval = block.get("start_step", 0), block.get("step_interval", 1)
            out[metric] = {start + i * interval: number(v) for i, v in enumerate(block["values"]) if number(v) is not None}
        if isinstance(block, (int, float, list)) and all(number(v) is not None for v in as_list(block)):
            out[metric] = {i: number(v) for i, v in enumerate(as_list(block))}
    return out


def read(path):
    try:
        return series_of(json.loads(path.read_text()))
    except (ValueError, OSError):
        return {}


def is_time(metric):
    return "time" in metric or "timing" in metric or "latency" in metric


def is_typical(metric):
    """Is a sentence of it about its median step?"""
    return not re.search("loss|perplexity|^mem-|memory|_mem$", metric, re.I) and bool(
        re.search("throughput|time$|time[-_ ]|timing|latency|tpot|ttft", metric, re.I))


def name_of(file):
    """STAGE/TEST [VARIANT]: as regild names a golden."""
    stage, test, golden = pathlib.PurePath(file).parts[-3:]
    return "%s/%s [%s]" % (stage, test, golden[len("golden_values_"):-len(".json")])


def sign(value):
    return (value > 0) - (value < 0)


def is_wrong(metric, new, step):
    """Is a value not finite that the golden had nothing for? Megatron-LM leaves the time of first steps out."""
    leading = next((s for s in sorted(new) if math.isfinite(new[s])), None)
    leads = metric == "iteration-time" and leading is not None and step < leading
    return not math.isfinite(new[step]) and not (leads and math.isnan(new[step]))


class Row:
    def __init__(self, file, metric, old, new):
        self.file, self.metric, self.old, self.new = file, metric, old, new
        self.name, self.stage = name_of(file), pathlib.PurePath(file).parts[-3]
        self.variant = self.name.split("[")[1][:-1]
        shared = sorted(s for s in old if s in new)
        self.differs = any(old[s] != new[s] and not (math.isnan(old[s]) and math.isnan(new[s])) for s in shared)
        self.broken = [s for s in shared if math.isfinite(old[s]) and not math.isfinite(new[s])]
        self.broken += [s for s in shared if not math.isfinite(old[s]) and not math.isfinite(new[s]) and
                        str(old[s]) != str(new[s])]
        self.broken += [s for s in new if s not in old and is_wrong(metric, new, s)]
        self.repaired = [s for s in shared if not math.isfinite(old[s]) and math.isfinite(new[s])]
        self.lost = [s for s, v in old.items() if s not in new and not math.isnan(v)]
        used = [(old[s], new[s]) for s in shared
                if math.isfinite(old[s]) and math.isfinite(new[s]) and abs(old[s]) >= NEAR_ZERO]
        self.moved = any(o != n for o, n in used)
        relative = [(o - n) / o for o, n in used]
        self.avg = math.fsum(relative) / len(used) if used else math.nan
        self.avg_rel_diff = self.said = self.avg
        self.disputed = self.one_step = None
        self.typical = len(used) > 2 and is_typical(metric)
        if self.typical:
            self.said = statistics.median(relative)
            largest = max(relative, key=abs)
            self.one_step = self.avg != 0 and largest / math.fsum(relative) > 0.5
            self.disputed = sign(self.avg) != sign(self.said) or self.one_step
            self.largest_at = next(s for s in shared if old[s] and (old[s] - new[s]) / old[s] in (largest, -largest))
        if used and math.fsum(o for o, _ in used) < 0:  # words are about numbers: -10 that became -5 is larger
            self.avg, self.said = -self.avg, -self.said
        self.jitter = math.fsum(abs((o - n) / o) for o, n in used) / len(used) if used else math.nan
        self.cancels = self.jitter > 0 and self.jitter >= 4 * abs(self.avg)
        self.small = [(old[s], new[s]) for s in shared
                      if math.isfinite(old[s]) and math.isfinite(new[s]) and abs(old[s]) < NEAR_ZERO and old[s] != new[s]]


class Goldens:
    """What two folders have, of goldens that differ."""

    def __init__(self, base, new):
        files, before = ({str(p.relative_to(side)) for p in side.rglob("golden_values*.json") if ".git" not in p.parts}
                         for side in (new, base))
        self.rows, self.fresh, self.gone, self.came = [], {}, [], []
        for file in sorted(files):
            fresh = read(new / file)
            if file not in before:
                self.fresh[file] = fresh
                continue
            if (base / file).read_bytes() == (new / file).read_bytes():
                continue
            old = read(base / file)
            rows = [Row(file, m, old[m], fresh[m]) for m in old if m in fresh]
            self.rows += [r for r in rows if r.differs or not math.isnan(r.avg)]
            self.gone += [(file, m) for m in old if fresh and m not in fresh and any(not math.isnan(v) for v in old[m].values())]
            self.came += [(file, m) for m, values in fresh.items() if old and m not in old and
                          any(is_wrong(m, values, s) for s in values)]
        self.by = {(r.file, r.metric): r for r in self.rows}


# --- findings ---

def expand(text):
    """ "1..3, 7" """
    out = []
    for part in text.split(", "):
        first, _, last = part.partition("..")
        out += range(int(first), int(last or first) + 1)
    return set(out)


def is_near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-15)


def found(story, kind, metric):
    """The findings that can be of the metric: of several that are alike only the first is named."""
    return [f for f in story["findings"] if f["kind"] == kind and (f["metric"] == metric or f["metrics"] > 1)]


VALUES = {"nonfinite": lambda r: r.broken, "finite-again": lambda r: r.repaired, "values-removed": lambda r: r.lost}


def hold_values(story, goldens):
    """Values that came, went, or are no numbers: how many, in which goldens, at which steps."""
    for kind, steps_of in VALUES.items():
        for metric in sorted({r.metric for r in goldens.rows}):
            rows = [r for r in goldens.rows if r.metric == metric and steps_of(r)]
            findings = found(story, kind, metric)
            came = [file for file, name in goldens.came if name == metric and kind == "nonfinite"]
            if rows and not findings:
                yield "%s of %d goldens is %s: no finding says so" % (metric, len(rows), kind)
            own = next((f for f in findings if f["metric"] == metric), None)
            if not own:
                continue
            if own["goldens"] != len(rows) + len(came):
                yield "%s: %d goldens are %s, not %d" % (metric, len(rows) + len(came), kind, own["goldens"])
            if came or not rows:
                continue
            true = [s for r in rows for s in steps_of(r)]
            if own["count"] != len(true):
                yield "%s: %d steps are %s, not %d" % (metric, len(true), kind, own["count"])
            # A text keeps only the first of many steps.
            if own.get("steps") and not re.search("…|more", own["steps"]) and not own["steps"].count("..") and expand(own["steps"]) != set(true):
                yield "%s: steps %s are %s, not %s" % (metric, sorted(set(true))[:20], kind, own["steps"])
            known = set().union(*(r.old.keys() | r.new.keys() for r in rows))
            if own.get("steps") and not re.search("…|more", own["steps"]) and not set(true) <= expand(own["steps"]) & known:
                yield "%s: steps %s are %s, not %s" % (metric, sorted(set(true))[:20], kind, own["steps"])
            if kind == "nonfinite" and bool(own.get("is_nan")) != any(math.isnan(r.new[s]) for r in rows for s in r.broken):
                yield "%s: NaN is %s" % (metric, own.get("is_nan"))
    for file, metric in goldens.gone:
        if not found(story, "metric-removed", metric):
            yield "%s of %s is gone: no finding says so" % (metric, file)
    for file, metric in goldens.came:
        if not found(story, "nonfinite", metric):
            yield "%s of %s is new with NaN: no finding says so" % (metric, file)


def hold_goldens(story, goldens):
    fresh = next((f for f in story["findings"] if f["kind"] == "golden-new"), None)
    if (fresh["goldens"] if fresh else 0) != len(goldens.fresh):
        yield "%d goldens are new, not %s" % (len(goldens.fresh), fresh and fresh["goldens"])
    wrong = [file for file, series in goldens.fresh.items() if is_nan_golden(series)]
    if wrong and not fresh.get("count"):
        yield "%s is new with NaN, and no finding says so" % wrong[0]


def hold_figures(story, goldens):
    """The figures of what moved, and that what moved has a finding."""
    for f in story["findings"]:
        row = goldens.by.get((f["file"], f.get("row")))
        if f["kind"] not in ("moved", "outlier") or not row:
            continue
        told = {is_near(f["change"], -value): value for value in (row.avg, row.said)} if "change" in f else {True: 0}
        if True not in told:
            yield "%s of %s: %g, not %g" % (f["metric"], row.name, f["change"], -row.avg)
        if row.cancels and not row.typical and "per_step" in f and not is_near(f["per_step"], row.jitter):
            yield "%s of %s varies by %g, not %g" % (f["metric"], row.name, row.jitter, f["per_step"])
        if f["kind"] == "moved" and row.typical and sign(row.avg) * sign(row.said) < 0 and "median" not in f:
            yield "%s of %s: mean %g and median %g, and one is told" % (f["metric"], row.name, -row.avg, -row.said)
        if f["kind"] == "outlier" and f["goldens"] == 1:
            others = [-r.said for r in goldens.rows if r.metric == row.metric and r.stage == row.stage and r is not row and
                      math.isfinite(r.said) and (f.get("of_stage") or r.variant == row.variant)]
            if len(others) != f.get("others") or not is_near(statistics.median(others), f["others_median"]):
                yield "%s of %s: %d others, %s" % (f["metric"], row.name, len(others), others and statistics.median(others))
    for r in goldens.rows:
        if "loss" in r.metric and (abs(r.avg) >= LEVEL or r.small or r.cancels and r.jitter >= LEVEL) and not any(
                f["metric"] == r.metric for f in story["findings"]):
            yield "%s of %s moved by %g, and no finding has it" % (r.metric, r.name, -r.avg)
        if is_typical(r.metric) and is_time(r.metric) and abs(r.avg) >= 0.05 and not any(
                f["metric"] == r.metric for f in story["findings"]):
            yield "%s of %s moved by %g, and no finding has it" % (r.metric, r.name, -r.avg)


# --- what moved ---

def hold_line(line, rows, found, is_duration):
    what = line.get("metric") or line["stage"]
    changed = [r for r in rows if r.differs or r.broken]
    if line["changed"] != len(changed):
        yield "%s: %d of %d changed, not %d" % (what, len(changed), len(rows), line["changed"])
    figures = [r for r in rows if math.isfinite(r.said) and not (r.small and not r.moved)]
    everything = [-r.said for r in figures]
    rest, _ = report.summed_up([(-r.said, (r.file, r.metric) in found) for r in figures], is_duration)
    true = (min(rest), max(rest), statistics.median(rest)) if rest else (math.nan,) * 3
    for key, value in zip(("low", "high", "median"), true):
        told = line.get(key, math.nan)
        if not is_near(told, value) and not (math.isnan(told) and math.isnan(value)):
            yield "%s: %s is %g, not %g" % (what, key, value, told)
    if (line.get("larger", 0), line.get("smaller", 0)) != (sum(v > 0 for v in everything), sum(v < 0 for v in everything)):
        yield "%s: %s larger and %s smaller of %s" % (what, line.get("larger"), line.get("smaller"), everything[:20])


def hold_moved(document, goldens):
    found = report.rows_in_review(report.Story(document))
    for line in document["story"]["moved"]:
        rows = [r for r in goldens.rows if r.metric == line.get("only")]
        if line.get("counted") or not rows:
            continue
        is_duration = line["class"] in ("time", "rate")
        yield from hold_line(line, rows, found, is_duration)
        for stage in line.get("stages", []):
            yield from hold_line(stage, [r for r in rows if r.stage == stage["stage"]], found, is_duration)
    for metric in sorted({r.metric for r in goldens.rows if "loss" in r.metric}):
        if not any(line["metric"] == metric or "*" in line["metric"] for line in document["story"]["moved"]):
            yield "%s has no line" % metric


def is_nan_golden(series):
    for metric, values in series.items():
        finite = [s for s in sorted(values) if math.isfinite(values[s])]
        bad = [s for s in values if not math.isfinite(values[s])]
        if bad and (not finite or not is_time(metric)):
            return True
    return False


def hold_next(story, goldens):
    """Nothing with NaN is offered to be kept."""
    if not any(one["kind"] == "keep" for one in story["next"]):
        return
    for r in goldens.rows:
        if r.broken:
            yield "%s of %s is not finite, and next keeps it" % (r.metric, r.name)
    for file, series in goldens.fresh.items():
        if is_nan_golden(series):
            yield "%s is new with NaN, and next keeps it" % name_of(file)


def complaints(document, goldens):
    story = document["story"]
    yield from hold_values(story, goldens)
    yield from hold_goldens(story, goldens)
    yield from hold_figures(story, goldens)
    yield from hold_moved(document, goldens)
    yield from hold_next(story, goldens)
    if document["counts"]["compared"] < len({r.file for r in goldens.rows if r.differs}):
        yield "%d compared, but more differ" % document["counts"]["compared"]


# --- made variants ---

def blocks_of(golden, wanted):
    return [b for m, b in golden.items() if isinstance(b, dict) and isinstance(b.get("values"), dict) and wanted in m]


def each(wanted, function):
    def apply(golden, rng):
        for block in blocks_of(golden, wanted):
            for step, value in block["values"].items():
                if isinstance(value, (int, float)):
                    block["values"][step] = function(value, int(step), rng)
    return apply


def drop(golden, rng):
    start = rng.choice([1, 3, 20])
    wanted = rng.choice(["", "loss", "num-zeros"])
    for block in blocks_of(golden, wanted):
        block["values"] = {s: v for s, v in block["values"].items() if not start <= int(s) < start + rng.choice([1, 4, 1000])} \
            or block["values"]


def drop_placeholders(golden, rng):
    for block in blocks_of(golden, ""):
        block["values"] = {s: v for s, v in block["values"].items() if not (isinstance(v, str) or v != v)}


def drop_metric(golden, rng):
    golden.pop(rng.choice(sorted(golden)), None)


def append(value):
    def apply(golden, rng):
        for block in blocks_of(golden, rng.choice(["", "loss"])):
            end = max(map(int, block["values"]), default=0)
            block["values"].update({str(end + 1 + i): value for i in range(rng.choice([1, 5]))})
    return apply


CHANGES = {
    "jitter": each("", lambda v, s, rng: v * (1 + rng.uniform(-1e-6, 1e-6))),
    "wide jitter": each("loss", lambda v, s, rng: v * (1 + 0.01 * (-1) ** s)),
    "jitter with a shift": each("loss", lambda v, s, rng: v * (1.0004 + 0.01 * (-1) ** s)),
    "shift": each("loss", lambda v, s, rng: v * 2.7),
    "small shift": each("loss", lambda v, s, rng: v * 0.9995),
    "smaller": each("loss", lambda v, s, rng: v * 0.98),
    "larger": each("num-zeros", lambda v, s, rng: v * 30),
    "one step": each("loss", lambda v, s, rng: v * 3 if s == 5 else v),
    "NaN from 6": each("", lambda v, s, rng: "nan" if s > 5 else v),
    "NaN loss": each("loss", lambda v, s, rng: "nan"),
    "NaN at one step": each("loss", lambda v, s, rng: "nan" if s == 7 else v),
    "NaN zeros": each("num-zeros", lambda v, s, rng: float("nan") if s % 3 else v),
    "inf": each("loss", lambda v, s, rng: float("inf") if s > 20 else v),
    "leading NaN of all": each("", lambda v, s, rng: "nan" if s < 3 else v),
    "NaN time": each("time", lambda v, s, rng: "nan" if s == 9 else v),
    "slow": each("time", lambda v, s, rng: v * 9),
    "little slower": each("time", lambda v, s, rng: v * 1.03),
    "fast": each("time", lambda v, s, rng: v / 2),
    "zero": each("loss", lambda v, s, rng: 0),
    "zero zeros": each("num-zeros", lambda v, s, rng: 0 if s < 9 else v),
    "tiny": each("loss", lambda v, s, rng: v * 1e-21),
    "huge": each("loss", lambda v, s, rng: v * 1e300),
    "negative": each("loss", lambda v, s, rng: -v),
    "memory": each("mem", lambda v, s, rng: int(v * 1.2)),
    "little memory": each("mem", lambda v, s, rng: int(v * 1.00001)),
    "drop": drop, "drop placeholders": drop_placeholders, "drop metric": drop_metric,
    "new NaN metric": lambda golden, rng: golden.update({"other loss": {"values": {"1": "nan", "2": "nan"}}}),
    "more steps": append(1.5), "more NaN": append("nan"), "nothing": lambda golden, rng: None,
}
QUIET = ["jitter", "little slower", "little memory", "nothing", "small shift"]


def change(path, rng, what):
    golden = json.loads(path.read_text())
    CHANGES[what](golden, rng)
    path.write_text(json.dumps(golden))


def made(source, folder, seed):
    """Some goldens of a refresh; most move a little, some move, some break, some are new or go."""
    rng = random.Random("%s %d" % (source.name, seed))
    goldens = [p for p in sorted((source / "new").rglob("golden_values*.json")) if read(p)]
    picked = rng.sample(goldens, min(len(goldens), rng.choice([1, 2, 5, 9, 14, 40])))
    whole = rng.choice([None, None, None] + sorted(CHANGES))
    calm = rng.choice([0.2, 0.6, 0.9])
    for path in picked:
        file = path.relative_to(source / "new")
        for side in ("base", "new"):
            (folder / side / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / side / file)
            os.chmod(folder / side / file, 0o644)
        for side, odds in (("base", 0.15), ("new", 1)):
            if rng.random() < odds:
                change(folder / side / file, rng, rng.choice(QUIET))
                what = whole or rng.choice(QUIET if rng.random() < calm else sorted(CHANGES))
                change(folder / side / file, rng, what)
        gone = rng.random()
        if gone < 0.05 and len(picked) > 1:
            (folder / "base" / file).unlink()
        elif gone < 0.08 and len(picked) > 1:
            (folder / "new" / file).unlink()
    if not any((folder / "base").rglob("*.json")):
        shutil.copytree(folder / "new", folder / "base", dirs_exist_ok=True)


# --- the whole ---

ENVIRONMENT = dict(os.environ, GIT_AUTHOR_NAME="test", GIT_AUTHOR_EMAIL="test@example.com",
                   GIT_COMMITTER_NAME="test", GIT_COMMITTER_EMAIL="test@example.com")


def lay(folder, side):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run("cp -r %s/. %s && chmod -R u+w %s" % (side, folder, folder), shell=True, check=True)


def repository(folder, base):
    lay(folder, base)
    for call in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "base"]):
        subprocess.run(["git", "-C", folder] + call, check=True, env=ENVIRONMENT)


def start_again(folder):
    subprocess.run(["git", "-C", folder, "reset", "-q", "--hard"], check=True)
    subprocess.run(["git", "-C", folder, "clean", "-fdq"], check=True)


def on_terminal(call, columns):
    """What a command prints in a window of so many columns."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=other, stderr=subprocess.DEVNULL) as process:
        os.close(other)
        parts = []
        try:
            while part := os.read(main, 65536):
                parts.append(part)
        except OSError:  # all is read
            pass
        process.wait()
    os.close(main)
    return b"".join(parts).decode().replace("\r\n", "\n")


def hold(regild, call, folder, base):
    """Returns what is not so of a call's reports, which are about the folder's goldens against the base's."""
    made = {kind: folder / ("report." + kind) for kind in ("json", "markdown", "html")}
    options = [word for kind, path in made.items() for word in ("--" + kind, path)]
    done = subprocess.run([regild] + call + ["-q", "-C", folder] + options, capture_output=True, text=True)
    if done.returncode not in (0, 4) or not made["json"].exists():
        return ["exit code %d: %s" % (done.returncode, done.stderr.strip()[-300:])]
    text = {kind: path.read_text() for kind, path in made.items()}
    for path in made.values():
        path.unlink()
    document = json.loads(text["json"])
    terminal = on_terminal([regild, "compare", "-q", "--no-pager", "--color", "never", "-C", folder], WIDTH)
    return list(complaints(document, Goldens(base, folder))) + list(
        report.complaints(document, text["markdown"], text["html"], done.stdout, terminal, WIDTH))


# The options of each call: what a refresh holds back is not there after it. A comparison has none.
CALLS = {"refresh": [], "allowed": ["--allow", "nonfinite", "--allow", "shrink", "--allow", "empty"], "compare": None}


def hold_all(regild, folder, base, new, calls):
    """A comparison, and refreshes, as far as they are among the calls."""
    repository(folder, base)
    run = folder.parent / (folder.name + "-run")
    lay(run, new)
    for place, call in enumerate(calls):
        if place:
            start_again(folder)
        if call != "compare":
            yield call, hold(regild, ["refresh", "--from", run] + CALLS[call], folder, base)
            continue
        for path in folder.rglob("golden_values*.json"):
            path.unlink()
        lay(folder, new)
        yield call, hold(regild, ["compare"], folder, base)
    shutil.rmtree(folder)
    shutil.rmtree(run)


def main():
    regild, scratch, corpus = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    seeds = range(int(sys.argv[4])) if len(sys.argv) > 4 else range(3)
    each = int(sys.argv[5]) if len(sys.argv) > 5 else len(CALLS)
    passed = failed = 0
    for turn, source in enumerate(sorted(p for p in corpus.iterdir() if (p / "base").is_dir())):
        pairs = [("forwards", source / "base", source / "new"), ("backwards", source / "new", source / "base")]
        for seed in seeds:
            folder = scratch / ("made-%s-%d" % (source.name, seed))
            made(source, folder, seed)
            pairs.append(("made %d" % seed, folder / "base", folder / "new"))
        for place, (label, base, new) in enumerate(pairs):
            calls = [call for n, call in enumerate(CALLS) if (n + turn + place) % len(CALLS) < each]
            for call, found in hold_all(regild, scratch / "work", base, new, calls):
                for complaint in found[:8]:
                    print("%s %s, %s: %s" % (source.name, label, call, complaint))
                passed, failed = passed + (not found), failed + bool(found)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
