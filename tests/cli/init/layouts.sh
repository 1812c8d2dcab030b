# SPDX-License-Identifier: Apache-2.0
# What is written is what was found, and regild reads it back.
section() {
	echo "# $1"
	echo "# $1" >&2
}
setting() {
	grep -E '^	root =|The folder of the goldens' .regild
}

section 'nothing there'
new_repository
echo 'int main(void);' >main.c
try regild init
[ ! -e .regild ]
regild init --layout megatron
setting
section 'there already'
try regild init
section 'a link that leads nowhere'
mv .regild ../kept
ln -s nowhere .regild
try regild init
rm .regild
mv ../kept .regild
section 'goldens of Megatron-LM, most of them below "my goldens"'
for i in 1 2 3; do
	golden "my goldens/stage/t$i/golden_values_dev.json" m 1
done
golden elsewhere/stage/t/golden_values_dev.json m 1
golden "my goldens/stage/t4/deeper/golden_values_dev.json" m 1
git add -A
regild init --force
setting
git commit -q -m goldens
golden "my goldens/stage/t1/golden_values_dev.json" m 2
regild compare -q --csv -
section 'of ExecuTorch'
for flow in xnnpack coreml; do
	mkdir -p et/goldens/$flow
	for i in 1 2 3; do
		: >et/goldens/$flow/m$i.pte
		: >et/goldens/$flow/m${i}_expected_output.bin
	done
done
git add -A
(cd et && regild init --force)
setting
section 'the other one all the same'
regild init --force --layout megatron
setting
section 'both are read without a complaint'
regild check
regild init -q --force --layout executorch
git config -f .regild --list | sort
section 'one that git cannot read is there, and replaced'
echo '[regild' >.regild
try regild check
try regild init
regild init --force
grep -c '^\[regild\]' .regild
section 'goldens at the top'
mkdir ../top && cd ../top
new_repository
golden stage/t/golden_values_dev.json m 1
golden too_high/golden_values_dev.json m 1
git add -A && git commit -q -m goldens
try regild check
try regild compare
git config regild.root stage/t/golden_values_dev.json/of
try regild check
git config --unset regild.root
regild init
setting
golden stage/t/golden_values_dev.json m 2
regild compare -q --csv - --columns file,stage,test
section 'a root that has to be quoted'
rm -r stage
odd='a "b" ;c# d'
golden "$odd/stage/t/golden_values_dev.json" m 1
git add -A
regild init -q --force
setting
[ "$(git config -f .regild regild.root)" = "$odd" ]
regild check
section 'folders that cannot be a root'
rm -r "$odd" too_high
for odd in 'a\b' "$(printf 'a\nb')"; do
	for i in 1 2; do golden "$odd/stage/t$i/golden_values_dev.json" m 1; done
done
git add -A
try regild init --force
golden plain/stage/t/golden_values_dev.json m 1
git add -A
regild init --force
setting
regild check
section 'outside a repository'
cd /
try regild init
