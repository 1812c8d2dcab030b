# SPDX-License-Identifier: Apache-2.0
# The request of a run, also of a fork's, by its repository, branch and commit: a fork's branch of the same name is not it,
# and one that has moved on is refused.
mkdir -p fixture/runs fixture/pipelines
sha() { printf "%010d%030d" "$1" "$1"; }
run() { # ID HEAD_REPOSITORY BRANCH SHA
	echo "{\"repository\": \"o/n\", \"run\": {\"id\": $1, \"created_at\": \"2026-03-01T04:00:00Z\", \"event\": \"pull_request\",
		\"head_repository\": \"$2\", \"head_branch\": \"$3\", \"head_sha\": \"$(sha $4)\"}, \"jobs\": [], \"artifacts\": [],
		\"pulls\": [$5]}" >fixture/runs/$1.json
}
pull() { # NUMBER REPOSITORY BRANCH SHA STATE
	echo "{\"number\": $1, \"head_repository\": \"$2\", \"head_ref\": \"$3\", \"head_sha\": \"$(sha $4)\", \"state\": \"$5\"}"
}
run 1 o/n fix 11 "$(pull 51 o/n fix 11 open), $(pull 52 fork/n fix 12 open), $(pull 53 other/n fix 11 open)"
run 2 fork/n fix 12 ''
run 3 fork/n fix 13 ''
run 4 o/n closed 14 "$(pull 54 o/n closed 14 closed)"
run 5 fork/n-renamed fix 12 ''
run 6 fork/n 'a&head=o:fix' 11 ''
many=$(for i in {100..205}; do printf '%s, ' "$(pull $i o/n many $i open)"; done)
run 7 o/n many 205 "${many%, }"
echo '{"project": "group/p", "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z", "ref": "refs/merge-requests/5/head"},
	"merge_request": 5, "jobs": []}' >fixture/pipelines/9.json
queue() { # ID HEAD_REPOSITORY BRANCH EVENT
	run $1 $2 "$3" 11 ''
	sed -i "s/\"pull_request\"/\"$4\"/" fixture/runs/$1.json
}
queue 8 o/n gh-readonly-queue/main/pr-12-$(sha 11) merge_group
queue 10 o/n gh-readonly-queue/release/1.0/pr-13-$(sha 11) merge_group
queue 11 fork/n gh-readonly-queue/main/pr-12-$(sha 11) merge_group
queue 12 o/n gh-readonly-queue/main/pr-12-$(sha 11) push
queue 13 o/n gh-readonly-queue/main/pr-0-$(sha 11) merge_group
queue 14 o/n gh-readonly-queue/main/pr--12-$(sha 11) merge_group
start_hub fixture
for id in 1 2 3 4 5 6 7 8 10 11 12 13 14 99; do
	echo "# run $id"
	try regild pr-of-run --repo o/n $id
done
try regild pr-of-run
try regild pr-of-run x
stop_hub
echo '# a pipeline of a merge request'
start_gitlab fixture
try regild pr-of-run "$GITLAB_URL/group/p/-/pipelines/9"
