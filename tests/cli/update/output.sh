# SPDX-License-Identifier: Apache-2.0
# Where what was done cannot be said, the exit code still tells whether goldens were changed.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
commit
golden ../staged/files/gpt/a/golden_values_dev.json 'lm loss' 1 3
staging_manifest ../staged
for command in 'update --dry-run ../staged' 'update ../staged' 'update ../staged' undo 'undo 2' \
	'reset --yes' 'reset --yes'; do
	status=0
	regild $command >/dev/full || status=$?
	echo "$command: exit code $status,$(git status --short $ROOT)"
done
