# SPDX-License-Identifier: Apache-2.0
# A new test's goldens, out of a folder: the stage is that of the folder that has the test's settings. A golden
# of a test of that name says more than settings do. Where nothing tells, the message says what to do.
new_repository
for test in gpt/new moe/known t5/twice bert/twice; do
	mkdir -p $ROOT/$test && echo 'METRICS: [lm loss]' >$ROOT/$test/model_config.yaml
done
golden $ROOT/gpt/known/golden_values_dev.json 'lm loss' 10
commit
for test in new known; do
	golden ../dl/logs-$test-9-x/golden_values_dev.json 'lm loss' 11
done
try regild refresh --from ../dl
git status --short -uall
for test in twice other; do
	golden ../unknown/logs-$test-9-x/golden_values_dev.json 'lm loss' 11
done
try regild refresh --from ../unknown
echo '# as the message says'
golden ../laid-out/$ROOT/gpt/other/golden_values_dev.json 'lm loss' 11
try regild refresh -q --from ../laid-out
echo '# outside of a repository'
cd .. && try regild download -q --from dl -o staged
