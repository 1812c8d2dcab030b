# SPDX-License-Identifier: Apache-2.0
# --filter by what the checks of the project say of rows: why they fail is in the table, in markdown, in JSON.
checked_goldens
echo '== approximate fails'
regild -q compare --filter checks=approximate:fails
echo '== any check fails, of one metric'
regild -q compare --filter 'checks=*:fails' --filter 'metric=lm*' --top 0
echo '== passes, or fails another'
regild -q compare --filter checks=approximate:passes --filter checks=deterministic:fails --csv - --columns test,metric,check_reason
echo '== markdown and JSON'
regild -q compare --filter checks=approximate:fails --csv - --columns metric,check_reason | grep 'not within'
regild -q compare --filter checks=approximate:fails --json - | checked_json | grep -o '"check_reason": "[^"]*"'
echo '== a slip'
try regild compare --filter checks=aproximate:fails
try regild compare --filter checks=approximate
git config -f .regild check.approximate.metric ''
git config -f .regild check.deterministic.metric ''
try regild compare --filter 'checks=*:fails'
