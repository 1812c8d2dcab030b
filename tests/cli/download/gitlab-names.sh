# SPDX-License-Identifier: Apache-2.0
# Which project of which GitLab: each way to name it, and what is wrong with some.
start_gitlab "$REGILD_TOP/fixtures/pipeline"
new_repository
touch a && commit
host=${GITLAB_URL#http://}
# Which project was asked for, or what is wrong.
ask() {
	: >"$HUB_LOG"
	echo "--- ${*//$GITLAB_URL/URL}"
	env "$@" --only-failing --no-cache -o "$SCRATCH/staged" >said 2>&1 || true
	grep -m 1 -o -e 'projects/[^/]*/pipelines/31415 200' "$HUB_LOG" || head -n 1 said
}
download="regild download --run 31415"
ask $download --repo $GITLAB_URL/adlr/megatron-lm --source gitlab
ask GITLAB_HOST=$GITLAB_URL $download --repo $GITLAB_URL/adlr/megatron-lm
ask GITLAB_HOST=$GITLAB_URL $download --repo adlr/megatron-lm --source gitlab
ask GITLAB_HOST=$GITLAB_URL $download --repo 19378 --source gitlab
ask GITLAB_ENDPOINT=$GITLAB_URL CI_PROJECT_ID=19378 RO_API_TOKEN=test-token $download --source gitlab
ask CI_API_V4_URL=$GITLAB_URL/api/v4 CI_SERVER_HOST=$host CI_PROJECT_PATH=adlr/megatron-lm CI_PROJECT_ID=19378 $download
git config regild.repository $GITLAB_URL/adlr/megatron-lm
ask $download --source gitlab
git config regild.repository adlr/megatron-lm
ask GITLAB_HOST=$GITLAB_URL $download --source gitlab
git config --unset regild.repository
git remote add origin $GITLAB_URL/adlr/megatron-lm.git
ask GITLAB_HOST=$GITLAB_URL $download
ask GITHUB_REPOSITORY=o/n GITLAB_HOST=$GITLAB_URL $download --source gitlab
git remote set-url origin git@github.com:o/n.git
ask $download --source gitlab
git remote set-url origin git@gitlab.invalid:group/sub/project.git
ask $download --source github
ask regild download --run $GITLAB_URL/adlr/megatron-lm/-/pipelines/31415 --source github
ask regild download --run https://github.com/o/n/actions/runs/5 --source gitlab
ask regild download --run $GITLAB_URL/adlr/megatron-lm/-/pipelines/31415 --repo $GITLAB_URL/adlr/other
ask regild download --run $GITLAB_URL/megatron-lm/-/pipelines/31415
ask regild download --run $GITLAB_URL/adlr/megatron-lm/-/pipelines/0
ask regild download --run $GITLAB_URL/adlr/../-/pipelines/31415
ask regild download --run $GITLAB_URL/adlr/megatron-lm/-/pipelines/31415/elsewhere
ask regild download --run 5 --source bitbucket
ask $download --repo '../..' --source gitlab
