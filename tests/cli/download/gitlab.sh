# SPDX-License-Identifier: Apache-2.0
# A pipeline of GitLab with all that hangs off it: child pipelines, theirs, and one of another project.
# What a retried job left does not count; what expired or was erased is missing.
start_gitlab "$REGILD_TOP/fixtures/pipeline"
new_repository
touch a && commit
run=$GITLAB_URL/adlr/megatron-lm/-/pipelines/31415
try regild download --run "$run" --all -v -j 1
staged .git/regild/runs/31415
head -n 20 .git/regild/runs/31415/manifest.json
checked_json <.git/regild/runs/31415/manifest.json >/dev/null
echo "--- the store saw no token"
echo "$(grep -c '^store' "$HUB_LOG"), $(grep -c '^store.*auth=yes' "$HUB_LOG") with one"
echo "--- failing jobs only, out of the cache: no artifact is asked for again"
: >"$HUB_LOG"
try regild download --run "$run" --only-failing
grep -c artifacts "$HUB_LOG" || true
echo "--- a part of a pipeline's page, an attempt, a job"
try regild download --run "$run/builds?x" --attempt 1 --all -o out 2>&1 | tail -n 2
try regild download --run "$run" --attempt 2 --all -o out
try regild download --run "$GITLAB_URL/adlr/megatron-lm/-/jobs/510001" --all -o out
