# SPDX-License-Identifier: Apache-2.0
# The table of regild-equal(7) says what the rules do.
git init -q .
mkdir old new
python3 - <<'END'
import struct
CODES = {'<f8': 'd', '<f4': 'f', '<i8': 'q'}
def array(path, kind, values):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (kind, len(values))
    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode())
        f.write(struct.pack('<%d%s' % (len(values), CODES[kind]), *values))
nan, inf = float('nan'), float('inf')
for name, old, new in [('A', nan, nan), ('B', nan, 3), ('C', inf, -inf), ('D', 0.0, -0.0), ('E', 0, 1e-12)]:
    array('old/%s.npy' % name, '<f8', [old, 1.5])
    array('new/%s.npy' % name, '<f8', [new, 1.5])
array('old/F.npy', '<f8', [1.5, 2.5, 3.5])
array('new/F.npy', '<f8', [1.5, 2.5])
array('old/G.npy', '<f4', [1.5, 2])
array('new/G.npy', '<f8', [1.5, 2])
array('old/H.npy', '<i8', [2 ** 53, 1])
array('new/H.npy', '<i8', [2 ** 53 + 1, 1])
END
sed -n 's/^\.It \([^ ]* Ta \(yes\|no\).*\)/\1/p' "$REGILD_TOP/man/regild-equal.7" | sed 's/ Ta / /g' >wanted
printf '[regild]\nlayout = plain\nroot = .\nfiles = *.npy\n' >.regild
while read -r rule _; do
	printf '[check "%s"]\nmetric = *\nrule = %s\n' $rule $rule
done <wanted >>.regild
regild compare old new --json - 2>/dev/null | python3 -c '
import json, sys
d, verdicts = json.load(sys.stdin), {}
for row in sorted(d["rows"] + d["gaps"], key=lambda row: row["file"]):
    for check in row["checks"].replace(" (", "|").split(", "):
        name, verdict = check.split("|")[0].split(": ")
        verdicts.setdefault(name, []).append("yes" if verdict == "passes" else "no")
for name, words in verdicts.items():
    print(name, *words)' >found
diff wanted found
wc -l <wanted
