#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what a comparison's reports say with its rows, apart from regild: the verdict's counts, each finding's
figures, what moved without what the findings have; and each output with the others: the terminal, a pipe, markdown,
the page and JSON have the same findings, within the window and without a rule of words broken.

usage: story.py JSON MARKDOWN HTML PIPE TERMINAL WIDTH GATED

GATED is the JSON of a comparison with a gate: every breach of it is among the findings.
"""
import collections
import json
import math
import re
import statistics
import sys
import unicodedata

import words

# What a row says of values that came, went, or are no numbers.
VALUES = {"nonfinite": "new_nonfinite", "values-removed": "old_only", "values-added": "new_only"}


def differs(row):
    if row["kind"] != "series" or row["snr_db"] is not None:
        return not row["identical"]
    return row["first_diff"] is not None or row["new_nonfinite"] > 0


def change_of(row):
    """(new - old) / |old|, of a duration its median step's; NaN: none."""
    if row["median_rel_diff"] is not None:
        return 0 - float(row["median_rel_diff"])
    return math.nan if row["change"] is None else float(row["change"])


class Family:
    """The rows of a golden that are one in the reports: the worst of them stands for all."""

    def __init__(self, rows, shown):
        order = sorted(zip(shown, rows), key=lambda one: one[0]["rank"])
        self.rows, self.row, self.shown = rows, order[0][1], order[0][0]
        self.changed = any(map(differs, rows))


class Story:
    def __init__(self, document):
        self.document, self.story, self.rows = document, document["story"], document["rows"]
        self.page = document["page"]["rows"]
        self.complete = not document["page"].get("more")
        by = collections.defaultdict(list)
        for one in self.page:
            row = self.rows[one["row"]]
            by[(one["card"] - 1, row["file"], row["kind"])].append((row, one))
        self.lines = collections.defaultdict(list)
        for (line, _, _), members in by.items():
            self.lines[line].append(Family([row for row, _ in members], [one for _, one in members]))
        self.line_of = {(self.rows[one["row"]]["file"], self.rows[one["row"]]["metric"]): one["card"] - 1 for one in self.page}

    def line(self, finding):
        return self.line_of.get((finding.get("file"), finding.get("row")))

    def families(self, finding):
        return self.lines.get(self.line(finding), [])


# --- findings ---

def group_of(family, of_stage):
    return (family.row["stage"], family.row["kind"], None if of_stage else family.shown.get("variant"))


def is_outlier(family):
    return bool(family.shown.get("stands_out")) and family.row["verdict"] is None


def check_outlier(story, finding):
    families = story.families(finding)
    own = next((f for f in families if f.row["file"] == finding["file"]), None)
    if own is None or own.row["metric"] != finding["row"]:
        return
    # The others of several outliers are the rows of the group that are none of them.
    group, inner = group_of(own, finding.get("of_stage")), group_of(own, False)
    left = [f for f in families if is_outlier(f) and group_of(f, False) == inner] if finding["goldens"] > 1 else [own]
    others = [change_of(f.row) for f in families if f not in left and group_of(f, finding.get("of_stage")) == group]
    if not others:  # all of them are outliers
        others = [change_of(f.row) for f in families if f is not own and group_of(f, finding.get("of_stage")) == group]
    others = [value for value in others if math.isfinite(value)]
    if not others or len(others) != finding.get("others"):
        yield "outlier of %s: %d others, not %s" % (finding["metric"], len(others), finding.get("others"))
    elif not math.isclose(statistics.median(others), finding["others_median"], rel_tol=1e-9, abs_tol=1e-15):
        yield "outlier of %s: the others' median is %g, not %g" % (finding["metric"], statistics.median(others), finding["others_median"])


