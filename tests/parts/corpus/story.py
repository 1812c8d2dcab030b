#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a comparison's story says against its rows, apart from regild: ranges are no narrower than
their rows, the worst is the worst, "within" holds, times are counted right, and nothing is said to be
equal that is not.

usage: story.py JSON
"""
import collections
import json
import math
import re
import sys

wrong = 0


def complain(what, *said):
    global wrong
    wrong += 1
    print("story:", what, *said)


def number(x):
    return math.nan if x is None else float(x)


def finite(values):
    return [v for v in values if not math.isnan(v)]


def size(row):
    """Of a time its median step is what the sentence is of, of a table the record that moved most."""
    median, change = figures.get((row["file"], row["metric"]), (None, None))
    return abs(number(row["avg_rel_diff"] if change is None else change) if median is None else number(median))


def is_broken(row):
    return "not finite at" in row["says"] or " gone" in row["says"] or "zero" in row["says"]


def rows_of(group):
    """A quiet group has no list of its own: those of the document's rows that differ."""
    if "goldens" in group:
        return group["goldens"]
    if group["rows"] != group["n"]:
        return [{"members": 2}]  # of families, whose worst member stands for all
    rows = [row for row, variant in documented if not row["identical"] and
            (row["metric"], row["stage"], variant) == (group["metric"], group["stage"], group["variant"])]
    if len(rows) != group["changed"]:
        complain(f"{group['metric']} {group['stage']} {group['variant']}: changed", group["changed"], len(rows))
    return [{**row, "members": 1, "says": "not finite at" if row["new_nonfinite"] else
             "zero" if row["from_zero"] else ""} for row in rows]


def hold_group(group):
    rows = rows_of(group)
    if group["counted"] or any(r["members"] > 1 for r in rows):
        return
    what = f"{group['metric']} {group['stage']} {group['variant']}"
    shifts = finite(number(r["avg_rel_diff"]) for r in rows)
    if shifts and (number(group["low"]), number(group["high"])) != (min(shifts), max(shifts)):
        complain("range of " + what, group["low"], group["high"], min(shifts), max(shifts))
    named = [r for r in rows if r["file"] == group["worst"]["file"]]
    largest = max(finite(size(r) for r in rows), default=0)
    if any(map(is_broken, rows)):
        if named and not is_broken(named[0]):
            complain("worst of " + what + " is not what is broken", group["worst"]["file"])
    elif named and size(named[0]) < largest:
        complain("worst of " + what, size(named[0]), largest)


def hold_lines(lines, rows):
    by_metric = collections.defaultdict(list)
    for row in rows:
        if row["kind"] == "series" and row["avg_rel_diff"] is not None:
            by_metric[row["metric"]].append(number(row["avg_rel_diff"]))
    for metric, within in re.findall(r"(?:^|\. )([^.:;]*): (?:all \d+ )?within ([\d.e-]+) %", lines.get("losses", "")):
        if max(map(abs, by_metric[metric])) * 100 > float(within):
            complain(metric + " within", within, max(map(abs, by_metric[metric])))
    for metric, count, of in re.findall(r"(?:^|; )([^;:]*): (\d+) of (\d+) slower", lines.get("changed", "")):
        slower = sum((-number(row["change"]) if row["median_rel_diff"] is None else row["median_rel_diff"]) < 0
                     for row in rows if row["metric"] == metric)
        if "*" not in metric and (int(count) != slower or int(of) != len(by_metric[metric])):
            complain(metric + " slower", count, of, slower, len(by_metric[metric]))
    if any(m not in lines.get("losses", "") for m in by_metric if m == "lm loss"):
        complain("the losses are not told")
    if "no value differs" in "".join(lines.values()) and not all(r["identical"] for r in rows):
        complain("no value differs")
    for text in lines.values():
        for low, high in re.findall(r"([\d.,]+) to ([\d.,]+) %", text):
            if low == high:
                complain("a range of one figure:", text)


with open(sys.argv[1]) as file:
    document = json.load(file)
story = document["story"]
figures = {(row["file"], row["metric"]): (row["median_rel_diff"], row["change"]) for row in document["rows"]}
documented = [(document["rows"][row["row"]], row["variant"]) for row in document["page"]["rows"]]
for one in story["groups"] + story["quiet_groups"]:
    hold_group(one)
hold_lines({line["kind"]: line["text"] for line in story["lines"]}, document["rows"])
sys.exit(wrong > 0)
