#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# usage: pairs.py FOLDER [SEED]
# Makes 300 pairs of arrays: FOLDER/pairs, and the goldens FOLDER/old/NNN.npy (or .csv) and FOLDER/new/….
# A line of FOLDER/pairs is "NNN OLD-TYPE NEW-TYPE OLD NEW": the bits of each value in hexadecimal, with commas; "-" if
# there are none.
import math
import random
import struct
import sys
from pathlib import Path

CODES = {'float64': ('<f8', 'd', 16), 'float32': ('<f4', 'f', 8), 'int64': ('<i8', 'q', 16), 'int32': ('<i4', 'i', 8), 'uint8': ('|u1', 'B', 2)}
MIXED = [('float64', 'float32'), ('float32', 'float64'), ('float64', 'int64'), ('int64', 'float64'), ('float32', 'int32'),
         ('int32', 'int64'), ('int64', 'int32'), ('uint8', 'int32'), ('int64', 'uint8')]
TOLERANCES = [1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3, 0.005, 0.01, 0.1, 0.5]
random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 52)


def as_type(kind, value):
    if kind == 'float32':
        try:
            return struct.unpack('f', struct.pack('f', value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    if kind == 'uint8':
        return int(value) % 256
    if 'int' in kind:
        bits = int(kind[3:])
        return max(-2 ** (bits - 1), min(2 ** (bits - 1) - 1, int(value)))
    return value


def one_value(kind):
    if kind == 'uint8':
        return random.randint(0, 255)
    if 'int' in kind:
        bits = int(kind[3:])
        return random.choice([
            lambda: random.randint(-9, 9), lambda: random.randint(-10 ** 6, 10 ** 6), lambda: 0,
            lambda: random.choice([-2 ** (bits - 1), 2 ** (bits - 1) - 1, 2 ** 30, -2 ** 30 - 5]),
            lambda: random.choice([2 ** 53, 2 ** 53 + 1, -2 ** 53 - 1, 2 ** 60 + 1]) if bits == 64 else 2 ** 24 + 1])()
    return random.choice([
        lambda: random.gauss(0, 1), lambda: random.gauss(0, 1), lambda: random.gauss(2, 0.5) * 10 ** random.randint(-8, 8),
        lambda: round(random.uniform(-10, 10), 2), lambda: float(random.randint(-20, 20)), lambda: 0.0, lambda: -0.0,
        lambda: random.choice([1e-300, 5e-324, 1e-20, 1e-45, 1e-12]), lambda: random.choice([1.7e308, 1e300, -1.7e308, 3e38, 1e20]),
        lambda: random.choice([math.inf, -math.inf]), lambda: math.nan])()


# A value that is as far away as some tool's tolerance, or of another kind.
def changed(kind, value):
    if 'int' in kind:
        return random.choice([value + 1, value - 1, value + random.randint(-9, 9), -value, int(value * 1.004) + 1, one_value(kind)])
    if not math.isfinite(value):
        return random.choice([value, value, math.nan, math.inf, -math.inf, 1e20, 3.0])
    t = random.choice(TOLERANCES) * random.choice([0.5, 0.9, 1, 1, 1.1, 1.4, 2]) * random.choice([1, -1])
    return random.choice([
        lambda: value * (1 + t), lambda: value * (1 + t), lambda: value + t, lambda: value + t,
        lambda: math.nextafter(value, random.choice([math.inf, -math.inf])), lambda: -value, lambda: one_value(kind)])()


def pair_of(kind):
    old = [one_value(kind) for _ in range(random.choice([1, 2, 2, 3, 5, 8]))]
    if random.random() < 0.4:
        old = [x for x in old if 'int' in kind or math.isfinite(x)] or [1]
    new = list(old)
    for i in range(len(new)):
        if random.random() < 0.6:
            new[i] = changed(kind, new[i])
    way = random.random()
    if way < 0.06:
        random.shuffle(new)
    elif way < 0.10:
        del new[random.randrange(len(new))]
    elif way < 0.13:
        new.insert(random.randrange(len(new) + 1), one_value(kind))
    elif way < 0.15:
        new = []
    elif way < 0.17:
        new = new[:1]
    elif way < 0.19:
        new = list(old)
    return old, new


def write_npy(path, kind, values):
    descr, code, _ = CODES[kind]
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(values))
    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
    path.write_bytes(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%d%s' % (len(values), code), *values))


# A table: lines have names, of which those that went or moved are known to regild.
def write_table(path, values, names):
    path.write_text('name,value\n' + ''.join('%s,%s\n' % (n, repr(v)) for n, v in zip(names, values)))


def table_of():
    old, _ = pair_of('float64')
    old = [x + 0.25 if math.isfinite(x) and x == int(x) and abs(x) < 1e9 else x for x in old]
    names = ['r%d' % i for i in range(len(old))]
    rows = [(n, changed('float64', v) if random.random() < 0.4 else v) for n, v in zip(names, old)]
    way = random.random()
    if way < 0.4:
        random.shuffle(rows)
    elif way < 0.6 and len(rows) > 1:
        del rows[random.randrange(len(rows))]
    elif way < 0.8:
        rows.insert(random.randrange(len(rows) + 1), ('new', one_value('float64')))
    return old, names, [v for _, v in rows], [n for n, _ in rows]


def bits(kind, values):
    _, code, digits = CODES[kind]
    return ','.join(struct.pack('>' + code, v).hex().rjust(digits, '0') for v in values) or '-'


def main():
    folder = Path(sys.argv[1])
    kinds = ['float64'] * 105 + ['float32'] * 45 + ['int64'] * 35 + ['int32'] * 10 + ['uint8'] * 10 + ['mixed'] * 40 + ['table'] * 55
    lines = []
    for side in ('old', 'new'):
        (folder / side).mkdir(parents=True)
    for i, kind in enumerate(kinds):
        name = '%03d' % i
        from_kind = to_kind = 'float64' if kind == 'table' else kind
        if kind == 'table':
            old, names, new, new_names = table_of()
            write_table(folder / 'old' / (name + '.csv'), old, names)
            write_table(folder / 'new' / (name + '.csv'), new, new_names)
        else:
            if kind == 'mixed':
                from_kind, to_kind = random.choice(MIXED)
            old, new = pair_of(max(from_kind, to_kind) if 'int' in from_kind + to_kind else 'float64')
            old, new = [as_type(from_kind, x) for x in old], [as_type(to_kind, x) for x in new]
            write_npy(folder / 'old' / (name + '.npy'), from_kind, old)
            write_npy(folder / 'new' / (name + '.npy'), to_kind, new)
        lines.append(' '.join([name, from_kind, to_kind, bits(from_kind, old), bits(to_kind, new)]))
    (folder / 'pairs').write_text('\n'.join(lines) + '\n')


main()