def check_figures(story, finding):
    row = next((r for r in story.rows if (r["file"], r["metric"]) == (finding["file"], finding.get("row"))), None)
    if row is None:
        yield "%s of %s: no such row" % (finding["kind"], finding["metric"])
        return
    mean, median = (math.nan if row[key] is None else sign * row[key] for key, sign in (("change", 1), ("median_rel_diff", -1)))
    told = finding.get("change", math.nan), finding.get("median", math.nan)
    true = (median, mean) if finding.get("by_median") else (mean, median)
    if not math.isnan(told[0]) and not math.isclose(told[0], true[0], rel_tol=1e-12, abs_tol=1e-300):
        yield "%s of %s: %g, but the row has %g" % (finding["kind"], finding["metric"], told[0], true[0])
    if not math.isnan(told[1]) and not math.isclose(told[1], true[1], rel_tol=1e-12, abs_tol=1e-300):
        yield "%s of %s: median %g, but the row has %g" % (finding["kind"], finding["metric"], told[1], true[1])
    if finding["kind"] == "moved" and math.isnan(told[1]) and not math.isnan(mean * median) and mean * median < 0:
        yield "%s: the mean is %g and the median %g, and one is not told" % (finding["metric"], mean, median)
    if finding["kind"] == "moved" and finding["goldens"] > len(story.families(finding)):
        yield "%s: %d goldens of %d" % (finding["metric"], finding["goldens"], len(story.families(finding)))
    if finding["kind"] == "outlier":
        yield from check_outlier(story, finding)


def check_values(story, finding):
    """Counts of values, over the metric's rows and gaps."""
    key = VALUES[finding["kind"]]
    line = story.line(finding)
    has = [r for r in story.rows if r[key] and (story.line_of.get((r["file"], r["metric"])) == line if line is not None
                                                else r["metric"] == finding["metric"])]
    has += [g for g in story.document["gaps"] if g.get(key) and g["metric"] == finding["metric"] and g["kind"] != "only in old"]
    if any(r["kind"] != "series" for r in has):
        return
    goldens, count = len({r["file"] for r in has}), sum(r[key] for r in has)
    if finding["goldens"] != goldens or finding["count"] != count:
        yield "%s of %s: %d in %d goldens, but the rows have %d in %d" % (
            finding["kind"], finding["metric"], finding["count"], finding["goldens"], count, goldens)


def check_covered(story):
    """Every row that needs review is in a finding."""
    covered = {story.line(f) for f in story.story["findings"]}
    checks = {f["text"] for f in story.story["findings"] if f["kind"] == "check"}
    joined = {f["kind"] for f in story.story["findings"] if f["metrics"] > 1}
    for one in story.page:
        row = story.rows[one["row"]]
        failed = re.findall(r"(\S+): fails", row["checks"] or "")
        if not one["look"] or one["card"] - 1 in covered or set(failed) & checks:
            continue
        if not any(row[key] for kind, key in (*VALUES.items(), ("finite-again", "old_nonfinite")) if kind in joined):
            yield "%s of %s needs review, and no finding has it" % (row["metric"], row["file"])


def check_order(story):
    ranks = []
    for f in story.story["findings"]:
        loss = f["metric"] is not None and f["class"] == "loss"
        missing = ("nonfinite", "values-removed", "metric-removed", "unreadable", "held-back", "missing")
        removed = ("records-removed", "golden-removed", "tests")
        late = ("golden-new", "metric-new", "records-added")
        ranks.append(0 if loss else 1 if f["kind"] in missing else 2 if f["kind"] in removed else 5 if f["kind"] in late
                     else 6 if f["kind"] in ("text", "unread") else 4 if f["kind"] in ("check", "passed") else 3)
    if ranks != sorted(ranks):
        yield "the findings are not in order: %s" % ranks
    for gate in (True, False):
        over = [float(f["over"]) for f, rank in zip(story.story["findings"], ranks) if rank == 3 and bool(f.get("gate")) == gate]
        if over != sorted(over, reverse=True):
            yield "other metrics are not by how far they are over their flag levels: %s" % over


