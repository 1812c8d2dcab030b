#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a comparison's story says against the goldens, worked out apart from regild.

usage: sentences.py REGILD SCRATCH CORPUS

CORPUS has refreshes, NAME/base and NAME/new. Each is read forwards, backwards, and in made variants:
losses that jitter beside one that moved, values that are no longer finite, few goldens of many. Ends
with "N passed, N failed, N skipped".
"""
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

NEAR_ZERO = 1e-12
LEVEL = 1e-3
# What a figure of three digits may be off by, and nothing more.
ROUNDED = 0.006
VARIANTS = 5


def number(value):
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None


def series_of(golden):
    """{metric: {step: value}} of the metrics that are objects with "values" by step."""
    out = {}
    for metric, block in golden.items() if isinstance(golden, dict) else []:
        if not isinstance(block, dict) or not isinstance(block.get("values"), dict):
            continue
        values = {int(k): number(v) for k, v in block["values"].items()}
        out[metric] = {k: v for k, v in values.items() if v is not None}
    return out


def read(path):
    try:
        return series_of(json.loads(path.read_text()))
    except (ValueError, OSError):
        return {}


class Row:
    def __init__(self, file, metric, old, new):
        self.file, self.metric = file, metric
        shared = [s for s in old if s in new]
        self.differs = any(old[s] != new[s] and not (math.isnan(old[s]) and math.isnan(new[s])) for s in shared)
        self.broken = any(math.isfinite(old[s]) and not math.isfinite(new[s]) for s in shared)
        self.repaired = any(not math.isfinite(old[s]) and math.isfinite(new[s]) for s in shared)
        self.lost = any(math.isfinite(v) and s not in new for s, v in old.items())
        used = [(old[s], new[s]) for s in shared
                if math.isfinite(old[s]) and math.isfinite(new[s]) and abs(old[s]) >= NEAR_ZERO]
        self.avg = math.fsum((o - n) / o for o, n in used) / len(used) if used else math.nan
        self.jitter = math.fsum(abs((o - n) / o) for o, n in used) / len(used) if used else math.nan


def rows_of(base, new):
    out = []
    for path in sorted(new.rglob("golden_values*.json")):
        file = str(path.relative_to(new))
        old, fresh = read(base / file), read(path)
        out += [Row(file, metric, old[metric], fresh[metric]) for metric in old if metric in fresh]
    return out


def complaints(story, rows):
    """What the story says that is not so; nothing is expected of what it leaves out."""
    by_file = {(r.file, r.metric): r for r in rows}
    lines = {line["kind"]: line["text"] for line in story["lines"]}
    said = "\n".join(lines.values())
    for group in story["groups"] + story["quiet_groups"]:
        members = [by_file.get((g["file"], g["metric"])) for g in group["goldens"]]
        members = [m for m in members if m]
        if group["counted"] or len(members) != group["n"]:
            continue
        name = "%s %s %s" % (group["metric"], group["stage"], group["variant"])
        figures = [m.avg for m in members if math.isfinite(m.avg)]
        if figures and group["low"] is not None:
            if min(figures) < group["low"] - abs(group["low"]) * 1e-9 - 1e-15:
                yield "%s: the range begins at %g, a row has %g" % (name, group["low"], min(figures))
            if max(figures) > group["high"] + abs(group["high"]) * 1e-9 + 1e-15:
                yield "%s: the range ends at %g, a row has %g" % (name, group["high"], max(figures))
        worst = by_file.get((group["worst"]["file"], group["metric"]))
        whole = [m for m in members if not m.broken and not m.lost and math.isfinite(m.avg)]
        if worst and len(whole) == len(members) and whole:
            largest = max(max(abs(m.avg), m.jitter if m.jitter >= 4 * abs(m.avg) else 0) for m in whole)
            if max(abs(worst.avg), worst.jitter) < largest * (1 - 1e-9):
                yield "%s: the worst is %s with %g, and one has %g" % (name, worst.file, worst.avg, largest)
    differing = [r for r in rows if r.differs]
    if differing and ("no value differs" in said or "nothing needs a look" in said and any(
            r.broken or abs(r.avg) > 0.5 for r in differing)):
        yield "%d rows differ, and it says %r" % (len(differing), said)
    for word in ("no clear change", "in both directions", "upper median", "%s to %s"):
        if word in said:
            yield "it says %r" % word
    if any(r.broken for r in rows) and "; commit" in lines.get("next", ""):
        yield "a value is no longer finite, and it says to commit"
    yield from unnamed_losses(said, rows)


def short(file):
    """STAGE/TEST of a golden's path: what names begin with."""
    parts = file.split("/")
    return "/".join(parts[3:-1]) if parts[:3] == ["tests", "functional_tests", "test_cases"] else file


