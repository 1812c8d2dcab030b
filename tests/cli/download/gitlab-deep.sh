# SPDX-License-Identifier: Apache-2.0
# Pipelines below pipelines, and next to each other, up to a limit; and a merge request's from a fork.
fixture=$SCRATCH/fixture
mkdir -p "$fixture/pipelines"
# pipeline ID BRIDGES
pipeline() {
	printf '{"project": "g/p", "project_id": 7, "pipeline": {"id": %d, "created_at": "2026-03-01T04:00:00Z"%s}, "jobs": [], "bridges": [%s]}\n' \
		"$1" "$3" "$2" >"$fixture/pipelines/$1.json"
}
bridge() {
	printf '{"name": "to %d", "downstream": {"id": %d, "project_id": 7, "status": "success"}}' "$1" "$1"
}
for i in {1..22}; do
	pipeline $i "$(bridge $((i + 1)))"
done
pipeline 23 ""
pipeline 100 "$(for i in {1000..1499}; do bridge $i && echo ,; done; bridge 1500)"
pipeline 200 '{"name": "b", "downstream": 201}' ', "status": "success"'
pipeline 201 "" ', "status": "running", "source": "parent_pipeline"'
pipeline 300 "" ', "ref": "refs/merge-requests/7/head", "source": "merge_request_event",
	"merge_request": {"iid": 7, "source_branch": "main", "source_project_id": 8}'
pipeline 301 "" ', "ref": "refs/merge-requests/8/merge", "source": "merge_request_event",
	"merge_request": {"iid": 8, "source_branch": "change"}'
start_gitlab "$fixture"
ask() {
	echo "--- $1"
	rm -rf staged
	try regild download --run "$GITLAB_URL/g/p/-/pipelines/$1" --all --no-cache -o staged "${@:2}" 2>&1 | grep -v moved
}
ask 1
ask 3
ask 100
ask 200
ask 200 --in-progress
ask 300
grep -e fork -e branch -e head_rep staged/manifest.json
ask 301
grep -e fork -e branch -e head_rep staged/manifest.json