def check_findings(story):
    for finding in story.story["findings"]:
        if finding["kind"] in ("moved", "outlier"):
            yield from check_figures(story, finding)
        elif finding["kind"] in VALUES:
            yield from check_values(story, finding)
        elif finding["kind"] == "check":
            fails = {r["file"] for r in story.rows + story.document["gaps"]
                     if re.search(r"(^|, )%s: fails" % re.escape(finding["text"]), r["checks"] or "")}
            if finding["goldens"] != len(fails):
                yield "%d fail %s, but %d do" % (finding["goldens"], finding["text"], len(fails))
        elif finding["kind"] in ("golden-new", "golden-removed", "unreadable"):
            status = {"golden-new": "new", "golden-removed": "removed"}.get(finding["kind"], finding["kind"])
            files = [f for f in story.document["files"] if f["status"] == status]
            if finding["goldens"] != len(files):
                yield "%d %s, but %d are" % (finding["goldens"], finding["kind"], len(files))
        elif finding["kind"] == "records-removed" and finding["goldens"] == 2:
            if finding["first_count"] + finding["also_count"] != finding["count"]:
                yield "%d records removed are not %d and %d" % (finding["count"], finding["first_count"], finding["also_count"])
    yield from check_covered(story)
    yield from check_order(story)


# --- what moved ---

def is_mover(family):
    return bool(family.shown.get("over_level") or family.shown.get("cancels")) and not is_outlier(family)


def rows_in_review(story):
    """The rows whose change a finding has."""
    found = set()
    for kind, is_of in (("outlier", is_outlier), ("moved", is_mover)):
        for line in {story.line(f) for f in story.story["findings"] if f["kind"] == kind}:
            found |= {(f.row["file"], f.row["metric"]) for f in story.lines.get(line, []) if is_of(f)}
    return found


def summed_up(changes, is_duration):
    """Of (change, is in review): those that the line is of, and whether these are all: of durations, or if most are in review."""
    in_review = sum(there for _, there in changes)
    of_all = in_review > 0 and len(changes) > 1 if is_duration else in_review > 1 and in_review > len(changes) // 2
    return [value for value, there in changes if of_all or not there], of_all


def check_moved_line(moved, families, found, gaps, is_duration):
    what = moved.get("metric") or moved["stage"]
    if moved["goldens"] != len({f.row["file"] for f in families}) + gaps:
        yield "%s: %d goldens, but %d have rows" % (what, moved["goldens"], len({f.row["file"] for f in families}) + gaps)
    changed = sum(f.changed for f in families) + gaps
    if moved["changed"] != changed:
        yield "%s: %d changed, but %d did" % (what, moved["changed"], changed)
    figures = [(change_of(f.row), any((f.row["file"], r["metric"]) in found for r in f.rows)) for f in families if f.row["n_steps"] and
               not (f.row["near_zero"] and not f.row["max_abs_rel"] and not f.row["identical"])]
    figures = [one for one in figures if math.isfinite(one[0])]
    everything = [value for value, _ in figures]
    rest, of_all = summed_up(figures, is_duration)
    if moved.get("all", False) != of_all:
        yield "%s: it is of %s" % (what, "all" if of_all else "what is not in review")
    true = (min(rest), max(rest), statistics.median(rest)) if rest else (math.nan,) * 3
    for key, value in zip(("low", "high", "median"), true):
        told = moved.get(key, math.nan)
        if not math.isclose(told, value, rel_tol=1e-9, abs_tol=1e-15) and not (math.isnan(told) and math.isnan(value)):
            yield "%s: %s %g, but it is %g" % (what, key, told, value)
    for key, count in (("larger", sum(value > 0 for value in everything)), ("smaller", sum(value < 0 for value in everything))):
        if moved.get(key, 0) != count:
            yield "%s: %d %s, but %d are" % (what, moved.get(key, 0), key, count)


