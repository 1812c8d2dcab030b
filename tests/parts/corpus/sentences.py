#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a comparison's story says against the goldens, worked out apart from regild.

usage: sentences.py REGILD SCRATCH CORPUS [SEEDS]

CORPUS has refreshes, NAME/base and NAME/new. Each is read forwards, backwards, and in SEEDS made variants:
losses that jitter beside one that moved, values that are no longer finite or are again, steps and metrics
that came or went, values at and near zero, new goldens that are broken. Each is compared, and taken by a
refresh. Ends with "N passed, N failed, N skipped".
"""
import json
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys

NEAR_ZERO = 1e-12
LEVEL = 1e-3
# What a figure of three digits may be off by, and nothing more.
ROUNDED = 0.0051
FIGURE = r"([\d.,]+(?:e[-+]?\d+)?)"


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
            self.gone += [(file, m) for m in old if m not in fresh and any(not math.isnan(v) for v in old[m].values())]
            self.came += [(file, m) for m, values in fresh.items() if old and m not in old and
                          any(is_wrong(m, values, s) for s in values)]
        self.by = {(r.file, r.metric): r for r in self.rows}


# --- a figure that is said ---

def said(text):
    return float(text.replace(",", "")) / 100


def is_near(share, figure):
    return abs(abs(share) - abs(figure)) <= ROUNDED * abs(share) + 1e-15


def hold_ends(text, low, high, what):
    """A range: positive where the new side is smaller."""
    both = re.match(r"%s %% smaller to %s %% larger" % (FIGURE, FIGURE), text)
    one = re.match(r"(up to )?(?:%s to )?%s %% (smaller|larger)" % (FIGURE, FIGURE), text)
    if both:
        if low >= 0 or high <= 0 or not is_near(high, said(both[1])) or not is_near(low, said(both[2])):
            yield "%s: %r, but %g to %g" % (what, text, low, high)
    elif one:
        way = 1 if one[4] == "smaller" else -1
        ends = sorted((way * low, way * high))
        least = said(one[2]) if one[2] else None if one[1] else said(one[3])
        if ends[0] < 0 or not is_near(ends[1], said(one[3])) or least is not None and not is_near(ends[0], least):
            yield "%s: %r, but %g to %g" % (what, text, low, high)
    elif not text.startswith("equal") or (low, high) != (0, 0):
        yield "%s: %r, but %g to %g" % (what, text, low, high)


def hold_means(text, rows, what):
    """Of times: what the means say, where they say something else than the median steps."""
    disputed = [r for r in rows if r.disputed]
    told = re.search(r", on average (.*?(?:equal|smaller|larger))(?! to )(?: in (\d+) of \d+)?"
                     r"(?:, most of it at step (\d+)|, in (\d+) most of it at one step)?", text)
    if bool(told) != bool(disputed):
        yield "%s: %r, but the means of %d rows say something else" % (what, text, len(disputed))
    if not told or not disputed:
        return
    yield from hold_ends(told[1], min(r.avg for r in disputed), max(r.avg for r in disputed), "means of " + what)
    if told[2] and int(told[2]) != len(disputed) or not told[2] and len(rows) > len(disputed):
        yield "%s: %r, but %d of %d" % (what, text, len(disputed), len(rows))
    one_step = [r for r in disputed if r.one_step]
    if told[3] and not (len(one_step) == 1 and int(told[3]) == one_step[0].largest_at):
        yield "%s: %r, but not at that step" % (what, text)
    if not told[3] and int(told[4] or 0) != len(one_step):
        yield "%s: %r, but %d are mostly one step" % (what, text, len(one_step))


def hold_range(text, rows, what):
    """A sentence's range: of avg_rel_diff or the median step, positive where the new side is smaller."""
    figures = [r.said for r in rows if not math.isnan(r.said)]
    if not figures:
        if re.search("new is|equal on average", text):
            yield "%s: no row has a figure, it says %r" % (what, text)
        return
    low, high = min(figures), max(figures)
    told = re.search("new is (.*)", text)
    jitter = re.search(r"jitters by (?:up to )?%s %% a step" % FIGURE, text)
    if told:
        yield from hold_ends(told[1], low, high, what)
        typical = any(r.typical for r in rows)
        if typical != ("at the median step" in text):
            yield "%s: %r, but it is of the %s" % (what, text, "median step" if typical else "mean")
    elif "no shift" in text:
        if max(-low, high) >= 1e-3:
            yield "%s: %r, but %g to %g" % (what, text, low, high)
    elif re.search("equal (on average|at the median step)", text) and (low, high) != (0, 0):
        yield "%s: %r, but %g to %g" % (what, text, low, high)
    jittering = [r.jitter for r in rows if r.cancels]
    if jitter and not (jittering and is_near(max(jittering), said(jitter[1]))):
        yield "%s: %r, but the jitter is %s" % (what, text, max(jittering, default=None))
    if not jitter and jittering and max(jittering) > max(-low, high) * 1.01:
        yield "%s: %r, but one jitters by %g" % (what, text, max(jittering))
    yield from hold_means(text, rows, what)


