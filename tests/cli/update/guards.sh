# SPDX-License-Identifier: Apache-2.0
# Each golden that a guard holds back stays as it is, with its reason; the others go in: exit code 4.
new_repository
for test in nan length steps metric empty blank dirty fine lfs; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8 -- 'iteration-time' '"nan"' 1 1
	golden staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5 -- 'iteration-time' '"nan"' 1 2
done
cat >$ROOT/gpt/lfs/golden_values_dev.json <<-'END'
	version https://git-lfs.github.com/spec/v1
	oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
	size 12345
END
commit
golden staged/files/gpt/nan/golden_values_dev.json 'lm loss' 10 NaN '"inf"' -- 'iteration-time' '"nan"' 1 1
golden staged/files/gpt/length/golden_values_dev.json 'lm loss' 10 9 8 7 -- 'iteration-time' '"nan"' 1 1
golden staged/files/gpt/steps/golden_values_dev.json 'lm loss' 10 -- 'iteration-time' '"nan"' 1 1
golden staged/files/gpt/metric/golden_values_dev.json 'lm loss' 10 9 8
echo '{}' >staged/files/gpt/empty/golden_values_dev.json
echo >staged/files/gpt/blank/golden_values_dev.json
echo ' ' >>$ROOT/gpt/dirty/golden_values_dev.json
staging_manifest staged
regild update --dry-run staged || echo "exit code $?"
echo '# update'
try regild update -q staged
git status --short
echo '# what our own last update wrote may be replaced'
golden staged/files/gpt/fine/golden_values_dev.json 'lm loss' 10 9 8.7 -- 'iteration-time' '"nan"' 1 2
staging_manifest staged
try regild update -q staged --only fine
echo '# let through'
try regild update staged --allow bogus
regild update staged -q --allow nonfinite --allow shrink --allow empty --except lfs --allow dirty
git status --short
for test in nan length steps metric empty blank dirty fine; do
	cmp staged/files/gpt/$test/golden_values_dev.json $ROOT/gpt/$test/golden_values_dev.json
done
grep -c '"allowed": "' staged/manifest.json
echo '# of very many reasons the first, and all with -v'
git add -A && git commit -qm fine
many=() fewer=()
for i in {101..125}; do many+=(-- "m$i" 1) fewer+=(-- "n$i" 1); done
golden $ROOT/gpt/fine/golden_values_dev.json z 1 "${many[@]}"
git commit -qam many
golden staged/files/gpt/fine/golden_values_dev.json z NaN "${fewer[@]}"
staging_manifest staged
try regild update staged --only fine | tail -n 5
try regild update -qv staged --only fine | grep -c ': m1.*vanishes'
echo '# what the policy does not look at need not be finite'
golden staged/files/gpt/fine/golden_values_dev.json z 1 "${many[@]:0:3}"
sed -i 's/: 1}/: NaN}/g' staged/files/gpt/fine/golden_values_dev.json
golden $ROOT/gpt/fine/golden_values_dev.json z 1 "${many[@]:0:3}"
commit
staging_manifest staged
cat >.regild <<-'END'
	[metric "m*"]
		steps = 2..
	[metric "z"]
		kind = ignore
END
try regild update staged --only fine
try regild check -q $ROOT/gpt/fine/golden_values_dev.json
