#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# regild beside other clients of the same servers: what python-gitlab fetches of a pipeline must be what
# regild fetches, and what gh leaves of a run must refresh to the same tree as the run itself. Skipped
# where a client is not installed.
# usage: tests/parts/clients.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
export LC_ALL=C REGILD_TOP=$PWD REGILD_BUILD=$PWD/$1
SCRATCH=$(mktemp -d)
export SCRATCH HOME=$SCRATCH
. tests/cli/lib.sh
cd "$SCRATCH" || exit 1
passed=0 failed=0 skipped=0

# Debian's python3 has Debian's modules, whatever other one is in front of it.
python=/usr/bin/python3

check() {
	if "$@" >"$SCRATCH/printed" 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL clients: $*"
		tail -n 20 "$SCRATCH/printed"
		failed=$((failed + 1))
	fi
}

# job NAME STATUS FOLDER KIND VALUE: a job that was run three times over, restarted in the last of them,
# with its logs.
job() {
	local file=assets/basic/$3/$4_dev.json
	cat <<-END
		{"name": "$1", "stage": "gpt", "status": "$2", "artifacts": {"files": {
		  "results/iteration=0/a/$file": {"lm loss": {"values": {"1": 1}}},
		  "results/iteration=10/a/$file": {"lm loss": {"values": {"1": 2}}},
		  "results/iteration=10/b/$file": {"lm loss": {"values": {"1": $5}}},
		  "results/iteration=9/z/$file": {"lm loss": {"values": {"1": 4}}},
		  "results/iteration=10/b/logs/0/stdout.log": "step 1"}}}
	END
}

make_pipelines() {
	mkdir -p gitlab/pipelines
	cat >gitlab/pipelines/1.json <<-'END'
		{"project": "adlr/megatron-lm", "project_id": 19378,
		 "pipeline": {"id": 100, "created_at": "2026-03-01T04:00:00Z", "status": "failed"},
		 "jobs": [{"name": "lint", "stage": "test"}],
		 "bridges": [{"name": "functional:run_dev_dgx_h100", "downstream": 101},
		             {"name": "functional:run_lts_dgx_a100", "downstream": 102},
		             {"name": "functional:run_none", "downstream": null}]}
	END
	{
		echo '{"project": "adlr/megatron-lm", "project_id": 19378, "pipeline": {"id": 101,'
		echo '"created_at": "2026-03-01T04:05:00Z", "status": "failed", "source": "parent_pipeline"}, "jobs": ['
		job gpt3_TP1 failed gpt3-tp1-dev-dgx-h100 golden_values 10.25
		echo ,
		job gpt3_tp2 success gpt3-tp2 golden_values 10.5
		echo ,
		job gpt3_inference failed gpt3-inference-dev-dgx-h100 generations 7
		echo ', {"name": "no_artifacts", "stage": "gpt", "status": "failed"}]}'
	} >gitlab/pipelines/2.json
	{
		echo '{"project": "adlr/megatron-lm", "project_id": 19378, "pipeline": {"id": 102,'
		echo '"created_at": "2026-03-01T04:06:00Z", "status": "failed", "source": "parent_pipeline"}, "jobs": ['
		job bert_tp1 failed bert-tp1-lts-dgx-a100 golden_values 3.5
		echo ']}'
	} >gitlab/pipelines/3.json
}

# fetch_theirs DIR [FLAGS]: python-gitlab sends its token to wherever it is redirected, which stores
# refuse: it gets at archives that GitLab sends itself.
fetch_theirs() {
	local status=0
	start_gitlab gitlab --stream
	"$python" "$REGILD_TOP/tests/clients/gitlab_goldens.py" "$GITLAB_URL" test-token \
		adlr/megatron-lm 100 "$@" || status=$?
	stop_hub
	return $status
}

# same_goldens THEIRS SCOPE [HUB OPTIONS]: the same goldens, whatever the instance can do.
same_goldens() {
	local theirs=$1 scope=$2 status=0
	shift 2
	rm -rf ours
	start_gitlab gitlab "$@"
	(cd repository && regild download --run "$GITLAB_URL/adlr/megatron-lm/-/pipelines/100" "$scope" \
		--no-cache -o ../ours) || status=$?
	stop_hub
	[ $status = 0 ] && [ "$(find "$theirs" -type f | wc -l)" -ge 3 ] && diff -r "$theirs" ours/files
}

with_python_gitlab() {
	local scope
	if ! "$python" -c 'import gitlab' 2>/dev/null; then
		echo "clients: skipped: needs python-gitlab (python3-gitlab)"
		skipped=$((skipped + 1))
		return
	fi
	make_pipelines
	check fetch_theirs all
	check fetch_theirs failing --only-failing
	for scope in all only-failing; do
		check same_goldens "${scope#only-}" --$scope
		check same_goldens "${scope#only-}" --$scope --no-tree
		check same_goldens "${scope#only-}" --$scope --no-tree --stream
	done
}

# gh takes hosts below github.localhost to be plain http; the hub is its proxy.
refreshed_from_gh() {
	start_hub github
	(cd by_run && regild refresh --quiet --run 22651183945 --all) || return
	http_proxy=$GITHUB_API_URL GH_TOKEN=test-token \
		gh run download 22651183945 -R github.localhost/NVIDIA/Megatron-LM -D extracted || return
	stop_hub
	(cd from_folder && regild refresh --quiet --from ../extracted --all) || return
	[ "$(git -C by_run status --porcelain | wc -l)" -gt 0 ] &&
		diff -r --exclude=.git by_run from_folder
}

with_gh() {
	if ! command -v gh >/dev/null; then
		echo "clients: skipped: needs gh"
		skipped=$((skipped + 1))
		return
	fi
	# One of the demo's artifacts has expired, which gh does not get over. One is of a test that the
	# tree does not have: of a folder's artifact it cannot be known in which stage it is.
	mkdir github
	cp -r "$REGILD_TOP/fixtures/demo/artifacts" github
	grep -v -e '"expired": true' -e 'logs-bert_mcore_tp2_pp2' "$REGILD_TOP/fixtures/demo/run.json" >github/run.json
	cp -r "$REGILD_TOP/fixtures/demo/repository" by_run
	(cd by_run && new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM && commit)
	cp -r by_run from_folder
	check refreshed_from_gh
}

mkdir repository
(cd repository && new_repository && git commit -q --allow-empty -m start)
with_python_gitlab
with_gh
cd /
rm -rf "$SCRATCH"
echo "beside other clients:"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
