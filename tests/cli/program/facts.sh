# SPDX-License-Identifier: Apache-2.0
# What commands say, as JSON of one shape; what failed, too, where JSON on stdout was asked for. The calls in it pass.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 10 9
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 8.5
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 10
staging_manifest staged
echo staged >.git/info/exclude
commit
said() {
	echo "# $*"
	"$@" --json - 2>/dev/null | checked_json | sed -e 's/"time": [0-9]*/"time": TIME/' -e 's/"last_used": [0-9]*/"last_used": TIME/' -e "s|$PWD|HERE|"
	echo "exit code ${PIPESTATUS[0]}"
}
said regild update staged --dry-run
said regild update staged --stage
said regild undo --list
said regild undo
said regild check
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 NaN
said regild -C tests check
said regild -C tests blame ../$ROOT/gpt/a/golden_values_dev.json
said regild init
said regild cache
said regild download --from staged
echo '# what failed'
said regild init
said regild blame nowhere
said regild update --yes
said regild approve
said regild runs --no-such
regild update staged --dry-run --json ../update.json | tail -n 1
regild refresh --from staged --dry-run --json - 2>/dev/null | checked_json | grep -e '"schema"' -e dry_run
