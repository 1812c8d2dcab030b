# SPDX-License-Identifier: Apache-2.0
# What GitHub's own client downloads of a run gives the same tree as the run itself, without a request. Where the
# run repeated a job nobody can tell from a folder which artifact is newer: they are in conflict.
command -v gh >/dev/null || skip "needs gh"
start_hub "$REGILD_TOP/fixtures/demo"
for name in run folder; do
	cp -r "$REGILD_TOP/fixtures/demo/repository" $name
	(cd $name && new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit)
done
try regild -q -C run refresh --run 22651183945 --all >/dev/null
export GH_TOKEN=test-token GH_NO_UPDATE_NOTIFIER=1
http_proxy=$GITHUB_API_URL gh run download 22651183945 -R github.localhost/NVIDIA/Megatron-LM -D dl
stop_hub
: >"$HUB_LOG"
try env -u GH_TOKEN -u GITHUB_TOKEN regild -C folder refresh --from ../dl
diff -r -x .git run folder
git -C folder diff --shortstat

start_hub "$REGILD_TOP/fixtures/attempts"
http_proxy=$GITHUB_API_URL gh run download 2001 -R github.localhost/NVIDIA/Megatron-LM -D again
new_repository
for test in passed_at_once passed_later rerun_failed; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 1
done
try regild download --from again -o staged
staged staged