def check_moved(story):
    found = rows_in_review(story)
    for place, moved in enumerate(story.story["moved"]):
        families = story.lines.get(place, [])
        if moved.get("of_models"):
            continue
        if moved.get("counted"):
            rows = [r for r in story.rows if r["metric"] == moved.get("only")]
            if rows and (moved["goldens"], moved["changed"]) != (len({r["file"] for r in rows}), sum(map(differs, rows))):
                yield "%s: %d of %d, but %d of %d" % (moved["metric"], moved["changed"], moved["goldens"], sum(map(differs, rows)), len(rows))
            continue
        gaps = len({g["file"] for g in story.document["gaps"] if g["kind"] == "no steps" and differs(g) and
                    g["metric"] == moved.get("only") and g["file"] not in {f.row["file"] for f in families}})
        is_duration = moved["class"] in ("time", "rate")
        yield from check_moved_line(moved, families, found, gaps, is_duration)
        for stage in moved.get("stages", []):
            own = [f for f in families if f.row["stage"] == stage["stage"]]
            if not gaps:
                yield from check_moved_line(stage, own, found, 0, is_duration)
        sizes = [abs(f) for r in families for f in [float(m["moved"]) if m["moved"] is not None else math.nan for m in r.rows]]
        if moved["n"] > len(sizes):
            yield "%s: n is %d, but %d rows have a size" % (moved["metric"], moved["n"], len(sizes))
    missing = {one["card"] - 1 for one in story.page} - set(range(len(story.story["moved"])))
    if missing:
        yield "rows of no line: %s" % missing


# --- the verdict ---

def check_verdict(story, text):
    found = words.VERDICT.match(text)
    if not found:
        yield "no verdict: %r" % text
        return
    compared = sum(f["status"] == "compared" for f in story.document["files"])
    if words.number(found["compared"]) != compared or compared != story.document["counts"]["compared"]:
        yield "%r, but %d were compared" % (text, compared)
    if bool(found["why"]) != bool(story.story["findings"]):
        yield "%r, but there are %d findings" % (text, len(story.story["findings"]))
    rows = story.rows + story.document["gaps"]
    for count in re.findall(r"([\d,]+) goldens? (?:has|have) new", found["why"] or ""):
        true = {r["file"] for r in rows if r["new_nonfinite"]}
        if words.number(count) != len(true):
            yield "%r, but %d are" % (text, len(true))
    for count in re.findall(r"outliers in ([\d,]+) golden", found["why"] or ""):
        true = {story.rows[one["row"]]["file"] for one in story.page
                if one.get("stands_out") and story.rows[one["row"]]["verdict"] is None}
        if words.number(count) != len(true):
            yield "%r, but %d have outliers" % (text, len(true))
    for count in re.findall(r"([\d,]+) goldens? over", found["why"] or ""):
        # The page's rows: a level, what cancels, or a tensor's noise.
        true = {story.rows[one["row"]]["file"] for one in story.page if one.get("over_level") or one.get("cancels")}
        if words.number(count) > len(true):
            yield "%r, but %d are" % (text, len(true))
    for count, check in re.findall(r"(\d+) fails? ([^;)]+)", found["why"] or ""):
        true = {r["file"] for r in rows if re.search(r"(^|, )%s: fails" % re.escape(check), r["checks"] or "")}
        if int(count) != len(true):
            yield "%r, but %d fail" % (text, len(true))


# --- a finding's words ---