def hold_quiet(text, rows, what):
    """ "all 8 within 0.0073 %", "equal", "equal on average" """
    count = re.match(r"(?:all|the other) (\d+) ", text)
    if count and int(count[1]) != len(rows):
        yield "%s: %r, but %d rows" % (what, text, len(rows))
    figures = [abs(r.said) for r in rows if not math.isnan(r.said)] + [r.jitter for r in rows if r.cancels]
    within = re.search(r"within %s %%" % FIGURE, text)
    if within and max(figures, default=0) > said(within[1]) * (1 + 1e-9):
        yield "%s: %r, but %g" % (what, text, max(figures))
    if re.search(r"\bequal$", text) and any(r.differs or r.broken or r.repaired for r in rows):
        yield "%s: %r, but they differ" % (what, text)
    if re.search("equal (on average|at the median step)", text) and any(r.said != 0 and not math.isnan(r.said) for r in rows):
        yield "%s: %r, but they moved" % (what, text)
    for words, is_so in (("not finite", lambda r: r.broken), ("lost values", lambda r: r.lost), ("finite again", lambda r: r.repaired)):
        if words not in text and any(is_so(r) for r in rows if not is_time(r.metric)):
            yield "%s: %r, but it is so: %s" % (what, text, words)


# --- the lines ---

def hold_metric(metric, text, goldens):
    """What a line says of one metric: stages that moved, then the others."""
    rows = [r for r in goldens.rows if r.metric == metric]
    stages = sorted({r.stage for r in rows}, key=len, reverse=True)
    text, _, worst = text.partition("; worst ")
    other = re.search(r"; (%s): (.*jitters.*)$" % "|".join(re.escape(r.name) for r in rows), worst)
    if other:
        yield from hold_range(other[2], [r for r in rows if r.name == other[1]], "jitter of " + metric)
        worst = worst[:other.start()]
    one_name = re.search(r" \((%s)\)$" % "|".join(re.escape(r.name) for r in rows), text)
    text = text[:one_name.start()] if one_name else text
    if re.match(r"(all \d+ )?(within|equal|without)", text):
        yield from hold_quiet(text, rows, metric)
        return
    starts = list(re.finditer(r"(?:^|, )(%s) (?=new |equal|jitters|no |at worst|\d+ of|from|differs|not )" %
                              "|".join(map(re.escape, stages)), text))
    other = re.search(r", (?:(the other \d+ )|1 other )(within .*|equal.*|without.*)$", text)
    ends = [m.start() for m in starts[1:]] + [other.start() if other else len(text)]
    named = set()
    for start, end in zip(starts, ends):
        clause = re.sub(r", \d+ more stages?$", "", text[start.end():end])
        of_stage = [r for r in rows if r.stage == start[1]]
        named.add(start[1])
        among = re.search(r" in (\d+) of (\d+)$", clause)
        changed = [r for r in of_stage if r.differs or r.broken]
        if among and (int(among[1]), int(among[2])) != (len(changed), len(of_stage)):
            yield "%s: %r, but %d of %d" % (metric, clause, len(changed), len(of_stage))
        for word, alone, has in (("not finite", "not finite at", lambda r: r.broken),
                                 ("finite again", "finite again at", lambda r: r.repaired),
                                 ("lost values", " gone", lambda r: r.lost)):
            count = re.search(r"(\d+) of (\d+) %s" % word, clause)
            true = sum(bool(has(r)) for r in of_stage)
            if count and (int(count[1]), int(count[2])) != (true, len(of_stage)) or true and not count and not (len(of_stage) == 1 and alone in clause):
                yield "%s: %r, but %d are %s" % (metric, clause, true, word)
        yield from hold_range(clause, [r for r in changed if not (r.small and not r.moved)], metric + " " + start[1])
    if other and "more stage" not in text:
        yield from hold_quiet((other[1] or "") + other[2], [r for r in rows if r.stage not in named], metric)
    if worst:
        yield from hold_worst(metric, worst, rows)


