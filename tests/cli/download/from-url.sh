# SPDX-License-Identifier: Apache-2.0
# A zip at an address, over ranges and without a token, alone or with fields that a run fills in; the API is asked
# only for what is needed. Only git's own configuration can name such an address beside --from.
mkdir f
cat >f/run.json <<'end'
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 77, "created_at": "2026-03-04T05:00:00Z", "conclusion": "failure"},
 "jobs": [{"id": 11, "name": "gpt/a - latest", "conclusion": "failure"}, {"id": 12, "name": "moe/b", "conclusion": "success"},
          {"id": 13, "name": "moe/c", "conclusion": "failure"}, {"id": 14, "name": "Build", "conclusion": "success"}],
 "artifacts": [
  {"id": 11, "name": "x", "filler": {"name": "stdout.log", "size": 4194304},
   "files": {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 2}}}}},
  {"id": 12, "name": "y", "files": {"golden_values_dev.json": "b"}},
  {"id": 77, "name": "z", "filler": {"name": "stdout.log", "size": 4194304},
   "files": {"logs-a-77-x/golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 3}}},
             "logs-c-77-x/golden_values_dev.json": "c of the run"}},
  {"id": 1, "name": "w", "files": {"logs-b-77-x/golden_values_dev.json": "b of attempt 1"}}]}
end
start_hub f --open-store "$SCRATCH/store"
store=$(cat "$SCRATCH/store")
hub_repository
for test in gpt/a moe/b moe/c; do
	golden $ROOT/$test/golden_values_dev.json 'lm loss' 1
done
commit

requests() {
	sed 's/ auth=.*\(auth=[a-z]*\)/ \1/' "$HUB_LOG" | awk '{print $1, $2, $3, $4, $6}' | sort | uniq -c
	: >"$HUB_LOG"
}

# A zip for each job: passed ones are left out, one has none.
try regild download --run 77 --only-failing --from "$store/actions-results/{job_id}/artifact" -o jobs
staged jobs
grep -e '"source"' -e '"paths"' jobs/manifest.json
requests
# One for the run: with its number alone nobody is asked for jobs.
try env -u GITHUB_TOKEN regild download --run 77 --all --from "$store/actions-results/{run}/artifact?sig=secret" -o run
staged run
grep -e '"id": 77' -e '"source"' -e '"paths"' run/manifest.json
requests
try regild -q download --run 77 --all --from "$store/actions-results/{attempt}/artifact" -o attempt
staged attempt
requests
try regild -q download --commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 --all --from "$store/actions-results/{run}/artifact" -o found
staged found
: >"$HUB_LOG"
# No run at all: the name of the file is the artifact's.
try regild -q download --from "$store/actions-results/77/artifact" -o plain
staged plain
try regild -q refresh --from "$store/actions-results/77/artifact" 2>&1 | grep -e ' from ' -e code

# git's configuration names the address once and for all; a .regild must not.
git config regild.source.url "$store/actions-results/{run}/artifact"
try regild -q download --run 77 --all -o configured
staged configured
git config --unset regild.source.url
printf '[source]\n\turl = https://example.com/{run}.zip\n' >.regild
try regild download --run 77 --all -o ignored
rm .regild

# What is no address, or not one to ask.
try regild download --from 'http://example.com/a.zip' -o none
try regild download --from s3://bucket/a.zip -o none
try regild download --from 'https://me:secret@example.com/a.zip' -o none
try regild download --run 77 --all --from 'https://example.com/{job}.zip' -o none
try regild download --from 'https://example.com/{run}.zip' -o none
try regild download --run 77 --all --from dl -o none
try regild download --from "$store/actions-results/99/artifact" -o none
stop_hub
try regild download --from "$store/actions-results/77/artifact?sig=secret" -o none
