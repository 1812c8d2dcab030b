# SPDX-License-Identifier: Apache-2.0
# What the bottom line says is true of each row: jitter hides no shift, the worst loss has its name, what
# breaks or mends is said golden by golden, what has no relative figure is not called equal, and times
# are said as they were seen.
staged_repository
git config 'regild.metric.step latency.duration' yes
git config regild.metric.throughput.duration rate
for i in 1 2 3 4 5 6 7 8 9 10; do
	golden gpt/t$i/golden.json 'lm loss' 10 10
done
commit
for i in 1 2 3 4 5 6 7; do
	golden gpt/t$i/golden.json 'lm loss' 10.00001 9.99999
done
for i in 8 9 10; do
	golden gpt/t$i/golden.json 'lm loss' 27 28
done
tell 'seven jitter, three go from 10 to 27'
golden gpt/t1/golden.json 'lm loss' 10.0001 10.0002
tell 'losses that did not move'
golden gpt/t1/golden.json 'lm loss' 10.5 9.5
tell 'jitter without a shift'

rm -r gpt
golden gpt/a/golden.json 'lm loss' 5 4 3 2 -- num-zeros 1 2 3 4
golden gpt/b/golden.json 'lm loss' 5 4 NaN NaN -- num-zeros 1 2 NaN NaN
golden gpt/c/golden.json 'lm loss' 5 4 3 2 -- num-zeros 1 2 3 4
commit
golden gpt/a/golden.json 'lm loss' 5 4 NaN NaN -- num-zeros 1 2 NaN NaN
golden gpt/b/golden.json 'lm loss' 5 4 3 2 -- num-zeros 1 2 3 4
golden gpt/c/golden.json 'lm loss' 5 4 -- num-zeros 1 2
tell 'what ends, and what is finite again'

rm -r gpt
golden gpt/a/golden.json 'lm loss' 0 0 -- x 3.5e-20
golden gpt/b/golden.json 'lm loss' 0 1
commit
golden gpt/a/golden.json 'lm loss' 0 4 -- x 9.9e-20
golden gpt/b/golden.json 'lm loss' 2 1
tell 'from zero, and too small'

rm -r gpt
for i in 1 2 3 4 5 6; do
	golden gpt/t$i/golden.json 'lm loss' 1 -- 'step latency' 10 -- throughput 10
done
commit
for i in 1 2 3 4 5; do
	golden gpt/t$i/golden.json 'lm loss' 1 -- 'step latency' 90 -- throughput 5
done
rm -r gpt/t6
tell 'nine times slower'
for i in 1 2 3 4 5 6; do
	golden gpt/t$i/golden.json 'lm loss' 1 -- 'step latency' 1$i -- throughput $((8 + i))
done
tell 'six goldens carry more'
