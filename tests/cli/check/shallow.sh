# SPDX-License-Identifier: Apache-2.0
# CI clones what it needs: without history (fetch-depth: 1), or without old trees (filter: tree:0). Findings are printed, and
# their exit code stays; one line says what the clone does not know, and which fetch would tell.
mkdir ../up && cd ../up
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
commit first
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 NaN
commit second
git checkout -q -b topic
golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 1 NaN
commit third
echo text >README && commit readme
git checkout -q main
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
commit fixed
git config uploadpack.allowFilter true
git config uploadpack.allowAnySHA1InWant true
all() {
	for call in 'check --changed --base origin/main' "blame $ROOT/gpt/c/golden_values_dev.json" 'compare -q --csv - HEAD~2' \
		'compare -q --csv - origin/main...'; do
		echo "== $call"
		try regild $call 2>&1
	done
}
echo '# --depth 1'
git clone -q --depth 1 --branch topic "file://$PWD" ../shallow
cd ../shallow
git fetch -q --depth 1 origin main:refs/remotes/origin/main
all
echo '# deep enough'
cd ../up
git clone -q --depth 3 --no-single-branch --branch topic "file://$PWD" ../deeper
cd ../deeper
try regild check --changed --base origin/main 2>&1
cd ../up
git clone -q --filter=tree:0 --branch topic "file://$PWD" ../treeless 2>/dev/null || skip "needs a git with partial clones"
cd ../treeless
export GIT_NO_LAZY_FETCH=1
echo '# --filter=tree:0, and git may not fetch'
all
unset GIT_NO_LAZY_FETCH
git config remote.origin.url "file://$SCRATCH/nowhere"
echo '# git cannot fetch'
try regild compare -q --csv - HEAD~2 2>&1
git config remote.origin.url "file://$SCRATCH/up"
echo '# git fetches'
all
echo '# and what the line says gets the rest'
git fetch -q --refetch --filter=blob:none
try regild blame $ROOT/gpt/c/golden_values_dev.json