def hold_worst(metric, text, rows):
    name, _, says = text.partition(": ")
    row = next((r for r in rows if r.name == name), None)
    if not row:
        yield "%s: there is no %r" % (metric, name)
        return
    if not any(r.broken or r.lost or r.small for r in rows):
        largest = max(abs(r.avg) for r in rows if not math.isnan(r.avg))
        if abs(row.avg) < largest * (1 - 1e-9):
            yield "%s: worst is %r with %g, but one has %g" % (metric, name, row.avg, largest)
    if any(r.broken for r in rows) and len(row.broken) < max(len(r.broken) for r in rows):
        yield "%s: worst is %r, but another has more that is not finite" % (metric, name)
    if "new is" in says:
        yield from hold_range(says, [row], "worst " + metric)


def hold_losses(line, whole, goldens):
    for part in re.split(r"\. (?=[^.;:]*: )", line):
        metric, _, text = part.partition(": ")
        if any(r.metric == metric for r in goldens.rows):
            yield from hold_metric(metric, text, goldens)
    for metric in sorted({r.metric for r in goldens.rows if "loss" in r.metric}):
        if metric + ": " not in line and " more: " not in line:
            yield "%s is not told" % metric
        moved = [r for r in goldens.rows if r.metric == metric and abs(r.avg) >= LEVEL]
        worst = max((abs(r.avg) for r in moved), default=0)
        if moved and not any(r.name in whole for r in moved if abs(r.avg) >= worst * (1 - 1e-9)):
            yield "%s: the worst, by %g, is not named" % (metric, worst)


def hold_time(metric, text, rows):
    bounds = re.findall(r"(\d+)(?: of (\d+))? (slower|faster), by (up to )?(?:%s to )?%s %%" % (FIGURE, FIGURE), text)
    for count, of, way, up_to, near, far in bounds:
        moved = sorted(-r.said if way == "slower" else r.said for r in rows if sign(r.said) == (-1 if way == "slower" else 1))
        if int(count) != len(moved) or of and int(of) != len(rows):
            yield "%s: %r, but %d of %d" % (metric, text, len(moved), len(rows))
        elif not is_near(moved[-1], said(far)) or near and not is_near(moved[0], said(near)):
            yield "%s: %r, but %g to %g" % (metric, text, moved[0], moved[-1])
        elif not near and not up_to and not is_near(moved[0], said(far)):
            yield "%s: %r, but %g to %g" % (metric, text, moved[0], moved[-1])
    if any(r.typical for r in rows) != ("at the median step" in text):
        yield "%s: %r does not say of what" % (metric, text)
    yield from hold_means(text, rows, metric)


def hold_changed(line, goldens):
    for metric in {r.metric for r in goldens.rows if r.metric + ": " in line}:
        at = re.search(r"(?:^|; )%s: (.*?)(?=; [^;]*: |; \d+ |$)" % re.escape(metric), line)
        rows = [r for r in goldens.rows if r.metric == metric]
        if at and re.search("slower|faster", at[1]):
            yield from hold_time(metric, at[1], rows)
        elif at:
            yield from hold_metric(metric, at[1], goldens)
    if re.match("no (other )?metric moved", line):
        for r in goldens.rows:
            if "loss" not in r.metric and not is_time(r.metric) and abs(r.avg) >= 0.2:
                yield "%r, but %s of %s by %g" % (line, r.metric, r.name, r.avg)


