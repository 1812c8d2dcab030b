# A folder that may not be written to: nothing is changed, the goldens before it included.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
commit
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 1 3
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 1 3
staging_manifest staged
chmod a-w $ROOT/gpt/b
if [ "$(id -u)" = 0 ]; then
	# To root nothing is read-only.
	setpriv --version >/dev/null 2>&1 || skip "needs setpriv(1) of util-linux, or not to be root"
	cp "$REGILD_BUILD/regild" "$SCRATCH/regild"
	as_nobody() {
		setpriv --reuid 65534 --regid 65534 --clear-groups "$SCRATCH/regild" "$@"
	}
	chmod 755 "$SCRATCH"
	as_nobody --version >/dev/null 2>&1 || skip "needs a place that others may go to, or not to be root"
	chown -R 65534:65534 "$SCRATCH/work" "$HOME"
	try as_nobody update staged
	chown -R 0:0 "$SCRATCH/work"
else
	try regild update staged
fi
chmod u+w $ROOT/gpt/b
git status --short
