# SPDX-License-Identifier: Apache-2.0
# A report on stdout is there alone.
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
regild refresh --run 22651183945 --only-failing --csv ../file.csv >/dev/null 2>&1 || true
git checkout -q . && git clean -qfd
regild refresh --run 22651183945 --only-failing --csv - 2>/dev/null | cmp - ../file.csv
git checkout -q . && git clean -qfd
regild refresh --run https://github.com/NVIDIA/Megatron-LM/actions/runs/22651183945/job/65655400137 \
	--only-failing --markdown - 2>/dev/null | head -n 1
git checkout -q . && git clean -qfd
regild refresh --run 22651183945 --only-failing --json - 2>/dev/null | checked_json | head -n 2
git checkout -q . && git clean -qfd
regild refresh --run 22651183945 --only-failing --html - 2>/dev/null >../page.html || true
head -n 1 ../page.html
sed -n '/workflow run/p' ../page.html
grep -c "<svg class=.plot" ../page.html