def hold_apart(line, goldens):
    for row in goldens.rows:
        name = "%s %s: " % (row.name, row.metric)
        start = line.find(name)
        at = start >= 0 and re.compile(r"(.*?) \(the median of the (\d+) others of its (group|stage): (.*?)\)").match(
            line, start + len(name))
        if not at:
            continue
        others = [r.said for r in goldens.rows if r.metric == row.metric and r.stage == row.stage and r is not row and
                  math.isfinite(r.said) and (at[3] == "stage" or r.variant == row.variant)]
        if len(others) != int(at[2]):
            yield "%r, but %d others" % (at[0], len(others))
        median = statistics.median(others)
        if abs(median) > 1e-15:
            figure = re.match(r"new is %s %% (smaller|larger)" % FIGURE, at[4])
            if not figure or not is_near(median, said(figure[1])) or (figure[2] == "smaller") != (median > 0):
                yield "%r, but the median is %g" % (at[0], median)
        yield from hold_range(at[1], [row], "apart " + row.metric)


def expand(text):
    """ "1..3, 7" """
    out = []
    for part in text.split(", "):
        first, _, last = part.partition("..")
        out += range(int(first), int(last or first) + 1)
    return out


def hold_shapes(shapes, goldens):
    has = {"not finite": lambda r: r.broken, "finite again": lambda r: r.repaired, "steps gone": lambda r: r.lost}
    for kind, of in has.items():
        told = [s for s in shapes if s["kind"] == kind]
        true = {r.file for r in goldens.rows if of(r)}
        true |= {file for file, _ in goldens.came} if kind == "not finite" else set()
        if true and not told:
            yield "%d goldens are %s: no sentence says so" % (len(true), kind)
        for shape in told:
            if len(true) < shape["goldens"]:
                yield "%r, but %d goldens are %s" % (shape["text"], len(true), kind)
            row = goldens.by.get((shape["file"], shape["metric"]))
            if row and shape["goldens"] == 1 and shape["steps"] and not re.search("ends at|…", shape["text"]):
                if set(expand(shape["steps"])) & (row.old.keys() | row.new.keys()) != set(of(row)):
                    yield "%r, but %s" % (shape["text"], of(row)[:20])
    for shape in shapes:
        end = re.search(r"ends at step (\d+) of (\d+)", shape["text"])
        rows = [r for r in goldens.rows if r.file == shape["file"]]
        if end and not any(max((s for s, v in r.new.items() if math.isfinite(v)), default=None) == int(end[1]) and
                           max((s for s, v in r.old.items() if math.isfinite(v)), default=None) == int(end[2]) for r in rows):
            yield "%r, but no row ends so" % shape["text"]
        if shape["rest_equal"] and any(r.differs for r in rows if r.metric == shape["metric"]):
            yield "%r, but they differ" % shape["text"]


def hold_groups(story, goldens):
    for group in story["groups"] + story["quiet_groups"]:
        members = [r for r in goldens.rows if (r.metric, r.stage, r.variant) ==
                   (group["metric"], group["stage"], group["variant"])]
        what = "group %s %s %s" % (group["metric"], group["stage"], group["variant"])
        if group["counted"] or not members:
            continue
        moved = [r for r in members if r.differs and not math.isnan(r.avg) and not (r.small and not r.moved)]
        if moved and group["low"] is not None:
            if (min(r.avg_rel_diff for r in moved), max(r.avg_rel_diff for r in moved)) < (group["low"] - 1e-15, group["high"] - 1e-15):
                yield "%s: a narrow range" % what
            yield from hold_range(group["says"], moved, what)
        worst = goldens.by.get((group["worst"]["file"], group["metric"]))
        if worst and not any(r.broken or r.lost or r.small for r in members):
            largest = max(abs(r.said) for r in members if not math.isnan(r.said))
            if abs(worst.said) < largest * (1 - 1e-9):
                yield "%s: the worst has %g, and one has %g" % (what, worst.said, largest)
        if worst and not worst.broken and any(r.broken for r in members):
            yield "%s: the worst is not what is broken" % what


