# SPDX-License-Identifier: Apache-2.0
# Goldens beside refreshed ones are one line, by variant; one alone, and each with -v, has its path.
new_repository
git config regild.files 'golden_values*.json extra.json'
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev_dgx_h100.json 'lm loss' 1
	golden $ROOT/gpt/$test/golden_values_dev_dgx_a100.json 'lm loss' 1
	golden ../staged/files/gpt/$test/golden_values_dev_dgx_h100.json 'lm loss' 2
done
for variant in lts_dgx_a100 dev_dgx_gb200 e f g; do
	golden $ROOT/gpt/a/golden_values_$variant.json 'lm loss' 1
done
golden $ROOT/gpt/b/golden_values_lts_dgx_a100.json 'lm loss' 1
golden $ROOT/gpt/c/extra.json 'lm loss' 1
golden $ROOT/gpt/c/golden_values.json 'lm loss' 1
golden "$ROOT/gpt/b/golden_values_"$'\e[31m\xe2\x80\xaered'.json 'lm loss' 1
staging_manifest ../staged
commit
said() {
	regild update "$@" ../staged 2>&1 >/dev/null
	regild undo -q
}
echo "-- one line"
said
echo "-- each"
said -v | grep 'not refreshed'
echo "-- none with -q"
said -q
echo "-- one alone"
git rm -q $ROOT/gpt/b/*lts* $ROOT/gpt/b/*red.json
commit
said --only gpt/b
