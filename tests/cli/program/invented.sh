# SPDX-License-Identifier: Apache-2.0
# What agents invent is answered with what there is; a part of an option's name is no option, of any command.
for call in 'refresh --yes' 'reset --assume-yes' 'refresh --no-input' 'refresh --force' 'reset --force' \
	'compare --force' 'compare --output json' 'compare --format=json' 'download --format json' 'refresh --dry' \
	'refresh --fail' 'undo --li' 'cache --he' 'history show --js' 'update --commit' 'triage --run 1' 'compare --run 1' commit approve confirm dry-run; do
	try regild $call 2>&1 | grep -v '^See'
done
