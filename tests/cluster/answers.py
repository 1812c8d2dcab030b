# SPDX-License-Identifier: Apache-2.0
"""The answers to the questions of regild-history(5), out of an exported history's lines: so that two programs
that know nothing of each other say the same.

usage: answers.py FILE.jsonl STEP TEST VARIANT
"""
import json
import statistics
import sys

path, step, test, variant = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
series = [row for row in map(json.loads, open(path)) if row["kind"] == "series"]
series.sort(key=lambda row: row["when"])


def time(row):
    return row["when"].replace("T", " ").rstrip("Z")


def mean(row):
    return statistics.fmean(row["values"])


def goldens(metric=None):
    groups = {}
    for row in series:
        finite = all(not isinstance(value, str) for value in row["values"])
        if finite and metric in (None, row["metric"]):
            groups.setdefault((row["path"], row["metric"]), []).append(row)
    return groups


for row in series:
    if row["path"].endswith(f"/{test}/golden_values_{variant}.json") and row["metric"] == "lm loss":
        print(time(row), row["id"], f"{row['values'][row['steps'].index(step)]:.9g}")

spreads = []
for key, rows in goldens().items():
    if len(rows) < 3:
        continue
    means = [mean(row) for row in rows]
    spreads.append((-statistics.stdev(means) / abs(statistics.fmean(means)), *key, len(rows)))
for spread, file, metric, count in sorted(spreads)[:10]:
    print(file, metric, count, f"{-spread:.9g}")

broken = []
for (file, _), rows in goldens("lm loss").items():
    if len(rows) < 2:
        continue
    moves = [abs(mean(b) - mean(a)) for a, b in zip(rows, rows[1:])]
    at = moves.index(max(moves))
    broken.append((-moves[at], file, time(rows[at + 1]), mean(rows[at]), mean(rows[at + 1])))
for _, file, when, before, after in sorted(broken):
    print(file, when, f"{before:.9g} {after:.9g}")
