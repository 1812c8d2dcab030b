# SPDX-License-Identifier: Apache-2.0
# A second download moves nothing, a cleared cache forgets, and what the tree has is unchanged.
start_hub "$REGILD_TOP/fixtures/demo"
new_repository
git remote add origin https://github.com/NVIDIA/Megatron-LM
touch a && commit
count() {
	echo "zip requests: $(grep -c /zip "$HUB_LOG"), store requests: $(grep -c ^store "$HUB_LOG")," \
		"not modified: $(grep -c ' 304 ' "$HUB_LOG")"
}
try regild download --run 22651183945 --only-failing
count
mkdir -p tests/functional_tests
cp -R .git/regild/runs/22651183945/files $ROOT
try regild download --run 22651183945 --only-failing
count
regild cache -q
regild cache clear
regild cache
try regild download --run 22651183945 --only-failing -q
count