def check_words(finding, said):
    metric = (finding["metric"] or "") + (" and %d more" % (finding["metrics"] - 1) if finding["metric"] and finding["metrics"] > 1 else "")
    if said.metric != metric:
        yield "%r is not of %r" % (said, metric)
    kind, figure, note = finding["kind"], said.figure, said.note
    unit = "cell" if finding.get("by_record") else "step"
    fixed = {"nonfinite": {(1, 0): "now NaN", (0, 1): "now inf", (1, 1): "now NaN, inf", (0, 0): "not finite"}[
                 bool(finding.get("is_nan")), bool(finding.get("is_inf"))],
             "values-removed": "%s %s removed", "values-added": "%s %s added", "check": "fails %s" % finding.get("text"),
             "metric-removed": "removed", "metric-new": "new", "unreadable": "unreadable", "text": "differs"}
    if kind in fixed:
        count = finding.get("count", 0)
        wanted = fixed[kind] % (format(count, ","), unit + ("s" if count != 1 else "")) if "%s" in fixed[kind] else fixed[kind]
        if figure != wanted:
            yield "%r, but %r" % (said, wanted)
    if kind in ("moved", "outlier") and not ("change" not in finding and figure == "differs" or
                                              re.fullmatch(words.PERCENT, figure) and words.is_near(figure, float(finding["change"]))):
        yield "%r, but the change is %s" % (said, finding.get("change"))
    if kind == "from-zero" and not words.is_pair(figure, finding.get("old", math.nan), finding.get("new", math.nan)):
        yield "%r, but %s" % (said, finding)
    for pattern, key in ((r"median step; mean (%s)" % words.PERCENT, "median"), (r"mean; median step (%s)" % words.PERCENT, "median"),
                         (r"others(?: in its \w+)?: (%s)" % words.PERCENT, "others_median"),
                         (r"varies by (%s) per step" % words.SHARE, "per_step"), (r"flag level (%s)" % words.SHARE, "level")):
        found = re.search(pattern, note)
        if found and not words.is_near(found[1], float(finding[key])):
            yield "%r, but %s is %g" % (said, key, float(finding[key]))
    for pattern, key in ((r"^(\d+) goldens", "goldens"), (r"(\d+) others", "others")):
        found = re.search(pattern, note)
        if found and int(found[1]) != finding.get(key):
            yield "%r, but %s is %s" % (said, key, finding.get(key))
    if kind == "outlier" and not finding.get("runs") and "others" not in note:
        yield "%r does not say what it is compared with" % (said,)
    named = "" if kind in ("records-removed", "records-added") else finding.get("name") or ""
    if said.name != named or said.more != (finding["goldens"] - 1 if named else 0):
        yield "%r, but it is %r and %d more" % (said, named, finding["goldens"] - 1)


def check_outputs(story, markdown, page, piped):
    findings = story.story["findings"]
    shown, more = words.page_findings(page)
    if len(shown) != min(len(findings), words.SHOWN) or len(shown) + more != len(findings):
        yield "%d findings and %d more, of %d" % (len(shown), more, len(findings))
    for finding, said in zip(findings, shown):
        yield from check_words(finding, said)
    if words.markdown_findings(markdown) != (shown, more):
        yield "markdown has other findings than the page: %s, %s" % (words.markdown_findings(markdown), (shown, more))
    parts = [[re.sub("  +", " ", part) for part in (f.metric, f.figure, f.note, f.name + (" and %d more" % f.more if f.more else "")) if part]
             for f in shown]
    lines, rest = words.piped_findings(piped)
    # A note may have blanks of its own.
    if [" ".join(line) for line in lines] != [" ".join(part) for part in parts] or rest != more:
        yield "the terminal has other findings than the page: %s" % [pair for pair in zip(lines, parts) if pair[0] != pair[1]][:2]


# --- lines ---

def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def summary_of(text):
    """From the verdict on."""
    lines = text.split("\n")
    start = max((i for i, line in enumerate(lines) if re.match(r"[\d,]+ goldens? compared|showing ", line)), default=0)
    return [line.rstrip("\r") for line in lines[start:]]


def check_line(line, of):
    if re.search(r"\de[-+]?\d+ %", line):
        yield "%s: an exponent in a percentage: %s" % (of, line)
    if line.count("; ") > 1:
        yield "%s: clauses in a chain: %s" % (of, line)
    for low, high in re.findall(r"([+-]?[\d.,]+) to ([+-]?[\d.,]+) %", line):
        if low == high:
            yield "%s: a range of one figure: %s" % (of, line)
    for bad in ("new is", "apart", "jitter", "held against", "the others", "look at", "stands out", " nan ", "-nan"):
        # What a guard says of a golden that it held back is its own.
        if bad in line and "held back" not in line:
            yield "%s: it says %r: %s" % (of, bad, line)


def is_command(line):
    return re.match(r"  (?:regild|git) ", line)


