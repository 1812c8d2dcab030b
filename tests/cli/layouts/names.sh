# SPDX-License-Identifier: Apache-2.0
# [names] test takes test, stage and variant out of a golden's path: for columns, filters, the story's groups, and
# for what 'reset' and --only name.
new_repository
cat >.regild <<'CONFIG'
[regild]
	root = losses
[source "losses"]
	artifact = outputs
	members = **/*.txt
	target = {path}
[names]
	test = {stage}/{variant}/{test}.txt {test}_{variant}.txt
CONFIG
mkdir -p losses/real_pg/a10g losses/fake_pg/a10g
for test in llama3 qwen3 sft; do
	for pg in real_pg fake_pg; do printf '1 8.5\n2 7.5\n' >losses/$pg/a10g/$test.txt; done
done
printf '1 8.5\n2 7.5\n' >losses/llama3_moe_cuda.txt
printf '1 8.5\n2 7.5\n' >losses/other.txt
commit
for file in losses/*/*/*.txt; do printf '1 8.5\n2 7.625\n' >$file; done
printf '1 8.5\n2 9.125\n' | tee losses/llama3_moe_cuda.txt >losses/other.txt
regild compare -q --csv - --columns stage,test,file
echo '# filters'
regild compare -q --csv - --columns file --filter test=llama3*
regild compare -q --csv - --columns file --filter variant=cuda --filter stage=x
regild compare -q --csv - --columns file --filter stage=real_pg --filter test=sft
echo '# the story'
regild compare
echo '# by test'
regild reset -y fake_pg/sft
regild reset -y llama3_moe
git status --short
echo '# a golden of a run'
mkdir -p ../run/outputs/real_pg/a10g
printf '1 8.5\n2 7.75\n' | tee ../run/outputs/real_pg/a10g/llama3.txt >../run/outputs/real_pg/a10g/sft.txt
regild download -q --from ../run -o ../staged
try regild update -q ../staged --only real_pg/sft --allow dirty
try regild update -q ../staged --only llama3 --allow dirty --dry-run
echo '# what makes no sense'
git config regild.names.test '{stage}/x'
try regild compare -q
git config regild.names.test '{test}_{run}'
try regild compare -q
