# SPDX-License-Identifier: Apache-2.0
# Many series that move together, none of which shows it alone: the verdict, the findings and the summary of breaks say the
# same. Of runs that resemble the ones before them, the same is a possible break, and counts as no other.
make_runs() {
	python3 - "$@" <<'EOF'
import json, os, random, sys
seed, size, follows, folder = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
draw, before = random.Random(seed), [0.0] * 8
for run in range(10, 34):
    golden = {}
    for i in range(8):
        before[i] = follows * before[i] + (1 - follows ** 2) ** 0.5 * draw.gauss(0, 1)
        value = 5 + 0.01 * (before[i] + (size if i < 5 and run >= 22 else 0))
        golden['m%d' % i] = {'start_step': 0, 'end_step': 1, 'step_interval': 1, 'values': {'1': round(value, 4)}}
    os.makedirs('%s/%d/g/a' % (folder, run))
    with open('%s/%d/g/a/golden_values_dev.json' % (folder, run), 'w') as out:
        json.dump(golden, out)
EOF
}
agree() {
	regild audit --from $1/* --json audit.json --markdown audit.md --html audit.html |
		grep -E '^[0-9]* runs|break' | grep -v ^METRICS
	grep -E '^- (possible )?breaks:' audit.md
	grep -cE '<li[^>]*>(Possible b|B)reaks: ' audit.html
	python3 - <<'EOF'
import json
audit = json.load(open('audit.json'))
found, breaks = audit['findings'], audit['breaks_found']
count = lambda *kinds: sum(f['kind'] in kinds for f in found)
for reason in audit['reasons']:
    assert reason['n'] >= count(reason['kind']) > 0, reason
assert bool(count('common break')) == bool(breaks.get('common') and breaks['error_rate']), breaks
assert bool(count('break')) == bool(breaks['broken'] and breaks['error_rate']), breaks
assert bool(count('possible break')) == bool((breaks['broken'] or breaks.get('common')) and not breaks['error_rate'])
assert all(('p' in f) == (breaks['error_rate'] is not None) for f in found if 'break' in f['kind'])
print(breaks['broken'], breaks.get('common'), breaks['error_rate'])
EOF
}
make_runs 26 1.22 0 apart
agree apart
make_runs 3 4 0.8 follow
agree follow
