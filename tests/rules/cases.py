#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: cases.py <CASES: prints each case with the verdict of regild and what its findings say of it.
A case is a line "RULE [KEY=VALUE…] | OLD | NEW". A side is "TYPE SHAPE VALUES" of an array ('-': a scalar), or a file:
"csv LINE;LINE", "json TEXT" or "txt LINE;LINE", where '@' is the name of the case's metric."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile

CODES = {'f8': 'd', 'f4': 'f', 'i8': 'q', 'i4': 'i', 'i1': 'b', 'u1': 'B', 'b1': '?'}
CHECKS = 30  # in one .regild


def npy(kind, shape, *values):
    shape = tuple(int(x) for x in shape.split('x') if x != '-')
    head = "{'descr': '%s%s', 'fortran_order': False, 'shape': %r, }" % ('|' if kind[1] == '1' else '<', kind, shape)
    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
    values = [float(x) if kind[0] == 'f' else int(x) for x in values]
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%d%s' % (len(values), CODES[kind]), *values)


def write(side, name, text):
    kind, rest = text.split(' ', 1)
    if kind in CODES:
        with zipfile.ZipFile('%s/%s.npz' % (side, name), 'w') as z:
            z.writestr(name + '.npy', npy(kind, *rest.split()))
    else:
        with open('%s/%s.%s' % (side, name, kind), 'w') as f:
            f.write(rest.replace('@', name).replace(';', '\n') + '\n')


def judge(cases):
    config = '[regild]\nlayout = plain\nroot = .\nfiles = **\n'
    for side in ('old', 'new'):
        shutil.rmtree(side, ignore_errors=True)
        os.mkdir(side)
    for name, (words, old, new) in cases.items():
        write('old', name, old)
        write('new', name, new)
        rule, *keys = words.split()
        config += '[check "%s"]\nmetric = %s*\nmetric = (text)\nrule = %s\n%s\n' % (name, name, rule, '\n'.join(keys))
    with open('.regild', 'w') as f:
        f.write(config)
    run = subprocess.run(['regild', 'compare', 'old', 'new', '--json', '-'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    document = json.loads(run.stdout)
    rows = [row for row in document['rows'] + document['gaps'] if row['checks']]
    passed = [f for f in document['story'].get('findings', []) if f['kind'] == 'passed']
    for name, case in cases.items():
        words = [check.split(': ', 1)[1] for row in rows if row['file'].startswith(name)
                 for check in re.split(r', (?=c\d\d: )', row['checks']) if check.startswith(name)]
        though = ['%s %s' % (f['count'], f['at']) if f.get('count') else f['at'] for f in passed if f['text'] == name]
        print(' | '.join(case), '->', '; '.join(words) + (', though ' + ', '.join(sorted(though)) if though else ''))


group = {}
for line in [*sys.stdin, '==']:
    if len(group) == CHECKS or (line.startswith('==') and group):
        judge(group)
        group = {}
    if line.startswith('== '):
        print(line, end='')
    elif line.strip('=\n'):
        group['c%02d' % len(group)] = [part.strip() for part in line.split(' | ')]
