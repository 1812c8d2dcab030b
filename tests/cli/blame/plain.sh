# SPDX-License-Identifier: Apache-2.0
# What blame says without a run, of work that is not committed, in a shallow clone, and of hostile trailers;
# what is no golden in HEAD.
new_repository
mkdir repository && cd repository
new_repository
golden a.json m 1
commit first
golden a.json m 2
commit $'second\n\nRegild-Run: https://example.com/runs/7\nRegild-Attempt: 3\nSigned-off-by: A <a@example.com>'
golden a.json m 3
commit $'third: \e[31m\xe2\x80\xae\n\nText.\n\nRegild-Run: not in the last paragraph\n\nThe end.'
golden b.json m 1
commit $'hostile\n\nRegild-Run: \e]0;\xe2\x80\xaetitle\a '"$(printf 'x%.0s' {1..600})"$'\nregild-run: the last \e[2J\n  goes on\nRegild-Scope: '"$(printf 'x%.0s' {1..600})"
golden c.json m 1
commit c
golden c.json m 2
echo '# a run, and a change since'
regild blame a.json
echo '# hostile'
regild blame b.json | tee ../out
[ "$(wc -c <../out)" -lt 800 ]
echo '# no run; not committed, in the index, and both'
regild blame c.json
git add c.json
regild blame c.json | tail -n 2
git mv b.json d.json
regild blame b.json | tail -n 1
try regild blame d.json
git reset -q --hard
echo '# what is outside a sparse checkout is not changed'
git update-index --skip-worktree a.json && rm a.json
regild blame a.json | tail -n 1
git update-index --no-skip-worktree a.json && git checkout -q a.json
echo '# a shallow clone'
git clone -q --depth 3 "file://$PWD" ../shallow
(cd ../shallow && regild blame a.json && regild blame c.json)
git clone -q --depth 4 "file://$PWD" ../deeper
(cd ../deeper && regild blame a.json)
echo '# a merge that nobody made alone'
git checkout -q -b side HEAD~1 && golden a.json m 4 && commit side
git checkout -q main && golden a.json m 5 && commit main
git merge -q side >/dev/null 2>&1 || true
regild blame a.json | tail -n 2
golden a.json m 6 && git add a.json
git commit -q -m $'merge\n\nRegild-Run: merged'
regild blame a.json
echo '# wrong calls'
try regild blame
try regild blame a.json b.json
try regild blame missing.json
try regild blame .
try regild blame ../elsewhere.json
cd /
try regild blame a.json
