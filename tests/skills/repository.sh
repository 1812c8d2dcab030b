# SPDX-License-Identifier: Apache-2.0
# What the evals of skills/ work on: a repository in ./repository and a fake GitHub with its runs. Sourced after
# tests/cli/lib.sh; an eval's "on" names the function.

# The bundled run, whole: 22651183945.
demo() {
	start_hub "$REGILD_TOP/fixtures/demo"
	cp -r "$REGILD_TOP/fixtures/demo/repository" repository
	cp -r "$REGILD_TOP/fixtures/demo/artifacts" artifacts
	(cd repository && new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit)
}

# small_run ID CONCLUSION RUN_FIELDS [VALUES…]: a run with one golden, of so many steps; without values its job left none.
small_run() {
	local id=$1 conclusion=$2 fields=$3 values= files='{"stderr.log": "CUDA out of memory"}' step=0 value
	shift 3
	for value; do
		step=$((step + 1))
		values+="${values:+, }\"$step\": $value"
	done
	[ -z "$values" ] || files="{\"golden_values_dev.json\": {\"lm loss\": {\"start_step\": 1, \"end_step\": $step,
		\"step_interval\": 1, \"values\": {$values}}}}"
	printf '{"repository": "NVIDIA/Megatron-LM", "run": {"id": %d, "created_at": "2026-03-%02dT04:00:00Z", %s
		"head_branch": "main", "conclusion": "%s"}, "jobs": [{"name": "gpt/a - latest", "conclusion": "%s"}],
		"artifacts": [{"name": "logs-a-%d-x", "files": %s}]}' \
		"$id" "$id" "$fields" "$conclusion" "$conclusion" "$id" "${files//[$'\n\t']/}" >"fixture/runs/$id.json"
}

# Runs 1 … 8 vary by noise alone. 9 is as they are and failed, 10 is off, 11 is a fork's, 12 lost steps, 13 is what git
# has, 14 crashed, 15 is as 10 and newer.
small() {
	local id=0 value
	mkdir -p fixture/runs
	for value in 10.001 9.999 10.002 9.998 10.001 10.0 9.997 10.003; do
		id=$((id + 1))
		small_run $id success '' $value $value $value $value
	done
	small_run 9 failure '' 10.002 10.002 10.002 10.002
	small_run 10 failure '' 12.5 12.5 12.5 12.5
	small_run 11 success '"event": "pull_request", "head_repository": "somebody/Megatron-LM",' 10.1 10.1 10.1 10.1
	small_run 12 failure '' 10.002 10.002
	small_run 13 failure '' 10 10 10 10
	sed -i 's/, "files".*/}]}/' fixture/runs/13.json
	golden fixture/artifacts/logs-a-13-x/golden_values_dev.json 'lm loss' 10 10 10 10
	small_run 14 failure ''
	small_run 15 failure '' 12.501 12.501 12.501 12.501
	start_hub "$PWD/fixture"
	mkdir repository
	(cd repository && hub_repository && golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 10 10 10 && commit)
}
