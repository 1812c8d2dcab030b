# SPDX-License-Identifier: Apache-2.0
# The page and JSON say what became of every golden, artifact and job, and where each golden comes from:
# its run, artifact and digest; and the policy and the noise model that it was held against.
hub_repository
for test in a held same; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 1 2
done
printf '[metric "lm loss"]\n\tfail = 0.5\n\tsteps = 1..\n[golden "golden_values_dev.json:n*"]\n\tkind = combined\n\trtol = 0.01\n' >.regild
commit
golden $ROOT/gpt/held/golden_values_dev.json 'lm loss' 1 8
artifact() {
	golden new.json 'lm loss' "${@:2}"
	printf '{"name": "logs-%s-7-x", "expired": %s, "files": {"golden_values_dev.json": %s}}' \
		"$1" "${expired:-false}" "$(cat new.json)"
	rm new.json
}
mkdir -p ../fixture/runs
cat >../fixture/runs/7.json <<JSON
{"repository": "NVIDIA/Megatron-LM", "run": {"id": 7, "created_at": "2026-03-07T04:00:00Z", "conclusion": "success"},
 "jobs": [{"name": "gpt/a - latest"}, {"name": "gpt/held - latest"}, {"name": "gpt/same - latest"},
          {"name": "gpt/fresh - latest"}, {"name": "gpt/old - latest"}, {"name": "<b>\"'&</td>"}],
 "artifacts": [$(artifact a 1 2.5), $(artifact held 1 3), $(artifact same 1 2), $(artifact fresh 4),
               $(expired=true artifact old 9)]}
JSON
start_hub ../fixture
try regild refresh --run 7 --all -q --json ../report.json --html ../page.html
# What zlib makes of a zip is not the same everywhere.
sections() {
	sed -n '/<h2>\(Coverage\|Provenance\)/,/^<.main>/p' "$1" | sed 's/sha256:[0-9a-f]*/sha256:/; s/"n">2[0-9][0-9]</"n"></'
}
sections ../page.html
echo '# the same out of the JSON'
regild report ../report.json --html ../again.html
cmp ../page.html ../again.html
cp ../report.json ../again.json
sed -n '/^ "provenance"/,/^  "policy"/p' ../report.json | sed 's/sha256:[0-9a-f]*/sha256:/; s/"size": [0-9]*/"size": 0/'
echo '# the same of a run that is compared alone'
git checkout -q . && git clean -qfd
try regild compare -q --old rev:HEAD --new run:7 --html ../page.html >/dev/null
sections ../page.html | grep -e '<h2>' -e 'scope="row">run' -e '<summary>' -e '<td>expired'
echo '# a comparison has neither run nor coverage; its noise model is named'
for run in 1 2 3; do
	golden ../runs/$run/x/golden_values.json n 1 $run
done
regild audit -q --from ../runs/1 ../runs/2 ../runs/3 --model ../model.db >/dev/null
regild compare -q --old ../runs/1 --new ../runs/2 --noise ../model.db --html ../page.html --json ../report.json >/dev/null
sections ../page.html | sed '/Policy/,/<.details>/d'
sed -n '/^  "noise"/,$p' ../report.json
echo '# goldens of no run'
git checkout -q . && git clean -qfd
golden ../from/logs-a-7-x/golden_values_dev.json 'lm loss' 1 2.25
regild refresh -q --from ../from --html ../page.html >/dev/null
sections ../page.html | grep -A 3 -e 'Found in' -e '<summary>'
echo '# what a JSON has in their place cannot break out'
sed -i 's/"outcome": "taken"/"outcome": "<script>"/; s/"page_url": "[^"]*"/"page_url": "javascript:x"/; s/"check": "sha256"/"check": {"a": []}/' ../again.json
regild report ../again.json --html ../again.html
grep -c '&lt;script&gt;' ../again.html
grep -e 'javascript' -e '<td><script' ../again.html || true
sed -i 's/"artifacts": \[/"artifacts": 7, "x": [/; s/"policy": \[/"policy": 5, "y": [/' ../again.json
regild report ../again.json --html ../again.html
sed -i 's/"provenance": {/"provenance": 7, "z": {/' ../again.json
try regild report ../again.json --html ../again.html
