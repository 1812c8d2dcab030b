# SPDX-License-Identifier: Apache-2.0
# Two audits of one run at once: what the faster one stored stays, although the slower one, to whom an
# artifact has expired meanwhile, did not get it.
run_file() {
	mkdir -p "$1/runs"
	cat >"$1/runs/7.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
		 "jobs": [{"name": "gpt/a - latest"}, {"name": "gpt/b - latest"}],
		 "artifacts": [{"name": "logs-a-7-x", "files": {"golden_values_dev.json": {"lm loss": [1]}}},
		               {"name": "logs-b-7-x", "expired": $2,
		                "files": {"golden_values_dev.json": {"lm loss": [2]}}}]}
	JSON
}
run_file fast false
run_file slow true
audit="regild audit -q --repo NVIDIA/Megatron-LM --runs 7 --export -"
start_hub "$PWD/slow" --fault api:latency,seconds=3,match=/artifacts,first=1
XDG_CACHE_HOME=$PWD/other $audit >slow.csv 2>slow.err &
slow=$! slow_hub=$HUB_PID slow_log=$SCRATCH/slow.log
eventually [ -s "$HUB_LOG" ]
# It waits until the faster one is done.
kill -STOP $slow
mv "$HUB_LOG" "$slow_log"
rm "$SCRATCH/hub.ready"
start_hub "$PWD/fast"
trap '{ kill -9 $slow; kill $HUB_PID $slow_hub; } 2>/dev/null || true' EXIT
try $audit
kill -CONT $slow
echo "== the slower one"
wait $slow || echo "exit code $?"
cat slow.err slow.csv
echo "== and afterwards"
try $audit
grep -c zip "$HUB_LOG" "$slow_log" | sed 's/.*://'
# exit: 0
