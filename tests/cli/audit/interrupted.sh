# SPDX-License-Identifier: Apache-2.0
# Ctrl-C: what was fetched so far is in the history, half a run is not, and the next audit goes on there.
mkdir -p fixture/runs
for id in {10..49}; do
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $id, "created_at": "2026-03-01T04:$id:00Z", "head_branch": "main",
		         "path": ".github/workflows/nightly.yml"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$id-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $((id * 7 % 11))}}}}}]}
	JSON
done
# In no hurry in the middle, so that it is there that the audit ends.
start_hub "$PWD/fixture" --fault api:stall,match=/artifacts,every=20,first=20
audit="regild audit --repo NVIDIA/Megatron-LM --workflow nightly.yml --last 40"
stored() {
	regild history 2>/dev/null | grep -c 'NVIDIA/Megatron-LM'
}
five_are_stored() {
	[ "$(stored)" -ge 5 ]
}
$audit --csv - >out 2>err &
eventually five_are_stored
kill $!
wait $! || echo "exit code $?"
tail -n 1 err
wc -c <out
find "$HOME/.cache/regild/tmp" -mindepth 1 | wc -l
$audit --dry-run 2>&1 | grep -c 'to be fetched' | sed 's/^[1-9][0-9]*$/some/'
# Soon sent again, what stands still.
REGILD_STALL_MS=500 REGILD_RETRY_BASE_MS=20 $audit -q --csv - | cut -d , -f 1-4
stored
