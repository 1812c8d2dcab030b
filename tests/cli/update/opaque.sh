# SPDX-License-Identifier: Apache-2.0
# Opaque goldens go in and out again as all others do; one that was readable is held back.
ROOT=g
new_repository
printf '[regild]\n\troot = g\n\tfiles = *.txt *.png golden_values*.json\n[jobs]\n\ttarget = {stage}/{test}/{file}\n' >.regild
mkdir -p g/ui/a staged/files/ui/a
echo 'expected' >g/ui/a/error.txt
printf '1 8.25\n' >g/ui/a/losses.txt
printf '\x89PNG\r\n\x1a\n\0' >g/ui/a/shot.png
golden g/ui/a/golden_values_dev.json 'lm loss' 1
echo 'note' >g/ui/a/gone.txt
commit
echo 'other' >staged/files/ui/a/error.txt
echo 'Traceback' >staged/files/ui/a/losses.txt
printf '\x89PNG\r\n\x1a\n\1' >staged/files/ui/a/shot.png
echo '[]' >staged/files/ui/a/golden_values_dev.json
: >staged/files/ui/a/gone.txt
echo 'first' >staged/files/ui/a/added.txt
staging_manifest staged
echo '== what was readable, and what was something, is held back'
try regild update staged
git status --short g
cat g/ui/a/error.txt
echo '== let through'
try regild update staged --allow opaque --allow empty
cat g/ui/a/losses.txt g/ui/a/golden_values_dev.json
grep -o '"allowed": [^,}]*' staged/manifest.json
echo '== undone'
regild undo
regild undo
git status --short g
echo '== some of them'
regild update staged --only '*.png'
regild undo
