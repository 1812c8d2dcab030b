# SPDX-License-Identifier: Apache-2.0
# The run, its commit and the goldens that stand out are links, in the page and out of the JSON too.
command -v cmark-gfm >/dev/null || skip "needs cmark-gfm"
hub_repository
jobs= artifacts=
for test in a b c d 'e)x y'; do
	golden "$ROOT/gpt/$test/golden_values_dev.json" 'lm loss' 10 20
	value=11
	[ "${#test}" = 1 ] || value=15
	golden new.json 'lm loss' "$value" 20
	jobs+="${jobs:+, }{\"name\": \"gpt/$test - latest\"}"
	artifacts+="${artifacts:+, }{\"name\": \"logs-$test-7-x\", \"files\": {\"golden_values_dev.json\": $(cat new.json)}}"
	rm new.json
done
commit
mkdir -p ../fixture/runs
cat >../fixture/runs/7.json <<JSON
{"repository": "NVIDIA/Megatron-LM", "run": {"id": 7, "created_at": "2026-03-07T04:00:00Z", "conclusion": "success"},
 "jobs": [$jobs], "artifacts": [$artifacts]}
JSON
start_hub ../fixture
regild refresh --run 7 --all -q --markdown ../summary.md --json ../report.json --html ../page.html >/dev/null
cmark-gfm -e table ../summary.md | grep -o '<a href="[^"]*">.*</a>'
grep -o '<a href="[^"]*">' ../page.html
regild report ../report.json --html - | cmp - ../page.html
sed 's|"golden_url": "https:|"golden_url": "javascript:|' ../report.json >../lies
regild report ../lies --html - | grep -c javascript || true
