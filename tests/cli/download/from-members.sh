# SPDX-License-Identifier: Apache-2.0
# GitLab's page calls the zip of every job "artifacts.zip": the folder in it tells the test, by the longest name
# that the tree has. The last restart of the last iteration counts.
new_repository
for test in gpt/gpt3_tp1 gpt/GPT3_tp1_pp2 moe/moe_ep8; do
	golden $ROOT/$test/golden_values_dev.json 'lm loss' 1
done
commit
base=assets/basic
mkdir zips
golden a/results/iteration=0/r1/$base/gpt3-tp1-dev-dgx-h100/golden_values_dev.json 'lm loss' 2
golden a/results/iteration=0/r2/$base/gpt3-tp1-dev-dgx-h100/golden_values_dev.json 'lm loss' 3
golden b/results/iteration=9/r1/$base/gpt3-tp1-pp2-dev-dgx-h100/golden_values_dev.json 'lm loss' 4
golden b/results/iteration=10/r1/$base/gpt3-tp1-pp2-dev-dgx-h100/generations_dev.json 'lm loss' 5
golden c/results/iteration=0/r1/$base/unknown-dev/golden_values_dev.json 'lm loss' 6
golden d/results/iteration=0/r1/$base/moe-ep8/golden_values_dev.json 'lm loss' 7
golden d/results/iteration=0/r1/$base/gpt3-tp1/golden_values_dev.json 'lm loss' 8
(cd a && zip -q -r ../zips/artifacts.zip .)
(cd b && zip -q -r '../zips/artifacts (1).zip' .)
(cd c && zip -q -r '../zips/artifacts (2).zip' .)
try regild download --from zips -o staged -v -j 1
staged staged
# Unpacked, in one folder or in several; a tar is the same.
try regild -q download --from a -o one
staged one
mkdir unpacked && cp -r a unpacked/1 && cp -r b unpacked/2
try regild -q download --from unpacked -o two
staged two
tar -czf b.tgz -C b .
try regild -q download --from b.tgz -o two
staged two
# Two tests' folders in one artifact: it is one job's.
try regild -q download --from d -o odd
staged odd

# Where the target takes no {stage}, the names tell the tests, whether the tree has them or not. Zips inside are opened.
git config regild.files 'golden_artifacts_*.zip!**/*.bin'
git config regild.root goldens
git config regild.jobs.name 'test-{test} / package'
git config regild.jobs.artifact 'golden-artifacts-{test}'
git config regild.jobs.target '{file}'
mkdir -p et/golden-artifacts-xnnpack flow/add
echo 1 >flow/add/input.bin && echo 2 >flow/add/expected.bin
zip -q -r et/golden-artifacts-xnnpack/golden_artifacts_xnnpack.zip flow
(cd et/golden-artifacts-xnnpack && zip -q ../../golden-artifacts-xnnpack.zip *)
try regild download --from et -o inner
staged inner
try regild -q download --from golden-artifacts-xnnpack.zip -o inner
staged inner
try regild -q download --from et/golden-artifacts-xnnpack -o inner
staged inner
