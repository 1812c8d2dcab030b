# SPDX-License-Identifier: Apache-2.0
# A note of a merge request is kept up to date as GitHub's comment is; a job's own token cannot write one, which is said
# before anything is asked.
mkdir -p fixture/pipelines
cat >fixture/pipelines/9.json <<-'JSON'
	{"project": "group/sub/project", "project_id": 42, "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z"},
	 "merge_request": 5, "jobs": []}
JSON
reported_changes
{
	echo '['
	for i in {1..120}; do echo "{\"id\": $i, \"pull\": 5, \"login\": \"somebody\", \"body\": \"<!-- regild:goldens --> $i\"},"; done
	echo '{"id": 200, "pull": 4, "login": "octocat", "body": "<!-- regild:goldens --> of another"}]'
} >../notes.json
start_gitlab fixture --comments ../notes.json
say() {
	echo "# $*"
	try regild --repo "$GITLAB_URL/group/sub/project" comment --source gitlab --pr 5 "$@"
}
say ../moved.json --on look
say ../moved.json
say ../same.json
say ../same.json --delete
say ../same.json --on look
grep -c '"id"' ../notes.json
grep -v ' GET ' "$HUB_LOG" | cut -d ' ' -f 2,4
: >"$HUB_LOG"
(unset GITLAB_TOKEN && export CI_JOB_TOKEN=job-token CI_API_V4_URL=$GITLAB_URL/api/v4 && say ../moved.json | sed -n 1,3p)
(unset GITLAB_TOKEN && say ../moved.json | tail -n 1)
wc -l <"$HUB_LOG"
