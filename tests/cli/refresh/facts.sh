# SPDX-License-Identifier: Apache-2.0
# The reports say of each golden of the run what became of it, and of no local edit that it is the run's.
hub_repository
for test in a held same; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 1 2
done
golden $ROOT/gpt/own/golden_values_dev.json 'lm loss' 1
commit
golden $ROOT/gpt/held/golden_values_dev.json 'lm loss' 1 8
golden $ROOT/gpt/own/golden_values_dev.json 'lm loss' 5

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
          {"name": "gpt/fresh - latest"}, {"name": "gpt/old - latest"}],
 "artifacts": [$(artifact a 1 2.5), $(artifact held 1 3), $(artifact same 1 2), $(artifact fresh 4),
               $(expired=true artifact old 9)]}
JSON
start_hub ../fixture
try regild refresh --run 7 --all -q --markdown ../summary.md --json ../report.json --html ../page.html
# The sentences before the figures, and the rows that a reviewer must look at.
sed '/Relative-difference/,/reviewer/d; /^$/d' ../summary.md
echo "# JSON"
sed -n '/"refresh"/,/^ ]/p' ../report.json
sed '/"provenance"/q' ../report.json | grep -o '"file": "[^"]*"\|"from_run": [a-z]*'
echo "# the page"
grep -A 4 'Partial\|of the run\|the run.s goldens\|<h4>Held\|<h4>Missing\|<h4>Not' ../page.html
grep -o '<tr[^>]*title[^>]*>' ../page.html
summary() {
	try regild refresh --run 7 "$@" -q --markdown - 2>&1 | sed '/Relative-difference/,$d; /^$/d; /^Command/d'
}
git checkout -q . && git clean -qfd
sed -i 's/"expired": true/"expired": false/' ../fixture/runs/7.json
stop_hub
start_hub ../fixture
echo "# a part of it"
summary --all --only fresh
echo "# the rest, and all of it again"
summary --all
summary --all
