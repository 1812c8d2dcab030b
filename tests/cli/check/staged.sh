# SPDX-License-Identifier: Apache-2.0
# --staged checks what a commit would take, whatever is in the working tree.
new_repository
git config regild.layout plain
git config regild.root goldens
mkdir goldens
put() {
	printf '{"loss": {"1": %s, "2": 1}}\n' "$2" >goldens/$1.json
}
put a 1
put b 1
commit
echo '# a NaN that is staged, and mended in the working tree alone'
put a NaN
git add goldens
put a 1
try regild check --changed
try regild check --staged
echo '# a NaN in the working tree is not what the commit takes'
put a 2
git add goldens
put a NaN
put b NaN
try regild check --changed
try regild check --staged
try regild check --staged --base HEAD
echo '# a golden that is new to the index, or gone from the working tree'
git checkout -q goldens
put c NaN
git add goldens
rm goldens/c.json
try regild check --staged
echo '# the hook'
hook=$(sed -n 's/^ *entry: //p' "$REGILD_TOP/.pre-commit-hooks.yaml")
try $hook
echo '# wrong calls'
try regild check --staged --changed
try regild check --staged goldens/a.json
try regild check --base HEAD
echo '# before the first commit'
git init -q ../first
cd ../first
git config regild.layout plain
mkdir goldens
put a NaN
git add goldens
try regild check --staged
