# SPDX-License-Identifier: Apache-2.0
# The versions that git has: each commit that touches a golden is a run of those it touches. A merge
# brings nothing of its own, other files and removals are not versions.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.0 9.0
golden $ROOT/gpt/b/golden_values_dev.json "lm loss" 5.0 4.0
commit first
git tag start
for value in 10.1 10.3 10.2 10.15 10.25; do
	golden $ROOT/gpt/a/golden_values_dev.json "lm loss" $value 9.0
	commit "a is $value"
done
git checkout -q -b side start
golden $ROOT/gpt/b/golden_values_dev.json "lm loss" 5.5 4.0
commit "b on a branch"
git checkout -q main
GIT_MERGE_AUTOEDIT=no git merge -q -m merge side
echo text >$ROOT/gpt/a/notes.json
git rm -q $ROOT/gpt/b/golden_values_dev.json
commit "no golden"
regild audit --history start..HEAD --json audit.json | sed 's/[0-9a-f]\{10\}/COMMIT/g'
grep -c '"when": "2026-01-01T00:00:00Z"' audit.json
echo "== accepted changes are not noise"
try regild audit -q --history start..HEAD --write-policy
try regild audit -q --history nothing..HEAD
try regild audit -q --history HEAD..HEAD
try regild audit -q --history start...HEAD
try regild audit -q --history ""
try regild audit -q --history start..HEAD extra
try regild audit -q --history start..HEAD --from x
try regild audit -q
echo "== shallow"
git clone -q --depth 7 "file://$PWD" "$SCRATCH/shallow"
cd "$SCRATCH/shallow"
try regild audit -q --history HEAD --csv - | cut -d , -f 2-4
regild audit --history HEAD >/dev/null
# exit: 0
