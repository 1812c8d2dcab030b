# SPDX-License-Identifier: Apache-2.0
# A refresh from a pipeline: its goldens are put in, and the summary, the page and the commit's message
# link to GitLab's pages. It is undone as any other.
start_gitlab "$REGILD_TOP/fixtures/pipeline"
new_repository
golden $ROOT/moe/moe_kept/golden_values_dev_dgx_h100.json 'lm loss' 19 18 17 16 -- num-zeros 1 2 3 4
commit
run=$GITLAB_URL/adlr/megatron-lm/-/pipelines/31415
try regild refresh --run "$run" --all --markdown ../summary.md --html ../page.html --stage 2>&1 |
	grep -v -e '^ ' -e 'moved'
grep -e 'pipeline' ../summary.md
grep -o 'from GitLab pipeline <a href="[^"]*"' ../page.html
grep -o 'http[^"]*/-/blob/[^"]*' ../page.html | sort -u | head -n 2
git commit -q -m refreshed && git status --short
try regild undo
