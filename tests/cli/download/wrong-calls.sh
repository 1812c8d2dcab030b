# SPDX-License-Identifier: Apache-2.0
# What cannot be meant.
url=https://github.com/o/n/actions/runs/5
export GITHUB_TOKEN=t
try regild download --run 5
try regild download --run 5 --all --only-failing
try regild download --all
try regild download --run five --all
try regild download --run https://github.com/o/n/pull/5 --all
try regild download --run $url --repo o/other --all -o out
try regild download --run $url/attempts/2 --attempt 3 --all -o out
try regild download --run 5 --all
try regild download --run 5 --all -o out
try regild download --run 5 --all --jobs 33
try regild download --run 5 --all -o out operand
try env -u GITHUB_TOKEN PATH="$REGILD_BUILD:/nowhere" regild download --run $url --all -o out
# Whoever names another host does not get the token for github.com.
try env PATH="$REGILD_BUILD:/nowhere" regild download --run https://ghe.invalid/o/n/actions/runs/5 --all -o out
try regild download --run 5 --repo o/n --all -o ''
try env GITHUB_API_URL=http://example.com regild download --run $url --all -o out
git init -q --bare bare.git
try regild -C bare.git download --run 5 --all
[ ! -e out ] && echo "nothing was made"
new_repository
touch a && commit
mkdir full && touch full/of-something
try regild download --run 5 --repo o/n --all -o full
git config regild.jobs.name '{tset}'
try regild download --run 5 --repo o/n --all
git config regild.jobs.name 'x {test}'
try regild download --run 5 --repo o/n --all
git config --unset regild.jobs.name
git config regild.files ' '
try regild download --run 5 --repo o/n --all
git config regild.files "$(seq -s ' ' 65)"
try regild download --run 5 --repo o/n --all
