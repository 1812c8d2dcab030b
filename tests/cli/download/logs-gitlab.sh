# SPDX-License-Identifier: Apache-2.0
# Values in the logs of a GitLab pipeline's jobs: times, sections and colours are taken off, a masked value and a
# log over the runner's limit are refused, an erased job is expired.
T='2026-08-21T21:30:21.123456Z'
mkdir fixture
{
	printf '%s 00O section_start:1719233560:step_script\n%s 00O+\033[0K\033[0KRunning\n' "$T" "$T"
	printf '%s 01O \033[36;1mstep: 1 loss: 10.\n%s 01O+875\033[0;m\n' "$T" "$T"
	printf '%s 01O step: 2 loss: 10.5\n%s 00O section_end:1719233561:step_script\r\033[0K\n' "$T" "$T"
} >fixture/times.log
printf 'section_start:1:x\r\033[0Kstep: 1 loss: 9.5\nstep: 2 loss: 9.25\n' >fixture/plain.log
printf 'step: 1 loss: [MASKED].5\n' >fixture/masked.log
printf 'step: 1 loss: 9.5\n\033[33;1mJob'"'"'s log exceeded limit of 4194304 bytes.\nJob execution will continue but no more output will be collected.\033[0;m\n' >fixture/cut.log
cat >fixture/pipeline.json <<'JSON'
{
  "project": "group/project",
  "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z", "status": "failed"},
  "jobs": [{"name": "train_a", "stage": "gpt", "status": "failed", "log_file": "times.log"},
           {"name": "train_b", "stage": "gpt", "status": "success", "log_file": "plain.log"},
           {"name": "train_c", "stage": "gpt", "status": "failed", "log_file": "masked.log"},
           {"name": "train_d", "stage": "gpt", "status": "failed", "log_file": "cut.log"},
           {"name": "train_e", "stage": "gpt", "status": "failed", "log": "crashed\n"},
           {"name": "train_f", "stage": "gpt", "status": "manual"}]
}
JSON
start_gitlab "$PWD/fixture"
new_repository
git config regild.source.losses.log 'gpt/*'
git config regild.source.losses.match 'step: {step} loss: {value}'
try regild download --run "$GITLAB_URL/group/project/-/pipelines/9" --all -v -o staged
find staged -type f | LC_ALL=C sort
grep -h '"[12]":' $(find staged/files -type f | LC_ALL=C sort)
