# SPDX-License-Identifier: Apache-2.0
# What the noise model says of each golden that a run's tests failed on: the run is outside, the golden is, neither, or it
# cannot be told. Goldens whose tests passed are measured with them, and are no lines.
hub_repository
old() { golden $ROOT/gpt/$1/golden_values_dev.json 'lm loss' $2 $2; }
old broken 10 && old drifted 8 && old flaky 10 && old passed 10 && old fresh 10 && old equal 10 && old lost 10
commit
for i in {1..12}; do
	v=10.00$((i * 7 % 10))$i
	for test in broken drifted flaky passed equal lost; do
		golden ../measured/$i/gpt/$test/golden_values_dev.json 'lm loss' $v $v
	done
done
regild audit -q --model ../noise.db --from ../measured/* >/dev/null

tests= artifacts=
left() { # TEST CONCLUSION VALUE…: without a value the job left none
	local values= step=0 value test=$1 conclusion=$2
	shift 2
	for value; do
		step=$((step + 1)) values+="${values:+, }\"$step\": $value"
	done
	tests+="${tests:+, }{\"name\": \"gpt/$test - latest\", \"conclusion\": \"$conclusion\"}"
	[ -z "$values" ] || artifacts+="${artifacts:+, }{\"name\": \"logs-$test-77-x\", \"files\": {\"golden_values_dev.json\":
		{\"lm loss\": {\"start_step\": 1, \"end_step\": $step, \"step_interval\": 1, \"values\": {$values}}}}}"
}
left broken failure 12 12
left drifted failure 10.0045 10.0045
left flaky failure 10.0045 10.0045
left passed success 10.0045 10.0045
left fresh failure 10.0045 10.0045
left equal failure 10 10
left lost failure 10.0045
left crashed timed_out
left new failure 1 1
tests+=', {"name": "lint", "conclusion": "failure"}'
mkdir -p ../fixture/runs
run() { # ID MORE
	echo "{\"repository\": \"NVIDIA/Megatron-LM\", \"run\": {\"id\": $1, \"created_at\": \"2026-03-07T04:00:00Z\", \"head_branch\": \"main\",
		\"path\": \".github/workflows/nightly.yml\", \"event\": \"schedule\", $2 \"conclusion\": \"failure\"}, \"jobs\": [$tests], \"artifacts\": [$artifacts], \"pulls\": [{\"number\": 3}]}" >../fixture/runs/$1.json
}
run 77 "\"head_sha\": \"$(git rev-parse HEAD)\","
start_hub ../fixture
try regild triage 77 --noise ../noise.db
echo '# in a window of 80 columns no line of text is wider, and what a call does is above it where it has no room'
script -qec 'stty cols 80; regild triage 77 --no-pager --color never --noise ../noise.db' typescript </dev/null | tr -d '\r'
rm typescript
echo '# the model that is configured needs no option, in the next call either'
echo '# the level goes on'
try regild triage 77 --noise ../noise.db --noise-level 0.05 --attempt 1 | grep -A9 NEXT
git config regild.noise ../noise.db
regild triage 77 | grep '^  regild compare'
git config --unset regild.noise
echo '# without a noise model nothing that has values is told'
try regild triage 77
echo '# JSON, and the comment that is made of it'
try regild triage 77 --noise ../noise.db --json ../triage.json
checked_json <../triage.json | sed -n '/"exit_code"/,$p'
try regild triage 77 --noise ../noise.db --markdown -
regild comment ../triage.json --pr 3 --dry-run | sed 1d >../comment
regild triage 77 --noise ../noise.db --markdown ../triage.md >/dev/null || true
sed 1d ../comment | diff - ../triage.md
