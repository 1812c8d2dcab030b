# SPDX-License-Identifier: Apache-2.0
# One at a time; a lock that a dead process left is recognised.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.5
commit
staging_manifest staged
mkdir .git/regild
(
	flock 9
	echo 4242 >&9
	try regild update staged
	try regild undo
	try regild reset --yes
	try regild update --continue
	regild update --dry-run -q staged
	regild reset --dry-run
	regild undo --list
) 9>.git/regild/lock
echo '# the process is gone, its id still stands there'
cat .git/regild/lock
regild update staged
cat .git/regild/lock