def unnamed_losses(said, rows):
    """The worst row of each loss has to be named once it moved by its level."""
    for metric in sorted({r.metric for r in rows if "loss" in r.metric}):
        moved = [r for r in rows if r.metric == metric and math.isfinite(r.avg) and abs(r.avg) >= LEVEL]
        if not moved:
            continue
        worst = max(moved, key=lambda r: abs(r.avg))
        alike = [r for r in moved if abs(r.avg) >= abs(worst.avg) * (1 - 1e-9)]
        if not any(short(r.file) in said for r in alike):
            yield "%s: the worst, %s by %.3g, is not named" % (metric, short(worst.file), worst.avg)


# --- made variants ---

def change(path, rng, what):
    golden = json.loads(path.read_text())
    for metric, block in golden.items():
        if not isinstance(block, dict) or not isinstance(block.get("values"), dict):
            continue
        for step, value in block["values"].items():
            if not isinstance(value, (int, float)):
                continue
            if what == "shift" and "loss" in metric:
                block["values"][step] = value * 2.7
            elif what == "jitter":
                block["values"][step] = value * (1 + rng.uniform(-1e-6, 1e-6))
            elif what == "nan" and int(step) > 5:
                block["values"][step] = "nan"
            elif what == "slow" and "time" in metric:
                block["values"][step] = value * 9
            elif what == "tiny":
                block["values"][step] = value * 1e-20
    path.write_text(json.dumps(golden))


def made(source, folder, seed):
    """A few goldens of a refresh; most jitter, some move, some break."""
    rng = random.Random(seed)
    goldens = [p for p in sorted((source / "new").rglob("golden_values*.json"))
               if (source / "base" / p.relative_to(source / "new")).exists() and series_of_file(p)]
    for path in rng.sample(goldens, min(len(goldens), rng.choice([2, 5, 9]))):
        file = path.relative_to(source / "new")
        for side in ("base", "new"):
            (folder / side / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / side / file)
        change(folder / "new" / file, rng, rng.choice(["jitter", "jitter", "shift", "nan", "slow"]))
        if rng.random() < 0.1:
            for side in ("base", "new"):
                change(folder / side / file, rng, "tiny")


def series_of_file(path):
    return bool(read(path))


# --- the whole ---

def repository(folder, base, new):
    environment = dict(os.environ, GIT_AUTHOR_NAME="test", GIT_AUTHOR_EMAIL="test@example.com",
                       GIT_COMMITTER_NAME="test", GIT_COMMITTER_EMAIL="test@example.com")
    folder.mkdir(parents=True)
    for side in (base, new):
        subprocess.run("cp -r %s/. %s && chmod -R u+w %s" % (side, folder, folder), shell=True, check=True)
        if side == base:
            for call in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "base"]):
                subprocess.run(["git", "-C", folder] + call, check=True, env=environment)


def hold(regild, folder, base, new):
    repository(folder, base, new)
    done = subprocess.run([regild, "compare", "-q", "-C", folder, "--json", "-"], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        return ["exit code %d: %s" % (done.returncode, done.stderr.strip()[-300:])]
    return list(complaints(json.loads(done.stdout)["story"], rows_of(base, folder)))


def main():
    regild, scratch, corpus = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    passed = failed = 0
    for source in sorted(p for p in corpus.iterdir() if (p / "base").is_dir()):
        pairs = [("", source / "base", source / "new"), (" backwards", source / "new", source / "base")]
        for seed in range(VARIANTS):
            folder = scratch / ("made-%s-%d" % (source.name, seed))
            made(source, folder, seed)
            if (folder / "base").exists():
                pairs.append((" made %d" % seed, folder / "base", folder / "new"))
        for number_of, (label, base, new) in enumerate(pairs):
            found = hold(regild, scratch / ("%s-%d" % (source.name, number_of)), base, new)
            for complaint in found[:8]:
                print("%s%s: %s" % (source.name, label, complaint))
            passed, failed = passed + (not found), failed + bool(found)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