def check_terminal(text, width):
    lines = summary_of(text)
    for line in lines:
        # A command is there to be copied.
        if columns(line) > width and not is_command(line):
            yield "%d columns: %s" % (columns(line), line)
        if line != line.rstrip():
            yield "blanks at the end: %r" % line
        yield from check_line(line, "terminal")
    heads = [line.split(" ")[0] for line in lines if re.match("(?:%s)( |$)" % "|".join(words.BLOCKS), line)]
    if heads != [block for block in words.BLOCKS if block in heads]:
        yield "blocks: %s" % heads
    for name in words.BLOCKS:
        block = words.block_of("\n".join(lines), name)
        if block is not None and not "".join(block).strip():
            yield "%s has nothing to say" % name
    if "\n\n\n" in "\n".join(lines):
        yield "two empty lines"


def check_markdown(story, text):
    if len(text.encode()) > 12000:
        yield "the markdown has %d bytes" % len(text.encode())
    if "\n\n\n" in text:
        yield "markdown: two empty lines at %r" % text[text.index("\n\n\n") - 60:][:80]
    lines = text.split("\n")
    for line in lines:
        if not line.startswith(("|", "- `", "Command:")):
            yield from check_line(line, "markdown")
    for line, after in zip(lines, lines[1:] + [""]):
        if re.fullmatch(r"\|(?: -+:? \|)+", line) and not after.startswith("| "):
            yield "a table's head without its figures: %s" % line
    yield from check_table(story, text)


