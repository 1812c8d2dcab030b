# SPDX-License-Identifier: Apache-2.0
# Several pipelines by their addresses; and runs whose artifacts are at an address that their ids fill in.
pipeline() {
	echo "{\"project\": \"adlr/megatron-lm\", \"pipeline\": {\"id\": $1, \"created_at\": \"2026-03-04T04:00:00Z\"},
		\"jobs\": [{\"name\": \"gpt3_tp1\", \"stage\": \"gpt\", \"artifacts\": {\"files\": {
		\"results/iteration=0/0/assets/basic/gpt3-tp1-dev-dgx-h100/golden_values_dev_dgx_h100.json\":
		{\"lm loss\": {\"start_step\": 1, \"end_step\": 1, \"step_interval\": 1, \"values\": {\"1\": $2}}}}}}]}" \
		>"../fixture/pipelines/$1.json"
}
mkdir -p ../fixture/pipelines
pipeline 11 9.1
pipeline 12 9.3
pipeline 13 9.2
start_gitlab ../fixture
new_repository
golden $ROOT/gpt/gpt3_tp1/golden_values_dev_dgx_h100.json 'lm loss' 9
commit
of=$GITLAB_URL/adlr/megatron-lm/-/pipelines
try regild refresh -q --runs "$of/11,$of/12,$of/13" --all --markdown - | grep -e exit -e golden
checked_json <.git/regild/runs/13/manifest.json | sed -n '/"among"/,/^ }/p'
regild undo -q

stop_hub
unset GITLAB_URL GITLAB_TOKEN
mkdir -p ../store/runs
for id in 1 2 3; do
	echo "{\"repository\": \"o/n\", \"run\": {\"id\": $id, \"created_at\": \"2026-03-04T05:00:00Z\"},
		\"jobs\": [{\"name\": \"gpt/gpt3_tp1\"}],
		\"artifacts\": [{\"id\": $id, \"name\": \"x\", \"files\": {\"logs-gpt3_tp1-$id-x/golden_values_dev_dgx_h100.json\":
		{\"lm loss\": {\"start_step\": 1, \"end_step\": 1, \"step_interval\": 1, \"values\": {\"1\": 9.$id}}}}}]}" >"../store/runs/$id.json"
done
start_hub ../store --open-store "$SCRATCH/open"
try regild refresh -q --runs 1,3,2 --all --from "$(cat "$SCRATCH/open")/actions-results/{run}/artifact" | grep -e exit -e "of 1"
