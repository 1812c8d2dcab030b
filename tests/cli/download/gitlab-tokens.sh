# SPDX-License-Identifier: Apache-2.0
# Which token goes to a GitLab, who gets none, and what is said where one is missing.
start_gitlab "$REGILD_TOP/fixtures/pipeline" --no-tree --secrets "$SCRATCH/secrets"
new_repository
touch a && commit
unset GITLAB_TOKEN
host=${GITLAB_URL#http://}
# What it says, and which tokens it sent.
ask() {
	: >"$HUB_LOG"
	echo "--- ${*//$GITLAB_URL/URL}"
	env "${@:2}" regild download --run "$1" --only-failing -j 1 --no-cache -o "$SCRATCH/staged" \
		>said 2>&1 || true
	grep -m 1 -e goldens -e regild: said | grep -v warning || tail -n 1 said
	cat said >>everything
	echo "$(grep -c '^api.*auth=yes' "$HUB_LOG") of $(grep -c '^api' "$HUB_LOG") with a token," \
		"$(grep -c '^store.*auth=yes' "$HUB_LOG") to the store"
}
page=$GITLAB_URL/adlr/megatron-lm/-/pipelines/31415
ask $page
ask $page GITLAB_TOKEN=wrong
ask $page GITLAB_TOKEN=test-token
ask $page RO_API_TOKEN=test-token
ask $page GITLAB_TOKEN= RO_API_TOKEN=test-token
echo "== a job's own token: GitLab keeps bridges from it"
ask $page CI_JOB_TOKEN=job-token
ask $page CI_JOB_TOKEN=job-token CI_API_V4_URL=$GITLAB_URL/api/v4
ask 31415 CI_JOB_TOKEN=job-token CI_API_V4_URL=$GITLAB_URL/api/v4 CI_PROJECT_PATH=adlr/megatron-lm
ask 31415 GITLAB_TOKEN=test-token CI_SERVER_HOST=$host CI_API_V4_URL=$GITLAB_URL/api/v4 CI_PROJECT_ID=19378
stop_hub
mkdir -p "$SCRATCH/open/pipelines"
echo '{"project": "g/p", "project_id": 5, "private": false, "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z"}, "jobs": []}' \
	>"$SCRATCH/open/pipelines/9.json"
for status in 401 403 404; do
	start_gitlab "$SCRATCH/open" --job-token-status $status
	unset GITLAB_TOKEN
	ask 9 CI_JOB_TOKEN=job-token CI_API_V4_URL=$GITLAB_URL/api/v4 CI_PROJECT_PATH=g/p
	stop_hub
done
echo "== what is open to everybody needs no token"
start_gitlab "$SCRATCH/open"
unset GITLAB_TOKEN
ask $GITLAB_URL/g/p/-/pipelines/9
stop_hub
start_gitlab "$REGILD_TOP/fixtures/pipeline" --no-tree --secrets "$SCRATCH/secrets"
unset GITLAB_TOKEN
host=${GITLAB_URL#http://}
echo "== Megatron-LM's variables"
ask 31415 RO_API_TOKEN=test-token GITLAB_ENDPOINT=$GITLAB_URL CI_PROJECT_ID=19378 CI_API_V4_URL=$GITLAB_URL/api/v4
echo "== a host that only a clone names"
git remote add origin $GITLAB_URL/adlr/megatron-lm.git
both="GITLAB_TOKEN=test-token RO_API_TOKEN=test-token"
origin() {
	: >"$HUB_LOG"
	echo "--- ${*//$GITLAB_URL/URL}"
	env $both "$@" regild download --source gitlab --run 31415 --only-failing -j 1 --no-cache -o "$SCRATCH/staged" \
		>said 2>&1 || true
	tail -n 1 said
	cat said >>everything
	echo "$(grep -c '^api.*auth=yes' "$HUB_LOG") with a token"
}
origin
origin GITLAB_HOST=$host
origin CI_SERVER_HOST=$host
origin GITLAB_ENDPOINT=$host
origin GITLAB_HOST=${host%:*} CI_SERVER_HOST=x$host
printf '[regild]\n\trepository = %s/adlr/megatron-lm\n' "$GITLAB_URL" >.regild
git remote remove origin
origin
git config regild.repository "$GITLAB_URL/adlr/megatron-lm"
origin
echo "== plain http goes to this machine alone"
try env GITLAB_TOKEN=secret GITLAB_HOST=gitlab.invalid CI_API_V4_URL=http://gitlab.invalid/api/v4 \
	regild download --run 5 --source gitlab --repo group/project --all -o out
echo "== no secret was printed or kept"
grep -rlFf "$SCRATCH/secrets" everything "$SCRATCH/staged" "$HOME" .git || echo none
