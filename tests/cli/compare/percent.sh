# SPDX-License-Identifier: Apache-2.0
# A fraction may be in per cent, in settings and in options; a value may not.
new_repository
golden old.json loss 1 -- other 100
golden new.json loss 1.02 -- other 101
compare() { try regild -q compare old.json new.json "$@" --csv - --columns metric,level,checks | grep -v metric; }
git config -f .regild metric.loss.flag '1%'
git config -f .regild metric.loss.fail 3%
git config -f .regild metric.other.kind combined
git config -f .regild metric.other.rtol 0.7%
git config -f .regild check.near.metric '*'
git config -f .regild check.near.rtol 1.5%
compare
compare --fail-above 2.5%
compare --fail-above 'loss=1%'
compare --fail-above 'loss=1 %'
compare --fail-above '-1%'
compare --threshold 1%
echo '# where no fraction is'
git config -f .regild metric.loss.kind absolute
compare
git config -f .regild metric.loss.kind ulp
compare
git config -f .regild --unset metric.loss.kind
git config -f .regild 'metric.*.kind' absolute
compare
git config -f .regild --remove-section 'metric.*'
for key in atol floor near-zero; do
	git config -f .regild metric.loss.$key 1%
	compare
	git config -f .regild --unset metric.loss.$key
done
git config -f .regild check.near.atol 1%
compare
