# SPDX-License-Identifier: Apache-2.0
# The project's own checks: what the tests would say of the new values, row by row, by golden in the bottom
# line, in each report, and as a gate. Megatron-LM's are built in, a .regild has others.
checked_goldens
echo '== the rows'
regild compare --columns test,metric,checks --top 0
regild compare -q --columns test,metric,checks --csv -
echo '== JSON'
regild compare --json - | checked_json compare | grep -E '^ "checks"|"name": "(determ|approx)|"kind": "checks"|"gaps": \[|"metric": "num-zeros", "kind": "old'
echo '== markdown'
regild compare --markdown - | grep -E '^- (approximate|.*fails)'
echo '== the page'
regild compare --html page.html -q >/dev/null
grep -c 'deterministic: fails, approximate: passes' page.html
echo '== gates'
try regild compare -q --fail-on check:approximate
try regild compare -q --fail-on check:approximate,check:deterministic --filter file=*/full/*
try regild compare -q --fail-on check:approximate --filter file=*/close/*
try regild compare -q --fail-on check:approx
try regild compare -q --fail-on check
echo '== of a revision the settings are the revision'"'"'s'
git add -A && git commit -qm new
git rm -q $ROOT/gpt/loose/model_config.yaml
regild compare -q HEAD~ HEAD --columns metric,checks --filter file=*/loose/* --csv -
regild compare -q HEAD~ --columns metric,checks --filter file=*/loose/* --csv -
echo '== a .regild of another project'
cat >.regild <<'END'
[check "deterministic"]
	metric =
[check "approximate"]
	metric =
[check "close"]
	metric = *loss
	rtol = 0.01
	outliers = 1
END
regild compare HEAD~ --columns test,metric,checks | tail -n 20
regild compare -q HEAD~ --columns test,metric,checks --csv -
echo '== git'"'"'s own configuration replaces what .regild says of a key'
git config regild.check.close.metric num-zeros
git config --add regild.check.close.metric 'iteration-*'
regild compare HEAD~ --columns test,metric,checks -q --csv - | grep close:
echo '== marks tell checks apart; what fails nowhere has no key'
cat >>.regild <<'END'
[check "closer"]
	metric = *loss
	rtol = 0.001
[check "exact"]
	metric = *loss
	rtol = 0
[check "mine"]
	metric = num-zeros
	rtol = 1000
END
git config --unset-all regild.check.close.metric
regild compare HEAD~ --columns test,metric,checks -q | sed -n '/^  test/,/^$/p'
needs_terminal
script -qec "stty cols 30; regild compare HEAD~ --columns metric,checks -q --color never --no-pager" typescript </dev/null >/dev/null
grep ': fails' typescript | tr -d '\r'