def cells_of(line):
    return [words.without_escapes(cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def check_table(story, text):
    """The lines of MOVED in markdown, which has each metric."""
    lines = [m for m in story.story["moved"] if not m.get("of_models")]
    at = text.find("**MOVED**")
    table = [cells_of(line) for line in text[at:].split("\n\n")[1].split("\n")] if at >= 0 else []
    shown, rest = table[2:], re.search(r"\n\n(\d+) more metrics?: ", text[at:] if at >= 0 else "")
    more = int(rest[1]) if rest else 0
    if at < 0 and any(m["changed"] for m in lines) or at >= 0 and len(shown) + more != len(lines):
        yield "MOVED has %d metrics and %d more, of %d" % (len(shown), more, len(lines))
    if len(shown) > 30:
        yield "MOVED has %d lines" % len(shown)
    for moved, cells in zip(lines, shown):
        said = dict(zip(table[0], cells))
        change = next(text for head, text in said.items() if head.startswith("change"))
        if re.sub("^(<code>|`+ ?)|( ?`+|</code>)$", "", said["metric"]) != moved["metric"] or said["goldens"] != "%d/%d" % (moved["changed"], moved["goldens"]):
            yield "MOVED: %s is not of %s" % (cells, moved["metric"])
        yield from check_change(moved, change, said["median"])
        for head, key in (("median of |avg_rel_diff|", "abs_median"), ("max", "abs_max")):
            if said.get(head) and abs(float(said[head]) - float(moved[key])) > 0.0051 * abs(float(moved[key])):
                yield "MOVED: %s of %s is %s, not %s" % (head, moved["metric"], said[head], moved[key])
        if said.get("n") and int(said["n"]) != moved["n"]:
            yield "MOVED: n of %s is %s, not %d" % (moved["metric"], said["n"], moved["n"])


def check_change(moved, change, median):
    what = moved.get("metric") or moved["stage"]
    if " to " in change or re.fullmatch(words.PERCENT, change):
        if change.startswith("all: ") != moved.get("all", False) or not words.is_range(
            change.removeprefix("all: "), moved["low"], moved["high"]):
            yield "MOVED: %s is %r, but %g to %g" % (what, change, moved["low"], moved["high"])
    for count, way in re.findall(r"(\d+) (slower|faster|larger|smaller)\b", change):
        if int(count) != moved.get("larger" if way in ("slower", "larger") else "smaller", 0):
            yield "MOVED: %s is %r, but %s" % (what, change, moved)
        if way in ("slower", "faster") and moved["class"] != "time" if "class" in moved else False:
            yield "MOVED: %s is %r, but it is no duration" % (what, change)
    if ("no trend" in change) and moved.get("trend"):
        yield "MOVED: %s is %r, but there is a trend" % (what, change)
    if change == "equal" and moved["changed"] and (moved.get("larger") or moved.get("smaller")):
        yield "MOVED: %s is equal, but it moved" % what
    if median and not words.is_near(median, moved["median"]):
        yield "MOVED: the median of %s is %r, not %g" % (what, median, moved["median"])


def check_moved_block(story, text):
    """The terminal's block: each line by its metric or stage, and "within their flag levels"."""
    block = words.block_of(text, "MOVED")
    if block is None:
        return
    by = {m["metric"]: m for m in story.story["moved"]}
    metric, quiet = None, ""
    for line in block[1:]:
        if quiet or line.startswith("  within their flag levels: "):
            quiet += " " + line.strip()
            continue
        found = re.match(r"  (.*?) +([\d]+)/(\d+)   (\S.*)$", line)
        if not found:
            if not re.match(r"  \d+ more: |    ", line):
                yield "MOVED has %r" % line
            continue
        names = re.split("  +", found[1].strip()) if found[1].strip() else [""]
        stage = names[-1] if len(names) > 1 or found[1].startswith("   ") or found[1] not in by else None
        metric = names[0] if names[0] in by else metric
        moved = by.get(metric)
        if moved and stage:
            moved = next((s for s in moved.get("stages", []) if s["stage"] == stage), None)
        if not moved or (int(found[2]), int(found[3])) != (moved["changed"], moved["goldens"]):
            yield "MOVED: %r is not of %s" % (line, moved)
            continue
        parts = re.split("   +", found[4])
        yield from check_change(moved, parts[0], parts[1] if len(parts) > 1 else "")
    for name, share in re.findall(r"(?:: |, )(\S.*?) \((%s)\)" % words.SHARE, quiet):
        moved = by.get(name)
        if not moved or not words.is_within(share, max(abs(moved["low"]), abs(moved["high"]))):
            yield "within: %s %s, but %s" % (name, share, moved and (moved["low"], moved["high"]))
        if moved and moved["class"] == "loss":
            yield "within: %s is a loss" % name


def check_gate(document):
    findings = [f for f in document["story"]["findings"] if f.get("gate")]
    if document["gate"]["exit"] != 4 and (document["gate"]["exit"] == 1) != bool(document["gate"]["conditions"]):
        yield "the gate says %s" % document["gate"]
    for broken in document["gate"]["conditions"]:
        metric = broken["metric"]
        # A family's finding has the family's name, one of several metrics the first's.
        if not any(f["metric"] == metric or f["metrics"] > 1 or "*" in (f["metric"] or "") or
                   f["metric"] is None and (metric is None or f["file"] == broken["file"]) for f in findings):
            yield "%s of %s broke the gate, and no finding says so" % (broken["condition"], metric)
        kinds = {"nonfinite": ("nonfinite", "golden-new"), "new": ("golden-new", "metric-new", "records-added", "values-added"),
                 "lost": ("values-removed", "metric-removed", "records-removed", "golden-removed", "text")}.get(broken["condition"])
        if kinds and not any(f["kind"] in kinds for f in findings):
            yield "%s broke the gate, and there is no finding of its kind" % broken["condition"]
    if not document["gate"]["conditions"] and findings:
        yield "findings broke a gate, and the gate did not"


def complaints(document, markdown, page, piped, terminal, width):
    story = Story(document)
    yield from check_verdict(story, words.verdict_of(piped))
    if story.complete:
        yield from check_findings(story)
        yield from check_moved(story)
    yield from check_outputs(story, markdown, page, piped)
    yield from check_terminal(terminal, width)
    yield from check_markdown(story, markdown)
    yield from check_moved_block(story, piped)


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read().replace("\r\n", "\n")


def main():
    found = list(complaints(json.loads(read(sys.argv[1])), *map(read, sys.argv[2:6]), int(sys.argv[6])))
    found += check_gate(json.loads(read(sys.argv[7])))
    for complaint in found[:20]:
        print("story:", complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
