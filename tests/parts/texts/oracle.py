# SPDX-License-Identifier: Apache-2.0
"""Generates pairs of texts with numbers, has regild compare them in one call, and compares its rows with those of an
independent reading: a number is named by the words before it, and lines are paired by trying every way.

usage: oracle.py REGILD SCRATCH COUNT
"""

import csv
import itertools
import os
import random
import re
import subprocess
import sys

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$")
SEPARATORS = ",;=()[]{}|\"'<>:"


class Line:
    """A line's skeleton, its numbers, and the words that name each of them."""

    def __init__(self, text):
        tokens = re.findall(r"[^\s" + re.escape(SEPARATORS) + r"]+|[" + re.escape(SEPARATORS) + r"]", text)
        self.text = text
        self.numbers, self.words, skeleton, words = [], [], [], []
        for token in tokens:
            if NUMBER.match(token):
                self.numbers.append(float(token))
                self.words.append(" ".join(words))
                skeleton.append("\0")
                words = []
            else:
                skeleton.append(token)
                if token not in SEPARATORS:
                    words.append(token)
        self.skeleton = " ".join(skeleton)
        self.whole = (self.skeleton, tuple(self.numbers))


def names(lines):
    """For each line, the metric of each of its numbers."""
    heading, header, out = "values", False, []
    for line in lines:
        of_line, seen, before = [], {}, None
        for i, words in enumerate(line.words):
            name = words or before
            if not name:
                name = heading
                columns = heading.split() if header else []
                if len(line.numbers) > 1 and len(columns) == len(line.numbers):
                    name = columns[i]
            else:
                before = name
            seen[name] = seen.get(name, 0) + 1
            of_line.append(name if seen[name] == 1 else f"{name}[{seen[name]}]")
        if re.search("[a-z]", line.skeleton):
            if line.numbers:
                header = False
            else:
                heading, header = line.text.strip(" :"), True
        out.append(of_line)
    return out


def rising(pairs):
    """All longest choices of pairs that keep the order of both sides."""
    best, found = 0, [()]
    for size in range(len(pairs), 0, -1):
        found = [c for c in itertools.combinations(pairs, size) if all(a[1] < b[1] for a, b in zip(c, c[1:]))]
        if found:
            best = size
            break
    return found if best else [()]


def common(old, fresh):
    """All longest common subsequences of two lists of (place, item), as pairs of places."""
    pairs = [(i, k) for i, a in old for k, b in fresh if a == b]
    best, found = 0, {()}
    stack = [((), 0)]
    while stack:
        chosen, at = stack.pop()
        if len(chosen) > best:
            best, found = len(chosen), set()
        if len(chosen) == best:
            found.add(chosen)
        for n in range(at, len(pairs)):
            if not chosen or (pairs[n][0] > chosen[-1][0] and pairs[n][1] > chosen[-1][1]):
                stack.append((chosen + (pairs[n],), n + 1))
    return list(found)


def equal_ways(old, fresh):
    """All ways to pair what is equal in full: unique lines first, and again between these."""
    if not old or not fresh:
        return [()]
    start, end = (), ()
    while old and fresh and old[0][1] == fresh[0][1]:
        start += ((old[0][0], fresh[0][0]),)
        old, fresh = old[1:], fresh[1:]
    while old and fresh and old[-1][1] == fresh[-1][1]:
        end += ((old[-1][0], fresh[-1][0]),)
        old, fresh = old[:-1], fresh[:-1]
    items_old, items_fresh = [item for _, item in old], [item for _, item in fresh]
    unique = [(i, k) for i, a in old for k, b in fresh
              if a == b and items_old.count(a) == 1 and items_fresh.count(a) == 1]
    ways = []
    if not unique:
        ways = common(old, fresh)
    for anchors in rising(unique) if unique else []:
        parts, last = [anchors], (-1, -1)
        results = [()]
        for anchor in anchors + ((10**9, 10**9),):
            inner = equal_ways([x for x in old if last[0] < x[0] < anchor[0]],
                               [x for x in fresh if last[1] < x[0] < anchor[1]])
            results = [r + i for r in results for i in inner]
            last = anchor
        ways += [parts[0] + r for r in results]
    return [start + w + end for w in ways]


def moved(way, old, fresh):
    """What is elsewhere on the other side, the first with the first."""
    left_old = [i for i in range(len(old)) if i not in {a for a, _ in way}]
    left_fresh = [k for k in range(len(fresh)) if k not in {b for _, b in way}]
    pairs = []
    for i in left_old:
        for k in left_fresh:
            if old[i].whole == fresh[k].whole:
                pairs.append((i, k))
                left_fresh.remove(k)
                break
    return pairs


def change(a, b):
    return sum(0 if x == y else abs(x - y) / max(abs(x), abs(y)) for x, y in zip(a.numbers, b.numbers))


def gap_ways(places, others, old, fresh):
    """All ways to pair the most lines of one skeleton in order, with the least change."""
    old_items = [(i, old[i].skeleton) for i in places if old[i].numbers]
    fresh_items = [(k, fresh[k].skeleton) for k in others if fresh[k].numbers]
    ways = common(old_items, fresh_items)
    costs = [sum(change(old[i], fresh[k]) for i, k in way) for way in ways]
    return [way for way, cost in zip(ways, costs) if cost <= min(costs) + 1e-12]


def pairings(old, fresh):
    """All pairings that the rules allow, each a list of (old place, new place)."""
    if [a.skeleton for a in old] == [b.skeleton for b in fresh]:
        return [[(i, i) for i in range(len(old))]]
    out = []
    for way in equal_ways([(i, a.whole) for i, a in enumerate(old)], [(k, b.whole) for k, b in enumerate(fresh)]):
        elsewhere = moved(way, old, fresh)
        out += fill_gaps(sorted(way), elsewhere, old, fresh)
    return out


