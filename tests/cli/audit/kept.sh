# The history is kept for good: what this regild cannot read is not written over, a run that has not
# finished and a file that is none stop nobody else, and what a killed audit left is swept.
mkdir -p fixture/runs
for id in 1 2 3 4; do
	status=completed
	[ $id -ne 4 ] || status=in_progress
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "head_branch": "main",
		         "status": "$status", "path": ".github/workflows/nightly.yml"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$id-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 10.$id}}}}}]}
	JSON
done
cat >fixture/runs/5.json <<'JSON'
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 5, "created_at": "2026-03-05T04:00:00Z", "head_branch": "main", "path": ".github/workflows/nightly.yml"},
 "jobs": [{"name": "gpt/a - latest"}],
 "artifacts": [{"name": "logs-a-5-x", "files": {"golden_values_dev.json": {"lm loss": [10.5]},
                "golden_values_lts.json": 1}}]}
JSON
start_hub "$PWD/fixture"
stored=$HOME/.local/share/regild/history/github.com/NVIDIA/Megatron-LM
audit="regild audit --repo NVIDIA/Megatron-LM --csv -"
runs() {
	try "$@" | sed 's/^main,[^,]*,\(lm loss,[0-9]*\),.*/\1/; s/^group,.*/metric,runs/'
}
echo "== one has not finished"
runs $audit --runs 1,4,2,3
echo "== a newer regild's"
cp "$stored/3.run" "$SCRATCH/3.run"
sed -i '1s/history 1/history 2/' "$stored/3.run"
runs $audit --runs 1,2,3
try regild audit --repo NVIDIA/Megatron-LM --runs 1,3 --dry-run
head -c 16 "$stored/3.run" && echo
echo "== no file"
rm "$stored/3.run"
mkfifo "$stored/3.run"
runs $audit --runs 1,2,3
rm "$stored/3.run"
mkdir "$stored/3.run"
runs $audit --runs 1,2,3
rmdir "$stored/3.run"
echo "== a golden that is none is tried again"
runs $audit --runs 1,5
runs $audit --runs 1,5
echo "== another run's"
cp "$stored/1.run" "$stored/2.run"
runs $audit --runs 1,2
echo "== what a killed audit left"
mkdir -p "$stored/.fetch-1-999/files" "$stored/.fetch-abcdef"
regild audit --repo NVIDIA/Megatron-LM --runs 1,2 --dry-run
ls -A "$stored"
runs $audit -q --runs 1,2
ls -A "$stored"
echo "== killed while it fetched"
rm "$stored"/*.run
stop_hub
start_hub "$PWD/fixture" --fault api:stall,match=/artifacts,first=1
regild audit --repo NVIDIA/Megatron-LM --runs 1,2,3 >out 2>&1 &
eventually compgen -G "$stored/.fetch-*" >fetching
{ kill -9 $! && wait $!; } 2>/dev/null || true # bash says so of whom it buries
runs $audit -q --runs 1,2,3
ls -A "$stored"
# exit: 0
