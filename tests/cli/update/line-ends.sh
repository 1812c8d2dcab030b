# SPDX-License-Identifier: Apache-2.0
# A checkout with CRLF: what differs from a run's golden only in line ends that git converts is unchanged.
new_repository
for test in same moved; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8
	mkdir -p ../staged/$ROOT/gpt/$test
done
commit 2>/dev/null
cp $ROOT/gpt/same/golden_values_dev.json ../staged/$ROOT/gpt/same
golden ../staged/$ROOT/gpt/moved/golden_values_dev.json 'lm loss' 10 9 7
checkout_crlf() {
	rm -r $ROOT
	git checkout -q .
	grep -q $'\r' $ROOT/gpt/same/golden_values_dev.json
}
git config core.autocrlf true
checkout_crlf
echo '== core.autocrlf'
regild refresh -q --from ../staged
git status --short 2>/dev/null
git config --unset core.autocrlf
echo '*.json text eol=crlf' >.gitattributes
commit 2>/dev/null
checkout_crlf
echo '== .gitattributes'
regild refresh -q --from ../staged
echo '== git converts nothing'
echo '*.json -text' >.gitattributes
commit 2>/dev/null
regild refresh -q --from ../staged --only gpt/same