def fill_gaps(way, elsewhere, old, fresh):
    taken_old, taken_fresh = {i for i, _ in elsewhere}, {k for _, k in elsewhere}
    results, last = [list(way) + elsewhere], (-1, -1)
    for anchor in way + [(len(old), len(fresh))]:
        inner = gap_ways([i for i in range(last[0] + 1, anchor[0]) if i not in taken_old],
                         [k for k in range(last[1] + 1, anchor[1]) if k not in taken_fresh], old, fresh)
        results = [r + list(i) for r in results for i in inner]
        last = anchor
    return results


def rows(pairing, old, fresh):
    """{metric: (steps, avg_rel_diff)} by the old side's names."""
    named, values = names(old), {}
    if [a.skeleton for a in old] == [b.skeleton for b in fresh]:
        of_fresh = names(fresh)
        assert named == of_fresh
    for i, k in sorted(pairing):
        for name, a, b in zip(named[i], old[i].numbers, fresh[k].numbers):
            if abs(a) >= 1e-12:
                values.setdefault(name, []).append((a - b) / a)
    return {name: (len(v), sum(v) / len(v)) for name, v in values.items()}


def wrong_partner(pairing, old, fresh):
    """Is a number paired with another line's, though its own line is alone on the other side?"""
    wholes_old, wholes_fresh = [a.whole for a in old], [b.whole for b in fresh]
    return any(old[i].whole != fresh[k].whole and
               (wholes_fresh.count(old[i].whole) >= wholes_old.count(old[i].whole) or
                wholes_old.count(fresh[k].whole) >= wholes_fresh.count(fresh[k].whole))
               for i, k in pairing)


def number(r):
    return r.choice([str(r.randint(1, 9)), f"{r.uniform(-9, 9):.2f}", f"{r.uniform(1, 9):.1e}"])


FORMS = ["energy = {} force = {}", "iter {}", "residual: {} {}", "{} {}", "k-eff {} at {}", "tally:", "step temp"]


def make(r):
    old = [r.choice(FORMS).format(*(number(r) for _ in range(2))) for _ in range(r.randint(2, 7))]
    fresh = list(old)
    for _ in range(r.randint(1, 3)):
        operation = r.choice(["delete", "add", "move", "swap", "change", "change", "all"])
        at = r.randrange(len(fresh)) if fresh else 0
        if operation == "delete" and len(fresh) > 1:
            del fresh[at]
        elif operation == "add" and len(fresh) < 8:
            fresh.insert(at, r.choice(FORMS).format(*(number(r) for _ in range(2))))
        elif operation == "move" and fresh:
            fresh.insert(r.randrange(len(fresh)), fresh.pop(at))
        elif operation == "swap" and fresh:
            other = r.randrange(len(fresh))
            fresh[at], fresh[other] = fresh[other], fresh[at]
        elif operation == "change" and fresh:
            fresh[at] = re.sub(r"[-+]?\d[\d.e+-]*", lambda _: number(r), fresh[at])
        elif operation == "all":
            fresh = [re.sub(r"[-+]?\d[\d.e+-]*", lambda _: number(r), line) for line in fresh]
    return old, fresh


def is_text(lines):
    return any(Line(x).numbers for x in lines) and any(re.match("[a-z].*[0-9]", x) for x in lines)


def write(folder, name, lines):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def read_rows(text):
    found = {}
    for row in csv.DictReader(text.splitlines()):
        if row["metric"] != "(text)" and row["n_steps"] not in ("", "0"):
            found.setdefault(os.path.basename(row["file"]), {})[row["metric"]] = (
                int(row["n_steps"]), float(row["avg_rel_diff"]))
    return found


def same(a, b):
    return a.keys() == b.keys() and all(
        a[n][0] == b[n][0] and abs(a[n][1] - b[n][1]) <= 1e-9 * max(1, abs(b[n][1])) for n in a)


def main():
    regild, scratch, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    r, pairs = random.Random(46), {}
    while len(pairs) < count:
        old, fresh = make(r)
        # Lines of numbers alone are a list of steps or a table, other formats.
        if old != fresh and is_text(old) and is_text(fresh):
            name = f"t{len(pairs)}.dat"
            pairs[name] = (old, fresh)
            write(os.path.join(scratch, "old"), name, old)
            write(os.path.join(scratch, "new"), name, fresh)
    subprocess.run(["git", "init", "-q", scratch], check=True)
    with open(os.path.join(scratch, ".regild"), "w", encoding="utf-8") as settings:
        settings.write("[regild]\n\troot = .\n\tfiles = *.dat\n")
    done = subprocess.run([regild, "compare", "-q", "--csv", "-", "old", "new"], cwd=scratch, text=True,
                          stdout=subprocess.PIPE, check=False)
    found, passed, failed, gaps = read_rows(done.stdout), 0, 0, 0
    for name, (old, fresh) in pairs.items():
        a, b = [Line(x) for x in old], [Line(x) for x in fresh]
        ways = pairings(a, b)
        aligned = [x.skeleton for x in a] != [x.skeleton for x in b]
        gaps += aligned
        if aligned and any(wrong_partner(way, a, b) for way in ways):
            print(f"FAIL texts/{name}: the oracle pairs a number with another line's")
            failed += 1
        elif any(same(found.get(name, {}), rows(way, a, b)) for way in ways):
            passed += 1
        else:
            failed += 1
            print(f"FAIL texts/{name}\n  old {old}\n  new {fresh}\n  found {found.get(name)}\n  wanted {rows(ways[0], a, b)}")
    print(f"texts: {gaps} of {len(pairs)} pairs had lines to pair")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


sys.exit(main())
