# SPDX-License-Identifier: Apache-2.0
# The verdict, the rows that are marked, the counts of MOVED and the findings follow one rule: where a row is to be reviewed,
# the verdict says so, with a noise model and without one.
new_repository
# One python3 does all: for "scaled X" it prints 9.5 X, 9.25 X and 9 X, and for "case OPTIONS" what the reports say.
cat >helper.py <<'END'
import json, sys
def case(options):
    document = json.load(open('c.json'))
    text = open('c.txt').read()
    story = document['story']
    moved = sum(line.get('review', 0) for line in story.get('moved', []))
    marked = sum(line.startswith(('* ', '! ')) for line in text.split('\n'))
    verdict = 'compared, old -> fresh: needs review' in text
    findings = len(story.get('findings', []))
    assert verdict == (findings > 0) == ('needs review' in open('c.md').read())
    assert marked == story['review'] == moved
    assert verdict or not marked
    return 'verdict %d, findings %d, marked rows %d, in MOVED %d %s' % (verdict, findings, marked, moved, options)
for line in sys.stdin:
    word, _, rest = line[:-1].partition(' ')
    print(case(rest) if word == 'case' else '%s %s %s' % tuple(x * float(rest) for x in (9.5, 9.25, 9)), flush=True)
END
coproc helper { exec python3 helper.py; }
helped() {
	echo "$*" >&"${helper[1]}"
	IFS= read -r answer <&"${helper[0]}"
}
value() { # FOLDER SCALE [EXTRA...]
	helped scaled $2
	golden $1/g/a/golden_values_dev.json "lm loss" $answer -- "num-zeros" 100 101 102 "${@:3}"
}
for run in {10..33}; do
	value runs/$run 1.000$((run * 7 % 10)) -- grad 1.$run 2 3
done
regild audit -q --from runs/* --model noise.json
mkdir -p old
value old 1.0003 -- grad 1.15 2 3
cases() {
	rm -rf fresh
	mkdir fresh
	"$@"
	for noise in "" "--noise noise.json"; do
		regild compare old fresh $noise --json c.json --markdown c.md --csv c.csv >c.txt 2>/dev/null || true
		helped case "$noise"
		echo "$answer"
	done
}
echo '# equal, within the noise, outside of it, doubled'
cases value fresh 1.0003 -- grad 1.15 2 3
cases value fresh 1.0005 -- grad 1.16 2 3
cases value fresh 1.002 -- grad 1.15 2 3
cases value fresh 2 -- grad 1.15 2 3
echo '# a metric that is missing, NaN, a sign that cancels, from zero'
cases value fresh 1.0003
cases value fresh 1.0003 -- grad NaN 2 3
cases value fresh 1.0003 -- grad 1.15 1.5 3.5
cases value fresh 1.0003 -- grad 1.15 2 3 -- more 0 0 1
