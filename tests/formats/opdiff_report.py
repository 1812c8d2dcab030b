# SPDX-License-Identifier: Apache-2.0
"""What opdiff's reports say of a file of results, worked out by itself, held against the JSON of
regild show: opdiff_report.py RESULTS REPORT."""

import collections
import json
import math
import sys

BOUNDS = [0.0, 1e-6, 1e-4, 1e-2, 1e-1, 1.0]
STATUSES = ["OK", "SKIPPED", "EXPORT_FAIL", "INFER_FAIL", "TIMING_FAIL", "TIMED_ERROR", "ERROR"]


def middle(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def rank(values, share):
    return sorted(values)[max(1, math.ceil(share * len(values))) - 1]


def worst(statuses):
    return max(statuses, key=STATUSES.index) if statuses else "ERROR"


def usable(value):
    return isinstance(value, (int, float)) and math.isfinite(value) and value >= 0


def state_of(diffs):
    """A bucket's place and the median, or what there is instead of one."""
    for diff in diffs or []:
        if not diff["ok"]:
            return 7, None, diff["code"]
        if not usable(diff["max_abs"]):
            return 7, None, "NONFINITE"
    if not diffs:
        return 8, None, None
    value = middle([d["max_abs"] for d in diffs])
    return sum(value > b for b in BOUNDS), value, None


def error_text(err):
    if isinstance(err, dict):
        err = "%s: %s" % (err["type"], err["msg"])
    return (err or "").strip().split("\n")[0].strip()


def read(name):
    """Statuses, times, differences and errors, the last line of each counting."""
    statuses, times, diffs, errors = ({} for _ in range(4))
    ops, seen = {}, set()
    errors = collections.Counter()
    for line in open(name, encoding="utf-8"):
        item = json.loads(line)
        if item["type"] != "item":
            continue
        key, here = item["id"], {}
        ops[key] = item["cases"][0]["op"]
        base = item["baseline"]
        if base:
            name = base["backend"]
            statuses[key, name] = base["status"]
            here[name] = base["ms"] if base["status"] == "OK" and base["ms"] else None
            if key not in seen and error_text(base["err"]):
                errors[name] += 1
        seen.add(key)
        for backend in item["backends"]:
            name, sides = backend["backend"], backend["res"]
            statuses[key, name] = worst([s["status"] for s in sides])
            ms = [s["ms"] for s in sides if s["ms"] is not None]
            time = middle(ms) if statuses[key, name] == "OK" and ms else None
            here[name] = time if time else here.get(name)
            diffs[key, name] = state_of(backend["diff_all"])
            errors[name] += sum(1 for s in sides if error_text(s["err"]))
        times.update({(key, name): time for name, time in here.items()})
    return ops, statuses, times, diffs, errors


class Check:
    def __init__(self):
        self.figures = 0

    def same(self, what, ours, theirs):
        self.figures += 1
        if isinstance(ours, float) and isinstance(theirs, (int, float)):
            good = math.isclose(ours, theirs, rel_tol=1e-12)
        else:
            good = ours == theirs
        if not good:
            sys.exit("%s: worked out %r, reported %r" % (what, ours, theirs))


def check_values(check, what, values, part, names):
    check.same(what + " n", len(values), part["n"])
    of = {"median": middle, "p90": lambda v: rank(v, 0.9), "p99": lambda v: rank(v, 0.99), "max": max,
          "geometric_mean": lambda v: math.exp(sum(map(math.log, v)) / len(v)),
          "faster": lambda v: 100 * sum(x < 1 for x in v) / len(v)}
    for name in names:
        check.same("%s %s" % (what, name), float(of[name](values)) if values else None, part[name])
    if len(values) <= 400:
        check.same(what + " drawn", sorted(values), part["drawn"])


def check_column(check, column, statuses, times, diffs):
    name = column["backend"]
    mine = [s for (_, b), s in statuses.items() if b == name]
    for status, cell in zip(STATUSES, column["statuses"]):
        check.same("%s %s" % (name, status), mine.count(status), cell["n"])
    check.same(name + " OK %", 100 * mine.count("OK") / len(mine), column["ok"])
    states = [d for (_, b), d in diffs.items() if b == name]
    check.same(name + " targets", len(states), column["targets"])
    for place in range(9) if states else ():
        count = sum(s[0] == place for s in states)
        cell = column["figures"][0]["buckets"][place]
        check.same("%s bucket %d" % (name, place), count, cell["n"])
        check.same("%s bucket %d %%" % (name, place), 100 * count / len(states), cell["share"])
    check_values(check, name + " max_abs", [s[1] for s in states if s[1] is not None],
                 column["max_abs"], ["median", "p90", "p99", "max"])
    ratios = [t / times[key, "torch_cpu_fp32"] for (key, b), t in times.items()
              if b == name and t and times.get((key, "torch_cpu_fp32"))]
    check_values(check, name + " times", ratios, column["times"],
                 ["geometric_mean", "median", "p90", "faster"])
    return collections.Counter(s[2] for s in states if s[2])


def main():
    ops, statuses, times, diffs, errors = read(sys.argv[1])
    report = json.load(open(sys.argv[2], encoding="utf-8"))["formats"]["opdiff"][0]
    check = Check()
    names = sorted({b for _, b in statuses})
    check.same("backends", names, [c["backend"] for c in report["columns"]])
    for column in report["columns"]:
        codes = check_column(check, column, statuses, times, diffs)
        for head, cell in zip(report["code_heads"], column["codes"]):
            check.same(column["backend"] + " " + head["name"], codes[head["name"]], cell["n"])
    counts = []
    for key in ops:
        mine = [s for (k, _), s in statuses.items() if k == key]
        bad = sum(s != "OK" for s in mine)
        counts.append((bad, len(mine) - bad, key))
    counts = sorted((c for c in counts if c[0]), reverse=True)
    check.same("problems", [(k, ops[k], b, o) for b, o, k in counts[:20]],
               [(p["id"], p["op"], p["bad"], p["ok"]) for p in report["problems"]])
    for row in report["overlaps"]:
        for head, cell in zip(report["overlap_heads"], row["cells"]):
            both = [(statuses[k, row["name"]], statuses[k, head["name"]]) for k in ops
                    if (k, row["name"]) in statuses and (k, head["name"]) in statuses]
            check.same("overlap of", len(both), cell["of"])
            check.same("overlap", both.count(("OK", "OK")), cell["n"])
    check.same("errors", {n: c for n, c in errors.items() if c},
               {e["backend"]: sum(g["now"] for g in e["groups"]) for e in report["error_lists"]})
    print("%d figures agree" % check.figures)


main()
