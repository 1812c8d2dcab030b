# SPDX-License-Identifier: Apache-2.0
# Tolerances are fitted to the older half of the runs and tested on the newer half. One that does not hold there is
# widened, and every output says that it did not hold, with the runs. One whose later runs are alike holds.
for run in {100..139}; do
	wide=$((run < 120 ? 1 : 20))
	golden runs/$run/g/a/golden_values_dev.json "lm loss" "9.$((5000 + (run * 7 % 11 - 5) * wide))" -- \
		"grad" "1.$((1000 + run * 5 % 13))"
done
regild audit --from runs/* --json audit.json --markdown audit.md --html audit.html | sed -n '1p;/^METRICS/,/goldens by/p'
grep 'tolerances of' audit.md
grep -c 'Tolerances of runs 100 to 119, tested on runs 120 to 139: 1 of 2 did not hold' audit.html
python3 - <<'EOF'
import json
a = json.load(open('audit.json'))
print(a['tolerances']['later'])
for s in a['series']:
    t = s['tolerance']
    print(s['metric'], s['held_to'], t['relative_tolerance'], t.get('not_bounded'), t.get('fails_at_most'), t['later'])
EOF
printf '[regild]\n\tfiles = **/golden_values_dev.json\n' >.regild
git init -q . 2>/dev/null
regild audit -q --from runs/* --write-policy
grep -A 4 'metric "lm loss"\|metric "grad"' .regild | sed -n 's/, [0-9-]*: /: /p'
