#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is `change` of each row of VTR's tables that of the record that moved most, or, where they moved both ways, of
the one that went farthest in the direction of the sum of (new - old) / |old|? It is worked out from the two files alone.
Once with -1 as a number, as in columns whose old values have both signs, and once as what stands for none.

usage: directions.py REGILD REPOSITORY"""
import csv
import math
import subprocess
import sys

regild, repository = sys.argv[1:]
git = ['git', '-C', repository]


def table(text):
    lines = [[cell.strip() for cell in line.split('\t')] for line in text.splitlines() if line.strip()]
    names = [name for name in ('arch', 'circuit', 'script_params') if name in lines[0]]
    places = [lines[0].index(name) for name in names]
    return {tuple(line[i] for i in places): dict(zip(lines[0], line)) for line in lines[1:]}


def number(record, metric, missing):
    try:
        value = float(record[metric])
    except (KeyError, ValueError):
        return None
    return None if value == missing or math.isnan(value) else value


def expected(old, new, metric, missing):
    changes = []
    for key in old.keys() & new.keys():
        was, now = number(old[key], metric, missing), number(new[key], metric, missing)
        if was is not None and now is not None and abs(was) >= 1e-12:
            changes.append((now - was) / abs(was))
    total = math.fsum(changes)
    if abs(total) < 1e-12 and any(changes):
        return None
    towards = [change for change in changes if change * total > 0] or changes
    return max(towards, key=abs, default=None)


def check(missing):
    subprocess.run(git + ['config', 'regild.metric.*.missing', 'none' if missing is None else str(missing)], check=True)
    call = [regild, 'compare', '-q', '-C', repository, '--csv', '-', '--columns', 'file,metric,change']
    output = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    files, held, wrong = {}, 0, 0
    for row in csv.DictReader(output.splitlines()):
        name = row['file']
        if name not in files:
            base = subprocess.run(git + ['show', 'HEAD:' + name], capture_output=True, text=True, check=True).stdout
            with open(f'{repository}/{name}', encoding='utf-8') as new:
                files[name] = table(base), table(new.read())
        right = expected(*files[name], row['metric'], missing)
        if right is None or not row['change']:
            continue
        held += 1
        if not math.isclose(float(row['change']), right, rel_tol=1e-9, abs_tol=1e-12):
            wrong += 1
            print(f"{name}: {row['metric']}: {row['change']} instead of {right}")
    if not held or wrong:
        sys.exit(f'{wrong} of {held} rows go another way')


for stands_for_none in (None, -1):
    check(stands_for_none)
