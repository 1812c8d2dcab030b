# SPDX-License-Identifier: Apache-2.0
# What is staged must be what the manifest says.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
commit
try regild update
try regild update nowhere
try regild update 22651183945
try regild update --run x
try regild update --run 5 staged
try regild update --run 5
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 2
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 2
staging_manifest staged
echo >>staged/files/gpt/b/golden_values_dev.json
try regild update staged
rm staged/files/gpt/b/golden_values_dev.json
try regild update staged
ln -s ../a/golden_values_dev.json staged/files/gpt/b/golden_values_dev.json
try regild update staged
echo '{' >staged/manifest.json
try regild update staged
git status --short --untracked-files=no

echo '# the one run that is downloaded'
rm -rf staged
golden .git/regild/runs/77/files/gpt/a/golden_values_dev.json 'lm loss' 2
staging_manifest .git/regild/runs/77 77
mkdir -p .git/regild/runs/76/.download/files # a first download that was killed
regild update --dry-run
cp -r .git/regild/runs/77 .git/regild/runs/78
try regild update --dry-run
regild update --run https://github.com/o/n/actions/runs/77/attempts/2
git status --short
echo '# none is'
rm -r .git/regild/runs/7[78]
try regild update
echo '# a folder without a name, a manifest that is none'
try regild update ''
mkdir odd
mkfifo odd/manifest.json
try timeout 300 regild update odd
rm odd/manifest.json
ln -s /dev/zero odd/manifest.json
try timeout 300 regild update odd
