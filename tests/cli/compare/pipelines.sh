# SPDX-License-Identifier: Apache-2.0
# A pipeline of GitLab is a side as a run of GitHub is one.
start_gitlab "$REGILD_TOP/fixtures/pipeline"
new_repository
golden $ROOT/gpt/gpt3_mcore_te_tp1_pp2/golden_values_lts_dgx_a100.json 'lm loss' 9.25 9.24 9.23 4.61
golden $ROOT/t5/other/golden_values_lts_dgx_a100.json 'lm loss' 1
commit
regild compare "run:$GITLAB_URL/adlr/megatron-lm/-/pipelines/31417" HEAD --csv -
regild compare HEAD "run:$GITLAB_URL/adlr/megatron-lm/-/pipelines/31417" --json - -q | checked_json | grep '"about"'
git remote add origin "$GITLAB_URL/adlr/megatron-lm.git"
git config regild.repository "$GITLAB_URL/adlr/megatron-lm"
try regild compare --source gitlab HEAD latest:main --json - -q 2>/dev/null | grep -e '"about"' -e ^exit
try regild compare --source gitlab run:31417 run:31300 --csv -
