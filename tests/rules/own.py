#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: own.py FOLDER REPORT…: prints regild's verdicts in reports of JSON as tool.py does.
own.py --compare FOLDER OWN TOOL: counts the verdicts in the file TOOL that are not those in OWN, and shows the first."""
import json
import re
import struct
import sys
from pathlib import Path


def print_own(reports):
    for report in reports:
        document = json.loads(Path(report).read_text())
        for row in document['rows'] + document['gaps']:
            name = Path(row['file']).stem
            if row['metric'] in ('tensor', 'value'):
                for check, verdict in re.findall(r'(?:^|, )([^ :,]+): (passes|fails)', row['checks'] or ''):
                    print(check, name, verdict)


def verdicts(path):
    lines = [line.split() for line in Path(path).read_text().splitlines()]
    return {(x[0], x[1]): x[2] for x in lines if len(x) == 3 and x[2] in ('passes', 'fails')}


def values(kind, text):
    code = {'float64': 'd', 'float32': 'f', 'int64': 'q', 'int32': 'i', 'uint8': 'B'}[kind]
    return [struct.unpack('>' + code, bytes.fromhex(x))[0] for x in text.split(',') if x != '-']


def compare(folder, own, tool):
    ours, theirs = verdicts(own), verdicts(tool)
    differ = [key for key in theirs if ours.get(key) != theirs[key]]
    pairs = {line.split()[0]: line.split() for line in (Path(folder) / 'pairs').read_text().splitlines()}
    for check, name in differ[:5]:
        _, old, new, old_bits, new_bits = pairs[name]
        print('%s, pair %s (%s, %s): the tool %s, regild %s' % (check, name, old, new, theirs[check, name], ours.get((check, name))))
        print('   ', values(old, old_bits), values(new, new_bits))
    passes = sum(v == 'passes' for v in theirs.values())
    print('%d verdicts (%d pass), %d differ' % (len(theirs), passes, len(differ)))
    return bool(differ or not theirs)


if sys.argv[1] == '--compare':
    sys.exit(compare(*sys.argv[2:]))
print_own(sys.argv[1:])
