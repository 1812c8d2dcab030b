# SPDX-License-Identifier: Apache-2.0
# --only, --except and --metric.
new_repository
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8 -- 'iteration-time' 5 1 1
	golden staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5 -- 'iteration-time' 5 1 2
done
golden staged/files/gpt/c/golden_values_dev.json 'lm loss' 10 9 8 -- 'iteration-time' 6 1 1
golden staged/files/bert/new/golden_values_dev.json 'lm loss' 3
commit
staging_manifest staged
regild update --dry-run staged --only 'gpt/[ab]' --except b
regild update --dry-run staged --except 'lm *'
regild update --dry-run staged --only "$ROOT/bert/**"
try regild update --dry-run staged --only nothing
try regild update --dry-run staged --except 'lm  loss'
try regild update --dry-run staged --metric 'lm  loss'
echo '# one metric into the old file'
regild update staged --metric 'lm loss'
git diff --word-diff=porcelain --unified=0 | grep '^[-+]'
echo '# a variant that is left out is said beside the one that goes in'
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.6 -- 'iteration-time' 5 1 2
for variant in h100 gb200 same; do
	golden $ROOT/gpt/a/golden_values_dev_$variant.json 'lm loss' 10
	golden staged/files/gpt/a/golden_values_dev_$variant.json 'lm loss' 11
done
golden staged/files/gpt/a/golden_values_dev_same.json 'lm loss' 10
commit
staging_manifest staged
regild update staged --only 'gpt/a' --except '*_h100*' --except '*_same*'
echo '# of two metrics the one that a file has'
git checkout -q $ROOT
regild update --dry-run staged --metric iteration-time --metric 'lm loss' --only gpt/a
echo '# one that --metric cannot work on is held back, alone'
git checkout -q .
rm -r .git/regild
echo '{"lm loss": ' >staged/files/gpt/b/golden_values_dev.json
: >staged/files/gpt/c/golden_values_dev.json
staging_manifest staged
try regild update staged --metric 'lm loss' --only 'gpt/?'
git status --short $ROOT
echo '# what a metric says of its precision goes with it'
git checkout -q .
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 10.123456789 9 8 -- 'iteration-time' 5 1 2
sed -i 's/"step_interval": 1/&, "value_precision": "full"/g' staged/files/gpt/b/golden_values_dev.json
rm -r .git/regild
staging_manifest staged
regild update -q staged --metric 'lm loss' --only gpt/b
cat $ROOT/gpt/b/golden_values_dev.json
