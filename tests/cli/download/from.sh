# SPDX-License-Identifier: Apache-2.0
# What a path of --from can be: artifacts as `gh run download` leaves them, one artifact, zips and tars, a staging
# folder, another checkout. No token is there, and no server.
new_repository
for test in gpt/a gpt/b moe/c; do
	golden $ROOT/$test/golden_values_dev.json 'lm loss' 1
done
commit
unset GITHUB_TOKEN GH_TOKEN

# A number in what makes a name unique is not the run's. Tests that the tree does not have are named.
value=1
for name in logs-a-22651183945-4f1c0a11-2222-4d1e logs-b-22651183945-7-x logs-z-22651183945-8; do
	value=$((value + 1))
	golden ../dl/$name/golden_values_dev.json 'lm loss' $value
	echo "not read" >../dl/$name/stdout.log
done
mkdir ../dl/logs-c-22651183945-9 ../dl/coverage
echo "a log" >../dl/logs-c-22651183945-9/stdout.log
try regild download --from ../dl -v
staged .git/regild/runs/from

# One artifact, which the folder's name or the archive's tells; several of them, with an operand.
try regild download --from ../dl/logs-a-22651183945-4f1c0a11-2222-4d1e -o one
staged one
(cd ../dl/logs-b-22651183945-7-x && try regild -C ../../work download --from ../dl/logs-b-22651183945-7-x/ -o again)
try regild download --from ../dl/logs-a-22651183945-4f1c0a11-2222-4d1e ../dl/logs-b-22651183945-7-x -o two
staged two

# The same in a tar, with a folder around it or without, and in zips as a page hands them out.
tar -czf ../dl.tgz -C ../dl .
tar -cf ../dl.tar -C .. dl
mkdir ../zips
for name in ../dl/logs-*; do
	zip -q -r -j "../zips/${name##*/}.zip" "$name"
done
for path in ../dl.tgz ../dl.tar ../zips; do
	try regild -q download --from $path -o staged
	staged staged
done
try regild -q download --from ../zips/logs-a-*.zip -o one
staged one

# A staging folder's own run is kept; a checkout's goldens are taken for their own paths.
staging_manifest two 22651183945
try regild -q download --from two -o kept
grep -e '"id": 22651183945' -e '"source"' -e '"paths"' kept/manifest.json
staged kept
try regild -q download --from two one -o none
try regild -q download --from ../dl two -o none
golden ../other/$ROOT/new/d/golden_values_dev.json 'lm loss' 9
echo '{}' >../other/$ROOT/golden_values_odd.json
try regild -q download --from ../other -o checkout
staged checkout

# Nothing in it; not there; not an archive; what does not go together.
try regild download --from ../dl/coverage
try regild download --from ../nowhere
try regild download --from $ROOT/gpt/a/golden_values_dev.json
try regild download --from ../dl ../dl/coverage -o part
try regild download --from ../dl --run 1
try regild download --from ../dl --only-failing
try regild download ../dl

# Outside a repository nobody knows stages.
mkdir ../outside && cd ../outside
try regild download --from ../dl/logs-b-22651183945-7-x -o staged
