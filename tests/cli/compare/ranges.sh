# SPDX-License-Identifier: Apache-2.0
# A range is never narrower than its rows, the worst golden is that of the largest shift, however the others
# jitter, and every stage of a loss that moved has its name. Nothing that is lost or not finite is called equal.
staged_repository
git config regild.metric.throughput.duration rate
all() {
	for stage in bert gpt hybrid mimo moe t5; do
		golden $stage/a/golden.json "$@"
	done
}
all 'lm loss' 10 10 -- num-zeros 100 100 -- throughput 5 5
golden gpt/b/golden.json 'lm loss' 10 10
golden gpt/c/golden.json 'lm loss' 10 10
commit
golden gpt/a/golden.json 'lm loss' 27 27
golden gpt/b/golden.json 'lm loss' 9.95 9.95
golden gpt/c/golden.json 'lm loss' 10 10.000001
tell 'a small shift one way, a large one the other'
golden gpt/a/golden.json 'lm loss' 15 5.1
golden gpt/b/golden.json 'lm loss' 9.8 9.8
tell 'one jitters more than the worst moved'
all 'lm loss' 10.5 10.5
tell 'all stages'
golden gpt/a/golden.json 'lm loss' 10 NaN -- num-zeros NaN NaN -- throughput 5 5
golden gpt/b/golden.json 'lm loss' 11 11
golden gpt/c/golden.json 'lm loss' 10
tell 'one is not finite, one is cut'
all 'lm loss' 10 10 -- num-zeros 100 100 -- throughput 5
tell 'a step that no loss lacks'
golden gpt/a/golden.json 'lm loss' 10 10 NaN -- num-zeros 100 100 -- throughput 5 5
golden gpt/b/golden.json 'lm loss' 10 10 -- 'mtp_1 loss' NaN NaN
tell 'a new step and a new metric are NaN'