def hold_calm(lines, goldens):
    """What sounds as if there were nothing."""
    whole, following = "\n".join(lines.values()), lines.get("next", "")
    differing = [r for r in goldens.rows if r.differs]
    if differing and re.search("no value differs|all shared values are equal", whole):
        yield "%d rows differ, and it says %r" % (len(differing), whole)
    if "nothing needs a look" in following:
        for r in goldens.rows:
            if r.broken or r.lost and not is_time(r.metric):
                yield "%s of %s is broken or lost, and nothing needs a look" % (r.metric, r.name)
            if "loss" in r.metric and (abs(r.avg) >= LEVEL or r.small or r.cancels and r.jitter >= LEVEL):
                yield "%s of %s moved, and nothing needs a look" % (r.metric, r.name)
            if is_time(r.metric) and abs(r.avg) >= 0.05:
                yield "%s of %s moved, and nothing needs a look" % (r.metric, r.name)
    for word in ("no clear change", "in both directions", "upper median", "cohort"):
        if word in whole:
            yield "it says %r" % word
    if goldens.came and "values are not finite" not in following:
        yield "%s is new with NaN, and next does not say so" % (goldens.came[0],)
    for low, high in re.findall(r"([\d.,]+) to ([\d.,]+) %", whole):
        if low == high:
            yield "a range of one figure: %s" % low
    for file in sorted({r.file for r in goldens.rows if r.broken and "mem" not in r.metric})[:1]:
        if name_of(file) not in following and "not finite" not in following:
            yield "next does not name %s" % name_of(file)


def is_nan_golden(series):
    for metric, values in series.items():
        finite = [s for s in sorted(values) if math.isfinite(values[s])]
        bad = [s for s in values if not math.isfinite(values[s])]
        if bad and (not finite or not is_time(metric)):
            return True
    return False


def hold_commit(lines, code, goldens):
    following = lines.get("next", "")
    if code != 0 or "commit" not in following:
        return
    for r in goldens.rows:
        if r.broken:
            yield "exit 0 and commit, but %s of %s is not finite" % (r.metric, r.name)
    for file, series in goldens.fresh.items():
        if is_nan_golden(series):
            yield "exit 0 and commit, but %s is new with NaN" % name_of(file)


def complaints(document, code, goldens):
    story = document["story"]
    lines = {line["kind"]: line["text"] for line in story["lines"]}
    yield from hold_losses(lines.get("losses", ""), "\n".join(lines.values()), goldens)
    yield from hold_changed(lines.get("changed", ""), goldens)
    yield from hold_apart(lines.get("apart", ""), goldens)
    yield from hold_shapes(story["shapes"], goldens)
    yield from hold_groups(story, goldens)
    yield from hold_calm(lines, goldens)
    yield from hold_commit(lines, code, goldens)
    compared = re.match(r"(\d+) goldens? compared", lines["done"])
    if compared and int(compared[1]) < len({r.file for r in goldens.rows if r.differs}):
        yield "%r, but more differ" % lines["done"]


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


def hold(regild, call, folder, base):
    """Returns what is not so of a call's story, which is about the folder's goldens against the base's."""
    done = subprocess.run([regild] + call + ["-q", "-C", folder, "--json", "report.json"], capture_output=True, text=True)
    report = folder / "report.json"
    if done.returncode not in (0, 4) or not report.exists():
        return ["exit code %d: %s" % (done.returncode, done.stderr.strip()[-300:])]
    document = json.loads(report.read_text())
    report.unlink()
    return list(complaints(document, done.returncode, Goldens(base, folder)))


def hold_all(regild, folder, base, new):
    """A comparison, and refreshes: what is held back is not there."""
    repository(folder, base)
    run = folder.parent / (folder.name + "-run")
    lay(run, new)
    yield "refresh", hold(regild, ["refresh", "--from", run], folder, base)
    start_again(folder)
    yield "allowed", hold(regild, ["refresh", "--from", run, "--allow", "nonfinite", "--allow", "shrink", "--allow", "empty"], folder, base)
    start_again(folder)
    for path in folder.rglob("golden_values*.json"):
        path.unlink()
    lay(folder, new)
    yield "compare", hold(regild, ["compare"], folder, base)
    shutil.rmtree(folder)
    shutil.rmtree(run)


def main():
    regild, scratch, corpus = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    seeds = range(int(sys.argv[4])) if len(sys.argv) > 4 else range(3)
    passed = failed = 0
    for source in sorted(p for p in corpus.iterdir() if (p / "base").is_dir()):
        pairs = [("forwards", source / "base", source / "new"), ("backwards", source / "new", source / "base")]
        for seed in seeds:
            folder = scratch / ("made-%s-%d" % (source.name, seed))
            made(source, folder, seed)
            pairs.append(("made %d" % seed, folder / "base", folder / "new"))
        for label, base, new in pairs:
            for call, found in hold_all(regild, scratch / "work", base, new):
                for complaint in found[:8]:
                    print("%s %s, %s: %s" % (source.name, label, call, complaint))
                passed, failed = passed + (not found), failed + bool(found)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
