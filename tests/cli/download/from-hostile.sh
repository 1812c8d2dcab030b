# SPDX-License-Identifier: Apache-2.0
# What a folder or an archive from a stranger may hold: links out of it, pipes, files that cannot be read or are
# too large, damaged archives. What is beside it comes out all the same.
new_repository
for test in gpt/a gpt/b gpt/c gpt/d moe/d; do
	golden $ROOT/$test/golden_values_dev.json 'lm loss' 1
done
commit
for test in a b c d; do
	golden dl/logs-$test-77-x/golden_values_dev.json 'lm loss' 2
done
echo secret >secret
ln -s ../../secret dl/logs-a-77-x/golden_values_link.json
mkfifo dl/logs-b-77-x/golden_values_pipe.json
chmod 0 dl/logs-c-77-x/golden_values_dev.json
# A link to a folder is not an artifact.
ln -s ../.git dl/logs-link-77-x
try unprivileged download --from dl -o staged
staged staged
try unprivileged download --from dl -o staged --take-ambiguous
chmod 644 dl/logs-c-77-x/golden_values_dev.json

# Damaged archives beside a good one; what is only called so is none.
mkdir zips
(cd dl/logs-a-77-x && zip -q ../../zips/logs-a-77-x.zip golden_values_dev.json)
head -c 100 zips/logs-a-77-x.zip >zips/logs-b-77-x.zip
tar -czf - -C dl/logs-c-77-x golden_values_dev.json | head -c 60 >zips/logs-c-77-x.tar.gz
echo "<html>Sign in</html>" >zips/logs-d-77-x.zip
try regild download --from zips -o staged
staged staged
try regild download --from zips/logs-b-77-x.zip -o none

# Limits hold for archives and for folders.
git config regild.maxFile 10
try regild -q download --from zips/logs-a-77-x.zip -o small
try regild -q download --from dl/logs-b-77-x -o small
git config --unset regild.maxFile

# A staged file that is not what the manifest says.
mkdir -p s/files && cp -r dl/logs-a-77-x s/files/a && mkdir s/files/gpt && mv s/files/a s/files/gpt/a
rm s/files/gpt/a/golden_values_link.json
staging_manifest s
echo '{"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 3}}}' \
	>s/files/gpt/a/golden_values_dev.json
try regild -q download --from s -o staged
